// Moving along velocities: coordinates with quaternions, and the semi-implicit Euler step.
#pragma once

#include "torsor/dynamics/kernels/inertia.hpp"
#include "torsor/dynamics/kernels/passive.hpp"
#include "torsor/math/quat.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// qpos moves along qvel for a time h; quaternions by the exponential map.
template <class T>
TORSOR_INLINE void integrate_position(const ModelView& model, T* qpos, const T* qvel, const T& h, const Range& range) {
  for (int j = range.jnt_begin; j < range.jnt_end; ++j) {
    T* q = qpos + model.jnt_qposadr[j];
    const T* v = qvel + model.jnt_dofadr[j];
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

template <class T>
TORSOR_INLINE void integrate_position(const ModelView& model, T* qpos, const T* qvel, const T& h) {
  integrate_position(model, qpos, qvel, h, whole(model));
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
TORSOR_INLINE void advance_bodies(const ModelView& model, DataView<T>& data, const T* qacc, const Range& range) {
  const T h = T(model.opt.timestep);
  for (int i = range.dof_begin; i < range.dof_end; ++i) data.qvel[i] += qacc[i] * h;
  integrate_position(model, data.qpos.data(), data.qvel.data(), h, range);
}
// All of them, and time.
template <class T>
TORSOR_INLINE void advance(const ModelView& model, DataView<T>& data, const T* qacc) {
  advance_bodies(model, data, qacc, whole(model));
  data.time += T(model.opt.timestep);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
