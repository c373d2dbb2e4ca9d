// Converts coordinates of hinges, slides and ball joints between ours and those of a row. Ours are MuJoCo's: a
// displacement from the reference pose (its `ref` is added in qpos), and for a ball joint the rotation of the child
// body from that pose, with its angular velocity in the child's axes.
#pragma once

#include "torsor/convention/rigid.hpp"

namespace torsor {

// Factor from our velocity to the row's.
constexpr double scalar_factor(const Row& row, bool is_hinge) {
  if (!is_hinge) return 1 / row.length;
  return row.angle == AngleUnit::kDegree ? 1 / kRadiansPerDegree : 1.0;
}
// Factor from our force on a hinge or slide to the row's: dual to the velocity, unless the row's moments are per
// another unit of angle (USD and Ptera: degrees, but newton metres).
constexpr double scalar_force_factor(const Row& row, bool is_hinge) {
  if (!is_hinge || row.wrench.angle == AngleUnit::kUnspecified) return 1 / scalar_factor(row, is_hinge);
  return row.wrench.angle == AngleUnit::kDegree ? kRadiansPerDegree : 1.0;
}
// The coordinate in the reference pose, in our unit.
constexpr double scalar_offset(const Row& row, double ref) { return row.zero == JointZero::kReference ? ref : 0.0; }

// A ball joint whose child anchor is rotated by q_BA relative to the child body. The row's rotation is that of the
// child anchor in the parent anchor if its poses are of anchors, else ours.
template <class T>
TORSOR_INLINE Quat<T> to_row_ball(const Row& row, const Quat<T>& q_BA, const Quat<T>& q) {
  const Quat<T> r = row.ball == Frame::kParent ? conj(q_BA) * q * q_BA : q;
  return to_axes(row.body, row.body, r);
}
template <class T>
TORSOR_INLINE Quat<T> from_row_ball(const Row& row, const Quat<T>& q_BA, const Quat<T>& r_row) {
  const Quat<T> r = from_axes(row.body, row.body, r_row);
  return row.ball == Frame::kParent ? q_BA * r * conj(q_BA) : r;
}

// Angular velocity or torque, which convert alike. q in our form.
template <class T>
TORSOR_INLINE Vec3<T> to_row_ball_rate(const Row& row, const Quat<T>& q_BA, const Quat<T>& q, const Vec3<T>& w_B) {
  const Vec3<T> w = row.ball == Frame::kParent ? rotate_inverse(q_BA, rotate(q, w_B)) : w_B;
  return to_axes_pseudo(row.body, w);
}
template <class T>
TORSOR_INLINE Vec3<T> from_row_ball_rate(const Row& row, const Quat<T>& q_BA, const Quat<T>& q, const Vec3<T>& w_row) {
  const Vec3<T> w = from_axes_pseudo(row.body, w_row);
  return row.ball == Frame::kParent ? rotate_inverse(q, rotate(q_BA, w)) : w;
}

}  // namespace torsor
