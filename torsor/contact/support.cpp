// Furthest points of the shapes.
#include "torsor/contact/support.hpp"

#include <algorithm>

#include "torsor/model/hull_tables.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// Hulls with fewer corners, or without known edges, are looked at corner by corner: a walk waits for one corner after
// the other. A walk that starts where it is likely to end is quicker sooner.
constexpr int kClimbFrom = 128, kClimbOnFrom = 20;

bool is_identity(const Mat3<double>& R, const Vec& p) {
  return R.m[0] == 1 && R.m[4] == 1 && R.m[8] == 1 && p.x == 0 && p.y == 0 && p.z == 0;
}

Vec rim_point(const Vec& d, double radius, double z) {
  const double across = std::sqrt(d.x * d.x + d.y * d.y);
  const double scale = across > 0 ? radius / across : 0;
  return {d.x * scale, d.y * scale, z};
}

Vec ellipsoid_point(const Vec& d, const Vec& radii) {
  const Vec scaled = hadamard(radii, d);
  const double length = norm(scaled);
  return length > 0 ? hadamard(radii, scaled) * (1 / length) : Vec{0, 0, radii.z};
}

Vec cone_point(const Vec& d, double radius, double half) {
  const Vec rim = rim_point(d, radius, -half), apex{0, 0, half};
  return dot(d, apex) >= dot(d, rim) ? apex : rim;
}

Vec prism_point(const Vec& d, const Prism& prism) {
  int best = 0;
  double furthest = dot(d, prism.corner[0]);
  for (int i = 1; i < prism.count; ++i) {
    const double along = dot(d, prism.corner[i]);
    if (along > furthest) furthest = along, best = i;
  }
  return prism.corner[best];
}

// The entry of mesh_hullextrema whose direction is nearest to d.
int extreme_entry(const Vec& d) {
  const double level = 0.4 * std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
  const auto step = [level](double x) { return x > level ? 2 : x < -level ? 0 : 1; };
  return 9 * step(d.x) + 3 * step(d.y) + step(d.z);
}

// As HullKernels::climb, for hulls without positions of neighbours.
int climb_plainly(const HullView& hull, const Vec& d, int corner, double height) {
  for (int from = -1; from != corner;) {
    from = corner;
    const int* edge = hull.edge + hull.edge_address[from];
    for (int k = 0; k < hull.edge_count[from]; ++k) {
      const double higher = dot(d, load3<double>(hull.corner + 3 * edge[k]));
      if (higher > height) height = higher, corner = edge[k];
    }
  }
  return corner;
}

// Uphill along edges: on a convex shape the first corner without a higher neighbour is the highest.
int furthest_corner_of(const HullView& hull, const Vec& d, int start) {
  const float* corner = hull.corner;
  const auto along = [&](int i) { return d.x * corner[3 * i] + d.y * corner[3 * i + 1] + d.z * corner[3 * i + 2]; };
  int best = 0;
  if (hull.count < kClimbFrom || !hull.edge) {
    if (hull.position && hull.count < kClimbFrom) return hull.kernels->find_highest(hull.position, hull.count, &d.x);
    double highest = along(0);
    for (int i = 1; i < hull.count; ++i) {
      const double height = along(i);
      if (height > highest) highest = height, best = i;
    }
    return best;
  }
  best = hull.start ? hull.start[start_of_search(&d.x)] : hull.extrema[extreme_entry(d)];
  double highest = along(best);
  if (start >= 0) {
    const double height = along(start);
    if (height > highest) best = start, highest = height;
  }
  return hull.kernels ? hull.kernels->climb(hull, &d.x, best, highest) : climb_plainly(hull, d, best, highest);
}

}  // namespace

Core core_of(const Shape& shape) { return {shape.type, shape.size, shape.hull, nullptr}; }

double core_radius(const Shape& shape) {
  return shape.type == GeomType::kSphere || shape.type == GeomType::kCapsule ? shape.size[0] : 0;
}

ConvexPart::ConvexPart(const Shape& shape, const Mat3<double>& R, const Vec& p)
    : Core(core_of(shape)), R_FG(R), p_FoGo_F(p), radius(core_radius(shape)), is_first_(is_identity(R, p)) {}

ConvexPart::ConvexPart(const Prism& shape, const Mat3<double>& R, const Vec& p)
    : Core{GeomType::kHfield, nullptr, nullptr, &shape}, R_FG(R), p_FoGo_F(p), is_first_(is_identity(R, p)) {}

double reach_of_hull(const HullView& hull, const Vec& d, int& corner) {
  if (hull.kernels && hull.count >= kClimbOnFrom && corner >= 0 && corner < hull.count)
    corner = hull.kernels->climb(hull, &d.x, corner, dot(d, load3<double>(hull.corner + 3 * corner)));
  else
    corner = furthest_corner_of(hull, d, -1);
  return dot(d, load3<double>(hull.corner + 3 * corner));
}

int ConvexPart::furthest_corner(const Vec& d) { return corner_ = furthest_corner_of(*hull, d, corner_); }

Vec Core::furthest_in_own_frame(const Vec& d, int& corner) const {
  switch (type) {
    case GeomType::kCapsule:
      return {0, 0, std::copysign(size[1], d.z)};
    case GeomType::kEllipsoid:
      return ellipsoid_point(d, load3(size));
    case GeomType::kCylinder:
      return rim_point(d, size[0], std::copysign(size[1], d.z));
    case GeomType::kBox:
      return {std::copysign(size[0], d.x), std::copysign(size[1], d.y), std::copysign(size[2], d.z)};
    case GeomType::kCone:
      return cone_point(d, size[0], size[1]);
    case GeomType::kMesh:
      corner = furthest_corner_of(*hull, d, corner);
      return load3<double>(hull->corner + 3 * corner);
    case GeomType::kHfield:
      return prism_point(d, *prism);
    default:
      return Vec::zero();
  }
}

}  // namespace torsor
