// The feature of a convex shape that faces a direction: a polygon, a line, or only a point.
#pragma once

#include <algorithm>
#include <cmath>

#include "torsor/contact/support.hpp"
#include "torsor/geometry/flat_side.hpp"
#include "torsor/model/hull_tables.hpp"

namespace torsor {

inline constexpr int kFeatureCorners = kSideCorners;

struct Feature {
  int count = 0;        // 2: a line, 3 and more: a polygon, its corners in order
  Vec3<double> normal;  // of a polygon, outward
  Vec3<double> p[kFeatureCorners];
};

// The flat side of a hull, at one of its corners, that looks most along the unit vector d_G.
struct HullFace {
  TORSOR_HD HullFace() {}
  HullFace(const HullFace&) = delete;
  HullFace& operator=(const HullFace&) = delete;

  int count = 0;  // of corners; fewer than 3: there is none
  const int* corner = nullptr;
  Vec3<double> normal_G;  // unit, outward
  FlatSide own;           // the corners, for hulls without tables
};
TORSOR_HD void find_hull_face(const HullView& hull, const Vec3<double>& d_G, int corner, double least_cosine,
                              HullFace& out);

// The feature of `part` that faces along the unit vector d_F. In F, on the surface. `corner`: of a hull, the furthest
// one along d_F if that is known, else -1.
TORSOR_HD void find_feature(ConvexPart& part, const Vec3<double>& d_F, Feature& out, int corner = -1);

namespace features {

using Vec = Vec3<double>;

// Five degrees: a face or line at a larger angle does not count.
constexpr double kFacing = 0.996;      // cosine
constexpr double kAlongside = 0.0872;  // sine
constexpr int kDiscCorners = 16;
constexpr double kLevel = 1e-6;  // sine between an edge and the plane at right angles to the direction: both ends count
constexpr double kTie = 1e-9;    // cosines that differ less are equal

TORSOR_HD inline void add_line(Feature& out, const Vec& p, const Vec& q) { out.count = 2, out.p[0] = p, out.p[1] = q; }

// Corners on the rim, one of them where it is furthest along d.
TORSOR_HD inline void add_disc(Feature& out, const Vec& d_G, double radius, double z) {
  constexpr int kFourth = kDiscCorners / 4;
  // cosines of the angles between them, for a quarter of the rim
  constexpr double kQuarter[kFourth + 1] = {1, 0.92387953251128674, 0.70710678118654752, 0.38268343236508977, 0};
  const double across = std::hypot(d_G.x, d_G.y);
  const double x = across > 1e-12 ? d_G.x / across : 1, y = across > 1e-12 ? d_G.y / across : 0;
  out.count = kDiscCorners, out.normal = {0, 0, z > 0 ? 1.0 : -1.0};
  for (int i = 0; i < kFourth; ++i) {
    const double c = radius * kQuarter[i], s = radius * kQuarter[kFourth - i];
    const double u = c * x - s * y, v = c * y + s * x;
    out.p[i] = {u, v, z}, out.p[i + kFourth] = {-v, u, z};
    out.p[i + 2 * kFourth] = {-u, -v, z}, out.p[i + 3 * kFourth] = {v, -u, z};
  }
}

// The edge most across d, at the corner furthest along d.
TORSOR_HD inline void box_edge(Feature& out, const Vec& d, const double* size, int along) {
  Vec corner{std::copysign(size[0], d.x), std::copysign(size[1], d.y), std::copysign(size[2], d.z)};
  if (std::abs(d[along]) > kAlongside) return;
  const Vec one = corner;
  corner[along] = -corner[along];
  add_line(out, one, corner);
}

TORSOR_HD inline void box_feature(Feature& out, const Vec& d, const double* size) {
  const double x = std::abs(d.x), y = std::abs(d.y), z = std::abs(d.z);
  const int i = x >= y && x >= z ? 0 : y >= z ? 1 : 2, j = (i + 1) % 3, k = (i + 2) % 3;
  if (std::abs(d[i]) < kFacing) return box_edge(out, d, size, x <= y && x <= z ? 0 : y <= z ? 1 : 2);
  const double side = d[i] > 0 ? 1 : -1;
  out.count = 4, out.normal = Vec::zero();
  out.normal[i] = side;
  for (int c = 0; c < 4; ++c) {
    out.p[c][i] = side * size[i];
    out.p[c][j] = c == 0 || c == 3 ? size[j] : -size[j];
    out.p[c][k] = c < 2 ? size[k] : -size[k];
  }
}

TORSOR_HD inline void cylinder_feature(Feature& out, const Vec& d, double radius, double half) {
  if (std::abs(d.z) > kFacing) return add_disc(out, d, radius, std::copysign(half, d.z));
  const double across = std::hypot(d.x, d.y);
  if (std::abs(d.z) > kAlongside) return;
  const double x = radius * d.x / across, y = radius * d.y / across;
  add_line(out, {x, y, -half}, {x, y, half});
}

TORSOR_HD inline void cone_feature(Feature& out, const Vec& d, double radius, double half) {
  if (d.z < -kFacing) return add_disc(out, d, radius, -half);
  const double across = std::hypot(d.x, d.y), slant = std::hypot(radius, 2 * half);
  const double facing = (d.z * radius + across * 2 * half) / slant;
  if (!(facing * facing > 1 - kAlongside * kAlongside) || !(facing > 0) || !(across > 0)) return;
  add_line(out, {0, 0, half}, {radius * d.x / across, radius * d.y / across, -half});
}

TORSOR_HD inline Vec corner_of(const HullView& hull, int i) { return load3<double>(hull.corner + 3 * i); }

TORSOR_HD inline HullCorners corners_of(const HullView& hull) {
  return {hull.count, hull.corner, hull.edge_address, hull.edge_count, hull.edge, hull.face};
}

// The triangle that looks most along d, of those that were looked at.
struct BestTriangle {
  double least;         // cosine
  double facing;        // of the best so far, at first the least
  int face = -1;        // -1: none
  bool is_sole = true;  // no triangle of another side looks along d
  bool has_edge = false;
  Vec normal = Vec::zero();  // unit

