// Rates of quaternions, and the rotation to a given direction, for programs that use the engine.
#pragma once

#include <cmath>

#include "torsor/math/quat.hpp"

namespace torsor {

// The product with a vector as a quaternion without a scalar.
inline Quat<double> times_vector(const Quat<double>& q, const Vec3<double>& v) {
  return q * Quat<double>{0, v.x, v.y, v.z};
}

// The rate of q_WB at an angular velocity in W's axes; not of unit length.
inline Quat<double> quat_rate(const Quat<double>& q_WB, const Vec3<double>& w_W) {
  const Quat<double> twice = Quat<double>{0, w_W.x, w_W.y, w_W.z} * q_WB;
  return {0.5 * twice.w, 0.5 * twice.x, 0.5 * twice.y, 0.5 * twice.z};
}

// The smallest turn that takes the z axis to a direction of any length; about x when the direction is -z, none for
// zero.
inline Quat<double> quat_z_to(const Vec3<double>& direction) {
  const double length = norm(direction);
  if (!(length >= 1e-15)) return {1, 0, 0, 0};
  const Vec3<double> d = direction * (1 / length), axis{-d.y, d.x, 0};  // z x d
  const double sine = norm(axis);
  if (sine < 1e-10) return d.z < 0 ? Quat<double>{0, 1, 0, 0} : Quat<double>{1, 0, 0, 0};
  return from_axis_angle(axis * (1 / sine), std::atan2(sine, d.z));
}

}  // namespace torsor
