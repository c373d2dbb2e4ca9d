// Forces that are given in Cartesian form, the acceleration they cause, and energies.
#pragma once

#include "torsor/dynamics/kernels/inertia.hpp"
#include "torsor/dynamics/kernels/passive.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// Whether any body has a wrench, in any lane. As a rule none has: all numbers are read at once. NaN is not zero.
template <class T>
TORSOR_INLINE bool has_applied_forces(const DataView<T>& data, const Range& range) {
  T sum = T(0);
  for (int k = 6 * range.body_begin; k < 6 * range.body_end; ++k) sum += abs(data.xfrc_applied[k]);
  return !all(sum == T(0));
}

// qfrc += J' xfrc_applied. Bodies whose wrench is zero, in all lanes, are skipped.
template <class T>
TORSOR_INLINE void add_applied_forces(const ModelView& model, const DataView<T>& data, PointerTo<T> qfrc,
                                      const Range& range) {
  if (!has_applied_forces(data, range)) return;
  for (int b = range.body_begin; b < range.body_end; ++b) {
    const auto xfrc = data.xfrc_applied.row(b, 6);
    const Vec3<T> f_W = load3(xfrc), t_W = load3(xfrc + 3);
    if (all(abs(f_W.x) + abs(f_W.y) + abs(f_W.z) + abs(t_W.x) + abs(t_W.y) + abs(t_W.z) == T(0))) continue;
    const Vec3<T> p_TcmBcm_W = load3(data.xipos.row(b, 3)) - load3(data.subtree_com.row(model.body_rootid[b], 3));
    apply_wrench(model, data, b, Wrench<T>{t_W + cross(p_TcmBcm_W, f_W), f_W}, qfrc);
  }
}

// qfrc_smooth = passive - bias + applied + actuator.
template <class T>
TORSOR_INLINE void compute_smooth_force(const ModelView& model, DataView<T>& data, const Range& range) {
  for (int i = range.dof_begin; i < range.dof_end; ++i)
    data.qfrc_smooth[i] = data.qfrc_passive[i] - data.qfrc_bias[i] + data.qfrc_applied[i] + data.qfrc_actuator[i];
  add_applied_forces(model, data, data.qfrc_smooth.data(), range);
}

// M qacc_smooth = qfrc_smooth.
template <class T>
TORSOR_LOCAL void compute_acceleration(const ModelView& model, DataView<T>& data, const Range& range) {
  compute_smooth_force(model, data, range);
  for (int i = range.dof_begin; i < range.dof_end; ++i) data.qacc_smooth[i] = data.qfrc_smooth[i];
  solve_factored(model, data.qLD.data(), data.qLDiagInv.data(), data.qacc_smooth.data(), range);
}

template <class T>
TORSOR_INLINE T gravity_energy(const ModelView& model, const DataView<T>& data) {
  T energy = T(0);
  if (model.opt.disabled(kDisableGravity)) return energy;
  const Vec3<T> gravity_W = load3<T>(model.opt.gravity);
  for (int b = 1; b < model.nbody; ++b) energy -= T(model.body_mass[b]) * dot(gravity_W, load3(data.xipos.row(b, 3)));
  return energy;
}

// Integral of the polynomial spring: k/2 x^2 + k2/3 x^3 + k3/4 x^4.
template <class T>
TORSOR_INLINE T spring_potential(const ModelView& model, int j, const T& x) {
  return x * x *
         (T(0.5) * T(model.jnt_stiffness[j]) +
          x * (T(1. / 3) * T(model.jnt_stiffnesspoly[2 * j]) + x * (T(0.25) * T(model.jnt_stiffnesspoly[2 * j + 1]))));
}

template <class T>
TORSOR_INLINE T spring_energy(const ModelView& model, const DataView<T>& data) {
  T energy = T(0);
  if (model.opt.disabled(kDisableSpring)) return energy;
  for (int j = 0; j < model.njnt; ++j) {
    if (!has_spring(model, j)) continue;
    const int q = model.jnt_qposadr[j];
    const auto qpos = data.qpos.data();
    switch (static_cast<JointType>(model.jnt_type[j])) {
      case JointType::kFree:
        energy += spring_potential(model, j, norm(load3(qpos + q) - load3<T>(model.qpos_spring.row(q, 1))));
        energy += spring_potential(model, j, norm(ball_displacement(model, data, j)));
        break;
      case JointType::kBall:
        energy += spring_potential(model, j, norm(ball_displacement(model, data, j)));
        break;
      case JointType::kSlide:
      case JointType::kHinge:
        energy += spring_potential(model, j, spring_displacement(model, data, j));
        break;
    }
  }
  return energy;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
