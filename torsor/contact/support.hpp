// Convex shapes for GJK and EPA: a core with a support function (the furthest point in a direction), and a radius
// around it. Cores that are apart need no EPA, so a radius makes shallow contacts cheap.
#pragma once

#include <algorithm>
#include <cmath>

#include "torsor/contact/hull_search.hpp"
#include "torsor/contact/shape.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// The part of a height field between a triangle of its surface and the bottom; with three corners, just a triangle.
struct Prism {
  Vec3<double> corner[6];
  int count = 6;
};

// A shape without its pose and its radius.
struct Core {
  // The point that is furthest along d_G.
  TORSOR_HD Vec3<double> furthest_in_own_frame(const Vec3<double>& d_G) const;

  GeomType type;  // kHfield: a prism or a triangle
  const double* size = nullptr;
  const HullView* hull = nullptr;
  const Prism* prism = nullptr;
  double inset = 0;  // of an ellipsoid, see ConvexPart::shrink(): how far its surface is around the core
};
TORSOR_HD Core core_of(const Shape& shape);
TORSOR_HD double core_radius(const Shape& shape);  // around the core

// F is the frame in which two parts meet: that of the first one.
class ConvexPart : public Core {
 public:
  TORSOR_HD ConvexPart(const Shape& shape, const Mat3<double>& R_FG, const Vec3<double>& p_FoGo_F);
  TORSOR_HD ConvexPart(const Prism& prism, const Mat3<double>& R_FG, const Vec3<double>& p_FoGo_F);

  // The point of the core that is furthest along d_F, of any length.
  TORSOR_HD Vec3<double> furthest(const Vec3<double>& d_F) const {
    return place(furthest_in_own_frame(turn_to_own(d_F)));
  }
  // A direction in the own frame, and back; a point of that frame in F.
  TORSOR_HD Vec3<double> turn_to_own(const Vec3<double>& d_F) const {
    return is_first_ ? d_F : transposed_mul(R_FG, d_F);
  }
  TORSOR_HD Vec3<double> turn_to_F(const Vec3<double>& d_G) const { return is_first_ ? d_G : R_FG * d_G; }
  TORSOR_HD Vec3<double> place(const Vec3<double>& p_G) const { return is_first_ ? p_G : to_F(p_G); }
  TORSOR_HD Vec3<double> furthest_in_own_frame(const Vec3<double>& d_G) const {
    if (type != GeomType::kMesh || !hull->cell_block) return Core::furthest_in_own_frame(d_G);
    Vec3<double> p_G;
    find_listed(*hull, &d_G.x, &p_G.x);
    return p_G;
  }
  TORSOR_HD int furthest_corner(const Vec3<double>& d_G) const;  // of a hull that has some
  TORSOR_HD Vec3<double> to_F(const Vec3<double>& p_G) const { return p_FoGo_F + R_FG * p_G; }
  // An ellipsoid becomes a smaller core with a radius, so that shallow contacts with a round shape need no EPA.
  TORSOR_HD void shrink();
  TORSOR_HD bool is_round() const { return type == GeomType::kSphere || type == GeomType::kEllipsoid; }

  Mat3<double> R_FG;
  Vec3<double> p_FoGo_F;
  double radius = 0;  // around the core

 private:
  bool is_first_;
};

// Two shapes that meet; F is the frame of the first.
TORSOR_HD ConvexPart first_part(const Shape& a, const Shape& b);
TORSOR_HD ConvexPart second_part(const Shape& a, const Shape& b);

namespace supports {

using Vec = Vec3<double>;

TORSOR_HD inline bool is_identity(const Mat3<double>& R, const Vec& p) {
  return R.m[0] == 1 && R.m[4] == 1 && R.m[8] == 1 && p.x == 0 && p.y == 0 && p.z == 0;
}

TORSOR_HD inline Vec rim_point(const Vec& d, double radius, double z) {
  const double across = std::sqrt(d.x * d.x + d.y * d.y);
  const double scale = across > 0 ? radius / across : 0;
  return {d.x * scale, d.y * scale, z};
}

// The radius of the largest ball that rolls around inside an ellipsoid: as sharp as its sharpest curve (Blaschke 1916).
TORSOR_HD inline double sharpest_radius(const double* radii) {
  const double least = std::min({radii[0], radii[1], radii[2]}), most = std::max({radii[0], radii[1], radii[2]});
  return most > 0 ? least * least / most : 0;
}
// What is left of an ellipsoid without a ball that is smaller than that one is convex, with the support point
// p - inset * d / |d|.
TORSOR_HD inline Vec ellipsoid_point(const Vec& d, const Vec& radii, double inset) {
  const Vec scaled = hadamard(radii, d);
  const double length = norm(scaled);
  if (!(length > 0)) return {0, 0, radii.z - inset};
  return hadamard(radii, scaled) * (1 / length) - d * (inset / norm(d));
}

TORSOR_HD inline Vec cone_point(const Vec& d, double radius, double half) {
  const Vec rim = rim_point(d, radius, -half), apex{0, 0, half};
  return dot(d, apex) >= dot(d, rim) ? apex : rim;
}

TORSOR_HD inline Vec prism_point(const Vec& d, const Prism& prism) {
  int best = 0;
  double furthest = dot(d, prism.corner[0]);
  for (int i = 1; i < prism.count; ++i) {
    const double along = dot(d, prism.corner[i]);
    if (along > furthest) furthest = along, best = i;
  }
  return prism.corner[best];
}

// The furthest corner, of equals the first, and where it is.
struct FurthestCorner {
  int index = 0;
  Vec p_G;

