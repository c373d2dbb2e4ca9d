// Convex shapes for GJK and EPA: a core with a support function (the furthest point in a direction), and a radius
// around it.
#pragma once

#include <cmath>

#include "torsor/contact/shape.hpp"

namespace torsor {

// The part of a height field between a triangle of its surface and the bottom; with three corners, just a triangle.
struct Prism {
  Vec3<double> corner[6];
  int count = 6;
};

// A shape without its pose and its radius.
struct Core {
  // The point that is furthest along d_G.
  Vec3<double> furthest_in_own_frame(const Vec3<double>& d_G) const;

  GeomType type;  // kHfield: a prism or a triangle
  const double* size = nullptr;
  const HullView* hull = nullptr;
  const Prism* prism = nullptr;
};
Core core_of(const Shape& shape);
double core_radius(const Shape& shape);  // around the core

// F is the frame in which two parts meet: that of the first one.
class ConvexPart : public Core {
 public:
  ConvexPart(const Shape& shape, const Mat3<double>& R_FG, const Vec3<double>& p_FoGo_F);
  ConvexPart(const Prism& prism, const Mat3<double>& R_FG, const Vec3<double>& p_FoGo_F);

  // The point of the core that is furthest along d_F, of any length.
  Vec3<double> furthest(const Vec3<double>& d_F) const {
    const Vec3<double> p_G = is_first_ ? furthest_in_own_frame(d_F) : furthest_in_own_frame(transposed_mul(R_FG, d_F));
    return is_first_ ? p_G : p_FoGo_F + R_FG * p_G;
  }
  Vec3<double> furthest_in_own_frame(const Vec3<double>& d_G) const {
    if (type != GeomType::kMesh || !hull->cell_block) return Core::furthest_in_own_frame(d_G);
    Vec3<double> p_G;
    hull->kernels->find_listed(*hull, &d_G.x, &p_G.x);
    return p_G;
  }
  int furthest_corner(const Vec3<double>& d_G) const;  // of a hull that has some
  Vec3<double> to_F(const Vec3<double>& p_G) const { return p_FoGo_F + R_FG * p_G; }
  bool is_round() const { return type == GeomType::kSphere || type == GeomType::kEllipsoid; }

  Mat3<double> R_FG;
  Vec3<double> p_FoGo_F;
  double radius = 0;  // around the core

 private:
  bool is_first_;
};

}  // namespace torsor
