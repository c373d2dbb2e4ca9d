// A plane against one point.
#pragma once

#include "torsor/contact/shape.hpp"

namespace torsor {

// A point of the other shape against the plane.
TORSOR_HD inline int touch_plane_point(const Shape& plane, const Vec3<double>& p_WoP_W, double margin,
                                       ContactPoint* out) {
  const Vec3<double> normal = plane.axis(2);
  const double dist = dot(normal, p_WoP_W - plane.p_WoGo_W);
  if (dist > margin) return 0;  // false for NaN, so that bad numbers reach the forces and are noticed
  *out = {dist, p_WoP_W - normal * (0.5 * dist), normal, Vec3<double>::zero()};
  return 1;
}

}  // namespace torsor
