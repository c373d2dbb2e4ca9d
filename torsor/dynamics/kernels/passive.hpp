// Passive forces: springs, dampers and gravity compensation. (The medium's forces are in fluid.hpp.)
#pragma once

#include "torsor/dynamics/kernels/range.hpp"
#include "torsor/math/quat.hpp"
#include "torsor/math/spatial.hpp"
#include "torsor/model/data.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// Polynomial spring of a scalar displacement: k x + k2 x^2 + k3 x^3.
template <class T>
TORSOR_INLINE T spring_factor(const ModelView& model, int j, const T& x) {
  return T(model.jnt_stiffness[j]) +
         x * (T(model.jnt_stiffnesspoly[2 * j]) + x * T(model.jnt_stiffnesspoly[2 * j + 1]));
}

// Whether a joint has any stiffness.
TORSOR_INLINE bool has_spring(const ModelView& model, int j) {
  return model.jnt_stiffness[j] != 0 || model.jnt_stiffnesspoly[2 * j] != 0 || model.jnt_stiffnesspoly[2 * j + 1] != 0;
}

// A vector spring pulls along the displacement, with the polynomial of its length.
template <class T>
TORSOR_INLINE void store_vector_spring(const ModelView& model, int j, const Vec3<T>& displacement, PointerTo<T> force) {
  store3(force, displacement * -spring_factor(model, j, norm(displacement)));
}

// Where the spring of a scalar joint rests: in the model, or in the state where it is plastic.
template <class T>
TORSOR_INLINE T spring_rest(const ModelView& model, const DataView<T>& data, int j) {
  const int plastic = model.jnt_plasticadr[j];
  return plastic >= 0 ? data.plastic[plastic] : T(model.qpos_spring[model.jnt_qposadr[j]]);
}

// How far a scalar joint is from there; of a ball joint, and of the rotation of a free joint, as a rotation vector.
template <class T>
TORSOR_INLINE T spring_displacement(const ModelView& model, const DataView<T>& data, int j) {
  return data.qpos[model.jnt_qposadr[j]] - spring_rest(model, data, j);
}
template <class T>
TORSOR_INLINE Vec3<T> ball_displacement(const ModelView& model, const DataView<T>& data, int j) {
  const int plastic = model.jnt_plasticadr[j];
  const bool is_free = model.jnt_type[j] == static_cast<int>(JointType::kFree);
  const int q = model.jnt_qposadr[j] + (is_free ? 3 : 0);
  const Quat<T> rest = plastic >= 0 ? load4(data.plastic.row(plastic, 1)) : load4<T>(model.qpos_spring.row(q, 1));
  return quat_difference(normalized(load4(data.qpos.row(q, 1))), rest);
}

template <class T>
TORSOR_INLINE void compute_springs(const ModelView& model, DataView<T>& data, const Range& range) {
  for (int i = range.dof_begin; i < range.dof_end; ++i) data.qfrc_spring[i] = T(0);
  if (model.opt.disabled(kDisableSpring)) return;
  for (int j = range.jnt_begin; j < range.jnt_end; ++j) {
    if (!has_spring(model, j)) continue;
    const int q = model.jnt_qposadr[j], v = model.jnt_dofadr[j];
    const auto force = data.qfrc_spring.row(v, 1);
    switch (static_cast<JointType>(model.jnt_type[j])) {
      case JointType::kFree:
        store_vector_spring(model, j, load3(data.qpos.row(q, 1)) - load3<T>(model.qpos_spring.row(q, 1)), force);
        store_vector_spring(model, j, ball_displacement(model, data, j), force + 3);
        break;
      case JointType::kBall:
        store_vector_spring(model, j, ball_displacement(model, data, j), force);
        break;
      case JointType::kSlide:
      case JointType::kHinge: {
        const T x = spring_displacement(model, data, j);
        force[0] = -x * spring_factor(model, j, x);
        break;
      }
    }
  }
}

// Coefficients of the damping of a dof: its own, and those of actuators that drive its joint.
template <class T>
struct Damping {
  T linear, quadratic, cubic;
};
template <class T>
TORSOR_INLINE Damping<T> damping_of(const ModelView& model, int i) {
  Damping<T> d{T(model.dof_damping[i]), T(model.dof_dampingpoly[2 * i]), T(model.dof_dampingpoly[2 * i + 1])};
  if (!model.flg_actjoint) return d;
  for_each_contributor(model, model.dof_jntid[i], [&](int a, double gear2) {
    d.linear += T(gear2) * T(model.actuator_damping[a]);
    d.quadratic += T(gear2) * T(model.actuator_dampingpoly[2 * a]);
    d.cubic += T(gear2) * T(model.actuator_dampingpoly[2 * a + 1]);
  });
  return d;
}

// Damping of dof i as a factor of its velocity: d + d2 |v| + d3 v^2.
template <class T>
TORSOR_INLINE T damping_factor(const ModelView& model, int i, const T& v) {
  const T speed = abs(v);
  const Damping<T> d = damping_of<T>(model, i);
  return d.linear + speed * (d.quadratic + speed * d.cubic);
}

template <class T>
TORSOR_INLINE void compute_dampers(const ModelView& model, DataView<T>& data, const Range& range) {
  if (model.opt.disabled(kDisableDamper)) {
    for (int i = range.dof_begin; i < range.dof_end; ++i) data.qfrc_damper[i] = T(0);
    return;
  }
  for (int i = range.dof_begin; i < range.dof_end; ++i)
    data.qfrc_damper[i] = -data.qvel[i] * damping_factor(model, i, data.qvel[i]);
}

// qfrc += J' F for a wrench about Tcm on a body: power with the axis of every dof that moves it.
template <class T>
TORSOR_INLINE void apply_wrench(const ModelView& model, const DataView<T>& data, int body, const Wrench<T>& F_Tcm_W,
                                PointerTo<T> qfrc) {
  for (int i = last_dof(model, body); i >= 0; i = model.dof_parentid[i])
    qfrc[i] += power(F_Tcm_W, load6(data.cdof.row(i, 6)));
}

// A pure force at Bcm that carries the given part of the weight.
template <class T>
TORSOR_INLINE void compute_gravity_compensation(const ModelView& model, DataView<T>& data, bool off,
                                                const Range& range) {
  for (int i = range.dof_begin; i < range.dof_end; ++i) data.qfrc_gravcomp[i] = T(0);
  if (off || !model.flg_gravcomp || model.opt.disabled(kDisableGravity)) return;
  const Vec3<T> gravity_W = load3<T>(model.opt.gravity);
  for (int b = range.body_begin; b < range.body_end; ++b) {
    if (model.body_gravcomp[b] == 0) continue;
    const Vec3<T> f_W = gravity_W * (-T(model.body_mass[b]) * T(model.body_gravcomp[b]));
    const Vec3<T> p_TcmBcm_W = load3(data.xipos.row(b, 3)) - load3(data.subtree_com.row(model.body_rootid[b], 3));
    apply_wrench(model, data, b, Wrench<T>{cross(p_TcmBcm_W, f_W), f_W}, data.qfrc_gravcomp.data());
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
