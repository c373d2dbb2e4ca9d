// Of many points of one contact, at most four that span the most.
#pragma once

#include <algorithm>
#include <cmath>

#include "torsor/math/vec3.hpp"

namespace torsor {

inline constexpr int kManifoldPoints = 4;
inline constexpr double kSamePoint = 1e-6;  // nearer than this part of a feature: one point, or equally deep

struct ManifoldPoint {
  double dist;
  Vec3<double> pos_F;  // midway
};

// `points` go round the overlap of two features; `size` is that of the smaller feature. The deepest comes first.
// It is always among the four, unless all are equally deep: then those with the largest area are taken. Of equals the
// first in order is taken, and small differences count as equal: rounding does not choose.
TORSOR_HD int choose_spread(const ManifoldPoint* points, int count, const Vec3<double>& normal_F, double size,
                            ManifoldPoint* out);

namespace spreads {

using Vec = Vec3<double>;

constexpr double kTied = 1e-9;     // areas and distances that differ by a smaller fraction are equal
constexpr int kTryAllStarts = 12;  // with more points, quadrilaterals start at the first point only
constexpr int kMostPoints = 64;

// The points as seen along the normal.
struct Outline {
  int count;
  double least_area2;  // of triangles: what is thinner is a line
  double x[kMostPoints], y[kMostPoints];

  TORSOR_HD Outline(const ManifoldPoint* points, int number, const Vec& n, double size)
      : count(number < kMostPoints ? number : kMostPoints), least_area2(kSamePoint * size * size) {
    const Vec u = normalized(cross(n, std::abs(n.x) < 0.6 ? Vec{1, 0, 0} : Vec{0, 1, 0})), v = cross(n, u);
    for (int i = 0; i < count; ++i) x[i] = dot(u, points[i].pos_F), y[i] = dot(v, points[i].pos_F);
  }
  // Twice the area of the triangle, positive if k is to the left of the line from i to j.
  TORSOR_HD double area2(int i, int j, int k) const {
    return (x[j] - x[i]) * (y[k] - y[i]) - (x[k] - x[i]) * (y[j] - y[i]);
  }
  TORSOR_HD double distance2(int i, int j) const {
    const double dx = x[j] - x[i], dy = y[j] - y[i];
    return dx * dx + dy * dy;
  }
};

// A diagonal, and the corners on both sides of it; without area, there are none.
struct Quadrilateral {
  int from = 0, to = 0;
  int side[2] = {-1, -1};
  double area2 = 0;
};

TORSOR_HD inline Quadrilateral widest_around(const Outline& outline, int from, int to) {
  Quadrilateral found{from, to};
  double most[2] = {outline.least_area2, outline.least_area2};
  for (int j = 0; j < outline.count; ++j) {
    const double area2 = outline.area2(from, to, j);
    const int side = area2 < 0;
    if (std::abs(area2) > most[side] * (1 + kTied)) most[side] = std::abs(area2), found.side[side] = j;
  }
  for (int side = 0; side < 2; ++side)
    if (found.side[side] >= 0) found.area2 += most[side];
  return found;
}

TORSOR_HD inline Quadrilateral widest_from(const Outline& outline, int from) {
  Quadrilateral best{from, from};
  for (int to = 0; to < outline.count; ++to) {
    if (to == from) continue;
    const Quadrilateral next = widest_around(outline, from, to);
    if (next.area2 > best.area2 * (1 + kTied)) best = next;
  }
  return best;
}

// Of corners in order, i < j < k < l, the diagonal from i to k has j on one side and l on the other.
TORSOR_HD inline Quadrilateral widest(const Outline& outline) {
  const int count = outline.count;
  const auto furthest = [&](int from, int to, int begin, int end) {
    double most = 0;
    for (int j = begin; j < end; ++j) most = std::max(most, std::abs(outline.area2(from, to, j)));
    return most;
  };
  int from = 0, to = 0;
  double most = 0;
  for (int i = 0; i + 3 < count; ++i)
    for (int k = i + 2; k + 1 < count; ++k) {
      const double area2 = furthest(i, k, i + 1, k) + furthest(i, k, k + 1, count);
      if (area2 > most * (1 + kTied)) most = area2, from = i, to = k;
    }
  return widest_around(outline, from, to);
}

TORSOR_HD inline int furthest_from(const Outline& outline, int from) {
  int furthest = from;
  for (int i = 0; i < outline.count; ++i)
    if (outline.distance2(from, i) > outline.distance2(from, furthest) * (1 + kTied)) furthest = i;
  return furthest;
}

// The first of the deepest; -1 if all points are equally deep and many enough for a choice.
TORSOR_HD inline int find_deepest(const ManifoldPoint* points, int count, double same) {
  double least = INFINITY, most = -INFINITY;
  for (int i = 0; i < count; ++i) least = std::min(least, points[i].dist), most = std::max(most, points[i].dist);
  if (most <= least + same && count > kManifoldPoints && count <= kTryAllStarts) return -1;
  int first = 0;
  while (first + 1 < count && !(points[first].dist <= least + same)) ++first;
  return first;
}

// All of them, from the deepest on, without points that coincide.
TORSOR_HD inline int keep_distinct(const ManifoldPoint* points, int count, double same, ManifoldPoint* out) {
  const int deepest = find_deepest(points, count, same);
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    const ManifoldPoint& point = points[deepest + i < count ? deepest + i : deepest + i - count];
    bool is_new = true;
    for (int k = 0; k < kept; ++k) is_new &= norm2(point.pos_F - out[k].pos_F) > same * same;
    if (is_new || kept == 0) out[kept++] = point;
  }
  return kept;
}

}  // namespace spreads

TORSOR_APART int choose_spread(const ManifoldPoint* points, int count, const Vec3<double>& n, double size,
                               ManifoldPoint* out) {
  using namespace spreads;
  if (count == 0) return 0;
  if (count <= kManifoldPoints) return keep_distinct(points, count, kSamePoint * size, out);
  const Outline outline(points, count, n, size);
  const int deepest = find_deepest(points, outline.count, kSamePoint * size);
  Quadrilateral best = deepest >= 0 ? widest_from(outline, deepest) : widest(outline);
  if (!(best.area2 > 0)) best.to = furthest_from(outline, best.from);
  out[0] = points[best.from];
  if (!(outline.distance2(best.from, best.to) > kSamePoint * kSamePoint * size * size)) return 1;
  out[1] = points[best.to];
  int kept = 2;
  for (const int side : best.side)
    if (side >= 0) out[kept++] = points[side];
  return kept;
}

}  // namespace torsor
