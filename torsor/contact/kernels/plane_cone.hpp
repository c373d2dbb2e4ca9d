// A plane against shapes with a round base.
#pragma once

#include <cmath>

#include "torsor/contact/kernels/plane_point.hpp"

namespace torsor {

// Four points of a round base: the lowest, two more a third of a turn away so that it can stand, and `top`, which lies
// straight above the lowest.
TORSOR_HD inline int touch_round_base(const Shape& plane, const Vec3<double>& base, const Vec3<double>& lowest,
                                      const Vec3<double>& sideways, const Vec3<double>& top, double margin,
                                      ContactPoint* out) {
  int count = touch_plane_point(plane, base + lowest, margin, out);
  if (count == 0) return 0;
  count += touch_plane_point(plane, top, margin, out + count);
  for (const double side : {1.0, -1.0}) {
    const Vec3<double> rim = base - lowest * 0.5 + sideways * (side * std::sqrt(0.75));
    count += touch_plane_point(plane, rim, margin, out + count);
  }
  return count;
}

// The direction across `axis` of steepest descent, and the one at right angles to both; arbitrary if all are level.
struct Rim {
  Vec3<double> down, sideways;

  TORSOR_HD Rim(const Vec3<double>& normal, const Shape& shape, const Vec3<double>& axis) {
    const Vec3<double> descent = axis * dot(normal, axis) - normal;
    const double length = norm(descent);
    down = length < 1e-12 ? shape.axis(0) : descent * (1 / length);
    sideways = cross(down, axis);
  }
};

// On its base, as a cylinder; on its apex, one point; on its side, both ends of the line that touches.
TORSOR_HD inline int touch_plane_cone(const Shape& plane, const Shape& cone, double margin, ContactPoint* out) {
  const Vec3<double> normal = plane.axis(2), axis = cone.axis(2);
  const double radius = cone.size[0], half = cone.size[1];
  const Rim rim(normal, cone, -axis);
  const Vec3<double> base = cone.p_WoGo_W - axis * half, apex = cone.p_WoGo_W + axis * half, lowest = rim.down * radius;
  if (dot(normal, apex) < dot(normal, base + lowest)) {
    const int count = touch_plane_point(plane, apex, margin, out);
    return count == 0 ? 0 : count + touch_plane_point(plane, base + lowest, margin, out + count);
  }
  return touch_round_base(plane, base, lowest, rim.sideways * radius, apex, margin, out);
}

}  // namespace torsor
