// The shortest path of a tendon between two points around a sphere or a cylinder, or against the inside of one.
#pragma once

#include "torsor/math/mat3.hpp"

namespace torsor {

// A sphere, or a cylinder without ends along its z axis.
struct WrapObject {
  Vec3<double> p_WoGo_W;
  Mat3<double> R_WG;
  double radius;
  bool is_cylinder;
};

struct WrapPath {
  bool touches = false;        // otherwise the path is straight, and the other members are unspecified
  double arc = 0;              // length between the two points
  Vec3<double> first, second;  // where the path meets the surface and where it leaves it, in W
};

// `side_W` is null, or a point that says on which side the path passes; one inside the object makes the path touch the
// surface from within.
WrapPath wrap_around(const WrapObject& object, const Vec3<double>& from_W, const Vec3<double>& to_W,
                     const Vec3<double>* side_W);

}  // namespace torsor
