// Corners in a plane, sorted around their mean.
#include "torsor/geometry/flat_side.hpp"

#include <algorithm>
#include <cmath>

namespace torsor {
namespace {

using Vec = Vec3<double>;

constexpr double kCoplanar = 1e-5;  // of the distance of a side from the middle

Vec corner_of(const HullCorners& hull, int i) { return load3<double>(hull.corner + 3 * i); }

// The corners of a hull in one plane, ascending.
struct PlaneCorners {
  static constexpr int kMost = 64;
  Vec normal;
  double level, tolerance;
  int count = 0;
  int index[kMost];

  PlaneCorners(const Vec& plane_normal, const Vec& point)
      : normal(plane_normal),
        level(dot(plane_normal, point)),
        tolerance(kCoplanar * (std::abs(level) + 1e-3 * norm(point))) {}
  bool holds(const HullCorners& hull, int i) const {
    return std::abs(dot(normal, corner_of(hull, i)) - level) <= tolerance;
  }
  // Of more than kMost, the first.
  void scan(const HullCorners& hull) {
    count = 0;
    for (int i = 0; i < hull.count && count < kMost; ++i)
      if (holds(hull, i)) index[count++] = i;
  }
  // Along edges from the corners of a triangle that lies in the plane: the plane touches the hull, and what it touches
  // is connected. False if there are more than kMost.
  bool walk(const HullCorners& hull, const int* triangle) {
    count = 0;
    for (int c = 0; c < 3; ++c)
      if (holds(hull, triangle[c])) index[count++] = triangle[c];
    for (int reached = 0; reached < count; ++reached) {
      const int from = index[reached], *edge = hull.edge + hull.edge_address[from];
      for (int k = 0; k < hull.edge_count[from]; ++k)
        if (holds(hull, edge[k]) && !add(edge[k])) return false;
    }
    std::sort(index, index + count);
    return true;
  }
  // False if there is no room.
  bool add(int corner) {
    if (std::find(index, index + count, corner) != index + count) return true;
    if (count == kMost) return false;
    index[count++] = corner;
    return true;
  }
};

// The same as sort_around() for three corners, which most sides have: the angle of the first is zero, and the others
// are on either side of it. False where that is in doubt.
bool sort_triangle(const HullCorners& hull, int* corner, const Vec& mean, const Vec& y) {
  const double size = norm(corner_of(hull, corner[0]) - mean);
  const auto beside = [&](int i) { return dot(corner_of(hull, corner[i]) - mean, y); };
  const double one = beside(1), two = beside(2), clear = 1e-6 * size;
  const bool ascends = one > clear && two < -clear, descends = one < -clear && two > clear;
  if (!ascends && !descends) return false;
  const int sorted[] = {corner[ascends ? 2 : 1], corner[0], corner[ascends ? 1 : 2]};
  std::copy_n(sorted, 3, corner);
  return true;
}

// Counter-clockwise around their mean.
void sort_around(const HullCorners& hull, int* corner, int count, const Vec& normal) {
  Vec mean = Vec::zero();
  for (int i = 0; i < count; ++i) mean += corner_of(hull, corner[i]) * (1.0 / count);
  const Vec x = normalized(corner_of(hull, corner[0]) - mean), y = cross(normal, x);
  if (count == 3 && sort_triangle(hull, corner, mean, y)) return;
  struct {
    double angle;
    int corner;
  } sorted[PlaneCorners::kMost];
  for (int i = 0; i < count; ++i) {
    int place = i;
    const Vec p = corner_of(hull, corner[i]) - mean;
    const double angle = std::atan2(dot(p, y), dot(p, x));
    for (; place > 0 && sorted[place - 1].angle > angle; --place) sorted[place] = sorted[place - 1];
    sorted[place] = {angle, corner[i]};
  }
  for (int i = 0; i < count; ++i) corner[i] = sorted[i].corner;
}

}  // namespace

FlatSide find_flat_side(const HullCorners& hull, int face) {
  const int* triangle = hull.face + 3 * face;
  const Vec n = triangle_normal(hull, face), normal = n * (1 / norm(n));
  PlaneCorners plane(normal, corner_of(hull, triangle[0]));
  if (!hull.edge || !plane.walk(hull, triangle)) plane.scan(hull);
  FlatSide side;
  if (plane.count < 3) return side;
  sort_around(hull, plane.index, plane.count, normal);
  side.count = std::min(plane.count, kSideCorners);
  for (int i = 0; i < side.count; ++i) side.corner[i] = plane.index[i * plane.count / side.count];
  return side;
}

}  // namespace torsor
