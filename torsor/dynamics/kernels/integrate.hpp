// Moving along velocities: coordinates with quaternions, and the semi-implicit Euler step.
#pragma once

#include "torsor/dynamics/kernels/inertia.hpp"
#include "torsor/dynamics/kernels/passive.hpp"
#include "torsor/dynamics/kernels/plastic.hpp"
#include "torsor/math/quat.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// qpos moves along qvel for a time h; quaternions by the exponential map.
template <class To, class From>
TORSOR_INLINE void integrate_position(const ModelView& model, To qpos, From qvel, const ElementOf<To>& h,
                                      const Range& range) {
  for (int j = range.jnt_begin; j < range.jnt_end; ++j) {
    const auto q = qpos + model.jnt_qposadr[j];
    const auto v = qvel + model.jnt_dofadr[j];
    switch (static_cast<JointType>(model.jnt_type[j])) {
      case JointType::kFree:
        store3(q, load3(q) + load3(v) * h);
        store4(q + 3, integrate(load4(q + 3), load3(v + 3), h));
        break;
      case JointType::kBall:
        store4(q, integrate(load4(q), load3(v), h));
        break;
      case JointType::kSlide:
      case JointType::kHinge:
        q[0] += v[0] * h;
        break;
    }
  }
}

template <class To, class From>
TORSOR_INLINE void integrate_position(const ModelView& model, To qpos, From qvel, const ElementOf<To>& h) {
  integrate_position(model, qpos, qvel, h, whole(model));
}

// The rate of a rotation vector u, the displacement of a quaternion so far, at the angular velocity w in the body's
// axes: u' = w + u x w / 2 + c u x (u x w), c = (1 - t/2 cot t/2) / t^2, t = |u|. [Munthe-Kaas 1998] Angular velocities
// of different orientations cannot be averaged, their rates can. The turn is taken modulo 2 pi, since c has poles
// there.
template <class T>
TORSOR_INLINE Vec3<T> rotation_vector_rate(const Vec3<T>& u, const Vec3<T>& w) {
  const T t = sqrt(norm2(u));
  T s, c;
  sincos(t * T(0.5), s, c);
  const T side = copysign(T(1), c), half = atan2(s * side, c * side), turn = half + half;
  const auto is_small = turn * turn < T(1e-4);
  const T square = select(is_small, T(1), turn * turn), sine = select(is_small, T(1), s * side);
  const T curvature =
      select(is_small, T(1. / 12) + turn * turn * T(1. / 720), (T(1) - half * (c * side) / sine) / square);
  const Vec3<T> v = u * (turn / select(t == T(0), T(1), t)), vw = cross(v, w);
  return w + vw * T(0.5) + cross(v, vw) * curvature;
}

TORSOR_INLINE bool has_quaternion(const ModelView& model, int j) {
  const JointType type = static_cast<JointType>(model.jnt_type[j]);
  return type == JointType::kFree || type == JointType::kBall;
}
// A joint with its dofs, and nothing else.
TORSOR_INLINE Range joint_alone(const ModelView& model, int j) {
  const JointType type = static_cast<JointType>(model.jnt_type[j]);
  const int first = model.jnt_dofadr[j], dofs = type == JointType::kFree ? 6 : type == JointType::kBall ? 3 : 1;
  return {0, 0, j, j + 1, first, first + dofs, 0, 0, 0, 0};
}

// Velocities after a displacement become rates of that displacement: those of ball and free joints change.
template <class From, class To>
TORSOR_INLINE void correct_rotation_rate(const ModelView& model, int j, From displacement, To rate) {
  if (!has_quaternion(model, j)) return;
  const bool is_free = model.jnt_type[j] == static_cast<int>(JointType::kFree);
  const int first = model.jnt_dofadr[j] + (is_free ? 3 : 0);
  store3(rate + first, rotation_vector_rate<ElementOf<To>>(load3(displacement + first), load3(rate + first)));
}
template <class From, class To>
TORSOR_INLINE void correct_rotation_rates(const ModelView& model, From displacement, To rate) {
  for (int j = 0; j < model.njnt; ++j) correct_rotation_rate(model, j, displacement, rate);
}

// Whether Euler treats damping implicitly: there must be some, and it must not be switched off.
TORSOR_INLINE bool has_implicit_damping(const ModelView& model) {
  if (model.opt.disabled(kDisableEulerDamp | kDisableDamper)) return false;
  for (int i = 0; i < model.nv; ++i) {
    if (model.dof_damping[i] != 0 || model.dof_dampingpoly[2 * i] != 0 || model.dof_dampingpoly[2 * i + 1] != 0)
      return true;
  }
  bool has_damper = false;
  for (int a = 0; model.flg_actjoint && a < model.nactuator; ++a)
    has_damper = has_damper || model.actuator_damping[a] != 0 || model.actuator_dampingpoly[2 * a] != 0 ||
                 model.actuator_dampingpoly[2 * a + 1] != 0;
  return has_damper;
}

// Derivative of the damping force of dof i by its velocity, with the sign turned: d + 2 d2 |v| + 3 d3 v^2.
template <class T>
TORSOR_INLINE T damping_derivative(const ModelView& model, int i, const T& v) {
  const T speed = abs(v);
  const Damping<T> d = damping_of<T>(model, i);
  return d.linear + speed * (T(2) * d.quadratic + speed * (T(3) * d.cubic));
}

// qvel and qpos after a step h with the acceleration `qacc`.
template <class T>
TORSOR_INLINE void advance_bodies(const ModelView& model, DataView<T>& data, ConstPointerTo<T> qacc,
                                  const Range& range) {
  const T h = T(model.opt.timestep);
  for (int i = range.dof_begin; i < range.dof_end; ++i) data.qvel[i] += qacc[i] * h;
  integrate_position(model, data.qpos.data(), data.qvel.data(), h, range);
}
// All of them, and time.
template <class T>
TORSOR_INLINE void advance(const ModelView& model, DataView<T>& data, ConstPointerTo<T> qacc) {
  advance_bodies(model, data, qacc, whole(model));
  yield_springs(model, data, data.qvel.data(), T(model.opt.timestep));
  data.time += T(model.opt.timestep);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
