// The axes of a contact: its normal and two tangents, whose choice is arbitrary.
#pragma once

#include <cmath>

#include "torsor/contact/shape.hpp"

namespace torsor {

// A unit tangent near `wish`; if that is zero, near y, or near z if the normal is close to y.
inline Vec3<double> choose_tangent(const Vec3<double>& normal, const Vec3<double>& wish) {
  const auto beside_normal = [&normal](const Vec3<double>& v) { return v - normal * dot(normal, v); };
  const Vec3<double> wished = beside_normal(wish);
  const double length2 = norm2(wished);
  if (length2 >= kMinNorm<double> * kMinNorm<double>) return wished * (1 / std::sqrt(length2));
  const bool along_y = std::abs(normal.y) >= 0.5;
  const Vec3<double> tangent = beside_normal({0, along_y ? 0.0 : 1.0, along_y ? 1.0 : 0.0});
  return tangent * (1 / norm(tangent));
}

// Rows: normal, first tangent, and the second tangent of a right-handed frame.
inline void store_frame(const ContactPoint& point, double* frame) {
  const Vec3<double> tangent = choose_tangent(point.normal_W, point.tangent_W);
  store3(frame, point.normal_W);
  store3(frame + 3, tangent);
  store3(frame + 6, cross(point.normal_W, tangent));
}

}  // namespace torsor