  TORSOR_HD explicit BestTriangle(double least_cosine) : least(least_cosine), facing(least_cosine) {}

  TORSOR_HD void look_at(const HullView& hull, const Vec& d, int f) {
    const auto [n, length] = normal_of(hull, f);
    const double along = dot(n, d);
    if (!(along > least * length)) return;
    is_sole &= face < 0 || dot(n, normal) > (1 - 0.5 * kLevel * kLevel) * length;
    if (along > (facing + kTie) * length) facing = along / length, face = f, normal = n * (1 / length);
  }
  // Where an edge at right angles to d is furthest along d, rounding decides which of its ends is called the furthest
  // corner. So a triangle that has the edge comes before one that has only this corner.
  TORSOR_HD void prefer_edges(const HullView& hull, const Vec& d, int f, int corner) {
    const auto [n, length] = normal_of(hull, f);
    if (!(dot(n, d) > least * length) || !has_level_edge(hull, d, f, corner)) return;
    if (!has_edge) *this = BestTriangle(least), has_edge = true;
    look_at(hull, d, f);
  }
  struct Normal {
    Vec n;
    double length;
  };
  TORSOR_HD static Normal normal_of(const HullView& hull, int f) {
    if (hull.side) return {load3(hull.side[f].normal), hull.side[f].length};
    const Vec n = triangle_normal(corners_of(hull), f);
    return {n, norm(n)};
  }
  // As a whole: nothing can be better.
  TORSOR_HD bool is_level() const { return facing > 1 - 0.5 * kLevel * kLevel; }
  TORSOR_HD static bool has_level_edge(const HullView& hull, const Vec& d, int f, int corner) {
    const Vec p = corner_of(hull, corner);
    for (int c = 0; c < 3; ++c) {
      const int other = hull.face[3 * f + c];
      const Vec edge = corner_of(hull, other) - p;
      const double drop = dot(d, edge);
      if (other != corner && drop * drop <= kLevel * kLevel * norm2(edge)) return true;
    }
    return false;
  }
};

// Calls visit(triangle) for those at a corner, in the order in which the hull has them, until it returns false.
template <class Visit>
TORSOR_HD inline void visit_triangles(const HullView& hull, int corner, Visit&& visit) {
  const int* listed = hull.corner_face ? hull.corner_face + hull.edge_address[corner] : nullptr;
  if (listed && hull.edge_count[corner] > 0 && listed[0] >= 0) {
    for (int k = 0; k < hull.edge_count[corner]; ++k)
      if (!visit(listed[k])) return;
    return;
  }
  for (int f = 0; f < hull.face_count; ++f) {
    const int* t = hull.face + 3 * f;
    if ((t[0] == corner || t[1] == corner || t[2] == corner) && !visit(f)) return;
  }
}

TORSOR_HD inline BestTriangle find_triangle(const HullView& hull, const Vec& d, int corner, double least_cosine) {
  BestTriangle best(least_cosine);
  visit_triangles(hull, corner, [&](int f) { return best.look_at(hull, d, f), !best.is_level(); });
  if (best.is_sole || best.is_level()) return best;
  visit_triangles(hull, corner, [&](int f) { return best.prefer_edges(hull, d, f, corner), true; });
  return best;
}

// The edge at the corner that is most across d.
TORSOR_HD inline void hull_edge(Feature& out, const Vec& d, const HullView& hull, int corner) {
  double least = kAlongside;
  const Vec p = corner_of(hull, corner);
  for (int k = 0; k < hull.edge_count[corner]; ++k) {
    const Vec q = corner_of(hull, hull.edge[hull.edge_address[corner] + k]);
    const double length = norm(q - p), along = std::abs(dot(d, q - p));
    if (along < least * length) least = along / length, add_line(out, p, q);
  }
}

TORSOR_HD inline void hull_feature(Feature& out, const Vec& d, const HullView& hull, int corner) {
  HullFace face;
  find_hull_face(hull, d, corner, kFacing, face);
  if (face.count < 3) return hull_edge(out, d, hull, corner);
  out.count = face.count, out.normal = face.normal_G;
  for (int i = 0; i < face.count; ++i) out.p[i] = corner_of(hull, face.corner[i]);
}

// Seen from the side that d points to; else the edge most across d, at the corner furthest along d.
TORSOR_HD inline void triangle_feature(Feature& out, const Vec& d, const Prism& triangle) {
  const Vec* p = triangle.corner;
  const Vec n = normalized(cross(p[1] - p[0], p[2] - p[0]));
  const double facing = dot(n, d);
  if (std::abs(facing) > kFacing) {
    out.count = 3, out.normal = facing > 0 ? n : -n;
    std::copy_n(p, 3, out.p);
    return;
  }
  double highest = -INFINITY;
  for (int i = 0; i < 3; ++i) {
    const Vec &q = p[i], &r = p[(i + 1) % 3];
    const double slope = std::abs(dot(d, r - q)), height = dot(d, q + r);
    if (slope < kAlongside * norm(r - q) && height > highest) highest = height, add_line(out, q, r);
  }
}

}  // namespace features

TORSOR_APART void find_hull_face(const HullView& hull, const Vec3<double>& d, int corner, double least_cosine,
                                 HullFace& out) {
  using namespace features;
  const BestTriangle best = find_triangle(hull, d, corner, least_cosine);
  if (best.face < 0) return;
  out.normal_G = best.normal;
  if (hull.side) {
    out.count = hull.side[best.face].count, out.corner = hull.side_corner + hull.side[best.face].first;
  } else {
#if !defined(__CUDA_ARCH__)  // hulls on devices have tables
    out.own = find_flat_side(corners_of(hull), best.face);
    out.count = out.own.count, out.corner = out.own.corner;
#endif
  }
}

TORSOR_APART void find_feature(ConvexPart& part, const Vec3<double>& d_F, Feature& out, int corner) {
  using namespace features;
  const Vec d = transposed_mul(part.R_FG, d_F);
  out.count = 0;
  switch (part.type) {
    case GeomType::kBox:
      box_feature(out, d, part.size);
      break;
    case GeomType::kCylinder:
      cylinder_feature(out, d, part.size[0], part.size[1]);
      break;
    case GeomType::kCapsule:
      if (std::abs(d.z) <= kAlongside) add_line(out, {0, 0, -part.size[1]}, {0, 0, part.size[1]});
      break;
    case GeomType::kCone:
      cone_feature(out, d, part.size[0], part.size[1]);
      break;
    case GeomType::kMesh:
      hull_feature(out, d, *part.hull, corner >= 0 ? corner : part.furthest_corner(d));
      break;
    case GeomType::kHfield:
      if (part.prism->count == 3) triangle_feature(out, d, *part.prism);
      break;
    default:
      break;
  }
  out.normal = part.R_FG * out.normal;
  for (int i = 0; i < out.count; ++i) out.p[i] = part.to_F(out.p[i]) + d_F * part.radius;
}

}  // namespace torsor