  TORSOR_HD FurthestCorner(const HullView& hull, const Vec& d) {
    if (hull.cell_block) {
      index = find_listed(hull, &d.x, &p_G.x);
      return;
    }
    if (hull.position)
      index = find_highest(hull, &d.x);
    else
      look_at_all(hull, d);
    p_G = load3<double>(hull.corner + 3 * index);
  }
  TORSOR_HD void look_at_all(const HullView& hull, const Vec& d) {
    const float* at = hull.corner;
    double highest = -INFINITY;
    for (int i = 0; i < hull.count; ++i, at += 3) {
      const double height = d.x * at[0] + d.y * at[1] + d.z * at[2];
      if (height > highest) highest = height, index = i;
    }
  }
};

}  // namespace supports

TORSOR_HD inline Core core_of(const Shape& shape) { return {shape.type, shape.size, shape.hull, nullptr}; }

TORSOR_HD inline double core_radius(const Shape& shape) {
  return shape.type == GeomType::kSphere || shape.type == GeomType::kCapsule ? shape.size[0] : 0;
}

TORSOR_HD inline ConvexPart::ConvexPart(const Shape& shape, const Mat3<double>& R, const Vec3<double>& p)
    : Core(core_of(shape)), R_FG(R), p_FoGo_F(p), radius(core_radius(shape)), is_first_(supports::is_identity(R, p)) {}

TORSOR_HD inline ConvexPart::ConvexPart(const Prism& shape, const Mat3<double>& R, const Vec3<double>& p)
    : Core{GeomType::kHfield, nullptr, nullptr, &shape}, R_FG(R), p_FoGo_F(p), is_first_(supports::is_identity(R, p)) {}

TORSOR_HD inline int ConvexPart::furthest_corner(const Vec3<double>& d) const {
  using namespace supports;
  return FurthestCorner(*hull, d).index;
}

TORSOR_HD inline void ConvexPart::shrink() {
  // half of the ball: the whole one would leave sharp ends
  if (type == GeomType::kEllipsoid) radius = inset = 0.5 * supports::sharpest_radius(size);
}

namespace supports {

// Against flat sides and edges, the search for a distance would come nearer too slowly.
TORSOR_HD inline ConvexPart shrunk(ConvexPart part, const Shape& a, const Shape& b) {
  if (a.type == GeomType::kEllipsoid && b.type == GeomType::kEllipsoid) part.shrink();
  return part;
}

}  // namespace supports

TORSOR_HD inline ConvexPart first_part(const Shape& a, const Shape& b) {
  return supports::shrunk(ConvexPart(a, Mat3<double>::identity(), Vec3<double>::zero()), a, b);
}
TORSOR_HD inline ConvexPart second_part(const Shape& a, const Shape& b) {
  const Mat3<double> R_WF = load9(a.R_WG);
  return supports::shrunk(
      ConvexPart(b, transposed_mul(R_WF, load9(b.R_WG)), transposed_mul(R_WF, b.p_WoGo_W - a.p_WoGo_W)), a, b);
}

TORSOR_APART Vec3<double> Core::furthest_in_own_frame(const Vec3<double>& d) const {
  using namespace supports;
  switch (type) {
    case GeomType::kCapsule:
      return {0, 0, std::copysign(size[1], d.z)};
    case GeomType::kEllipsoid:
      return ellipsoid_point(d, load3(size), inset);
    case GeomType::kCylinder:
      return rim_point(d, size[0], std::copysign(size[1], d.z));
    case GeomType::kBox:
      return {std::copysign(size[0], d.x), std::copysign(size[1], d.y), std::copysign(size[2], d.z)};
    case GeomType::kCone:
      return cone_point(d, size[0], size[1]);
    case GeomType::kMesh:
      return FurthestCorner(*hull, d).p_G;
    case GeomType::kHfield:
      return prism_point(d, *prism);
    default:
      return Vec3<double>::zero();
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
