// Actuators with a fixed or affine gain and bias, and at most a filter or an integrator before it: motors, servos,
// dampers. These step in lanes; dynamics/actuation.cpp has the rules for all kinds, of which these are the simple part.
// Those of hinges and slides need no array but the state; the others read their lengths, velocities and moments.
#pragma once

#include <cmath>
#include <limits>

#include "torsor/dynamics/kernels/tendons.hpp"
#include "torsor/math/scalar.hpp"
#include "torsor/model/data.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// NaN stays NaN.
template <class T>
TORSOR_INLINE T clamped(const T& x, const double* range) {
  const T low = T(range[0]), high = T(range[1]), below = select(high < x, high, x);
  return select(below < low, low, below);
}

// The slope, or 0 where a force is at an end of its range.
template <class T>
TORSOR_INLINE T inside_range(const T& force, const double* range, const T& slope) {
  return select(force > T(range[0]), select(force < T(range[1]), slope, T(0)), T(0));
}

// The slope of an actuator's force, or 0 where its joint or tendon limits the sum of such forces and the limit is
// reached.
template <class T>
TORSOR_INLINE T within_limits_of_target(const ModelView& model, const DataView<T>& data, int a, const T& slope) {
  const int target = model.actuator_trnid[2 * a];
  const Transmission kind = static_cast<Transmission>(model.actuator_trntype[a]);
  if (kind == Transmission::kJoint || kind == Transmission::kJointInParent) {
    if (!model.jnt_actfrclimited[target]) return slope;
    return inside_range(data.qfrc_actuator[model.jnt_dofadr[target]], model.jnt_actfrcrange.row(target, 2), slope);
  }
  if (kind != Transmission::kTendon || !model.tendon_actfrclimited[target]) return slope;
  constexpr double kRounding = 64 * std::numeric_limits<ScalarOf<T>>::epsilon();  // of forces that were scaled to a sum
  T total = T(0);
  for (int b = 0; b < model.nactuator; ++b) {
    if (model.actuator_trntype[b] == static_cast<int>(Transmission::kTendon) && model.actuator_trnid[2 * b] == target)
      total += data.actuator_force[model.actuator_outadr[b]];
  }
  return inside_range(total * T(1 + kRounding), model.tendon_actfrcrange.row(target, 2), slope);
}

// An actuator at the present length and velocity of what it drives.
template <class T>
struct Drive {
  const ModelView& model;
  const DataView<T>& data;
  int a;
  T length, velocity;

  TORSOR_INLINE int out() const { return model.actuator_outadr[a]; }
  TORSOR_INLINE int address() const { return model.actuator_actadr[a]; }  // of its activation, -1 without
  TORSOR_INLINE bool is_off() const {
    const int group = model.actuator_group[a];
    return group >= 0 && group <= 30 && (model.opt.disableactuator & (1 << group)) != 0;
  }
  TORSOR_INLINE ActuatorDynamics dynamics() const { return static_cast<ActuatorDynamics>(model.actuator_dyntype[a]); }
  TORSOR_INLINE double time_constant() const {
    const double tau = model.actuator_dynprm[10 * a];
    return tau > kMinValue ? tau : kMinValue;
  }

  TORSOR_INLINE T rate(const T& control) const {
    if (dynamics() == ActuatorDynamics::kIntegrator) return control;
    return (control - data.act[address()]) / T(time_constant());
  }
  TORSOR_INLINE T next_activation(const T& rate) const {
    const double h = model.opt.timestep, tau = time_constant();
    const bool is_exact = dynamics() == ActuatorDynamics::kFilterExact;
    const T act = data.act[address()] + rate * T(is_exact ? tau * (1 - std::exp(-h / tau)) : h);
    return model.actuator_actlimited[a] ? clamped(act, model.actuator_actrange.row(a, 2)) : act;
  }
  // The activation, now or after the step; the control where there is none.
  TORSOR_INLINE T input(const T& control) const {
    if (address() < 0) return control;
    return model.actuator_actearly[a] ? next_activation(data.act_dot[address()]) : data.act[address()];
  }

  TORSOR_INLINE T affine(const double* prm) const { return T(prm[0]) + T(prm[1]) * length + T(prm[2]) * velocity; }
  TORSOR_INLINE bool has_affine_gain() const {
    return model.actuator_gaintype[a] == static_cast<int>(ActuatorGain::kAffine);
  }
  TORSOR_INLINE bool has_affine_bias() const {
    return model.actuator_biastype[a] == static_cast<int>(ActuatorBias::kAffine);
  }
  // Without limits.
  TORSOR_INLINE T force(const T& control) const {
    const double* prm = model.actuator_gainprm.row(a, 10);
    T force = (has_affine_gain() ? affine(prm) : T(prm[0])) * input(control);
    if (has_affine_bias()) force += affine(model.actuator_biasprm.row(a, 10));
    return force;
  }
  TORSOR_INLINE T limited(const T& force) const {
    return model.actuator_forcelimited[a] ? clamped(force, model.actuator_forcerange.row(a, 2)) : force;
  }

  TORSOR_INLINE T clamped_control() const {
    const int k = model.actuator_ctrladr[a];
    const T u = data.ctrl[k];
    const bool clamps = !model.opt.disabled(kDisableClampCtrl) && model.actuator_ctrllimited[k];
    return clamps ? clamped(u, model.actuator_ctrlrange.row(k, 2)) : u;
  }
  // Derivative of the force by the velocity; 0 where the force is at its limit.
  TORSOR_INLINE T slope() const {
    T slope = has_affine_bias() ? T(model.actuator_biasprm[10 * a + 2]) : T(0);
    if (has_affine_gain()) slope += T(model.actuator_gainprm[10 * a + 2]) * input(clamped_control());
    slope = within_limits_of_target(model, data, a, slope);
    if (!model.actuator_forcelimited[a]) return slope;
    return inside_range(data.actuator_force[out()], model.actuator_forcerange.row(a, 2), slope);
  }
};

// Of hinges and slides: what drives them is proportional to their coordinate.
template <class T>
struct JointDrive : Drive<T> {
  int dof;
  double gear;

  TORSOR_INLINE JointDrive(const ModelView& of_model, const DataView<T>& of_data, int actuator)
      : Drive<T>{of_model, of_data, actuator, T(0), T(0)},
        dof(of_model.jnt_dofadr[of_model.actuator_trnid[2 * actuator]]),
        gear(of_model.actuator_gear[6 * of_model.actuator_outadr[actuator]]) {
    this->length = of_data.qpos[of_model.jnt_qposadr[of_model.actuator_trnid[2 * actuator]]] * T(gear);
    this->velocity = of_data.qvel[dof] * T(gear);
  }
};

// Clamped controls, into `controls`. If one of a world is not a number, all actuators of that world are off.
template <class T>
TORSOR_INLINE void gather_controls(const ModelView& model, const DataView<T>& data, PointerTo<T> controls) {
  const bool clamps = !model.opt.disabled(kDisableClampCtrl);
  T sound = T(1);
  for (int k = 0; k < model.nu; ++k) {
    const T u = data.ctrl[k];
    controls[k] = clamps && model.actuator_ctrllimited[k] ? clamped(u, model.actuator_ctrlrange.row(k, 2)) : u;
    sound = select(abs(controls[k]) <= T(kMaxValue), sound, T(0));
  }
  for (int k = 0; k < model.nu; ++k) controls[k] = select(sound > T(0), controls[k], T(0));
}

// Then there are no forces, not even those of gravity compensation that counts as an actuator's.
template <class T>
TORSOR_INLINE bool is_actuation_off(const ModelView& model, DataView<T>& data) {
  const bool is_off = model.nactuator == 0 || model.opt.disabled(kDisableActuation);
  for (int k = 0; is_off && k < model.nout; ++k) data.actuator_force[k] = T(0);
  return is_off;
}

// Gravity compensation that actuators provide, then the limits of joints.
template <class T>
TORSOR_INLINE void finish_joint_forces(const ModelView& model, DataView<T>& data) {
  for (int i = 0; model.flg_gravcomp && i < model.nv; ++i) {
    if (model.jnt_actgravcomp[model.dof_jntid[i]]) data.qfrc_actuator[i] += data.qfrc_gravcomp[i];
  }
  for (int j = 0; j < model.njnt; ++j) {
    T& force = data.qfrc_actuator[model.jnt_dofadr[j]];
    if (model.jnt_actfrclimited[j]) force = clamped(force, model.jnt_actfrcrange.row(j, 2));
  }
}

// act_dot actuator_force qfrc_actuator. `controls` is scratch for nu numbers.
template <class T>
TORSOR_LOCAL void compute_joint_drives(const ModelView& model, DataView<T>& data, PointerTo<T> controls) {
  for (int i = 0; i < model.nv; ++i) data.qfrc_actuator[i] = T(0);
  for (int k = 0; k < model.na; ++k) data.act_dot[k] = T(0);
  if (is_actuation_off(model, data)) return;
  gather_controls(model, data, controls);
  for (int a = 0; a < model.nactuator; ++a) {
    const JointDrive<T> drive(model, data, a);
    const T control = controls[model.actuator_ctrladr[a]];
    if (drive.address() >= 0) data.act_dot[drive.address()] = drive.rate(control);
    const T force = drive.is_off() ? T(0) : drive.limited(drive.force(control));
    data.actuator_force[drive.out()] = force;
    data.qfrc_actuator[drive.dof] += force * T(drive.gear);
  }
  finish_joint_forces(model, data);
}

// M -= h J' slope J, which is on the diagonal.
template <class T>
TORSOR_LOCAL void subtract_drive_slopes(const ModelView& model, DataView<T>& data) {
  if (model.opt.disabled(kDisableActuation)) return;
  for (int a = 0; a < model.nactuator; ++a) {
    const JointDrive<T> drive(model, data, a);
    if (drive.is_off()) continue;
    const int i = drive.dof;
    const double scale = model.opt.timestep * drive.gear * drive.gear;
    data.M[model.M_rowadr[i] + model.M_rownnz[i] - 1] -= T(scale) * drive.slope();
  }
}

// --- actuators of any kind of transmission ------------------------------------------------------------------------

// The sum over the actuators of a tendon is limited to the tendon's range; all are scaled by the same factor.
template <class T>
TORSOR_INLINE void limit_tendon_forces(const ModelView& model, DataView<T>& data) {
  const auto for_each_puller = [&](int t, auto&& f) {
    for (int a = 0; a < model.nactuator; ++a) {
      if (model.actuator_trntype[a] == static_cast<int>(Transmission::kTendon) && model.actuator_trnid[2 * a] == t)
        f(data.actuator_force[model.actuator_outadr[a]]);
    }
  };
  for (int t = 0; t < model.ntendon; ++t) {
    if (!model.tendon_actfrclimited[t]) continue;
    T total = T(0);
    for_each_puller(t, [&](const T& force) { total += force; });
    const T allowed = clamped(total, model.tendon_actfrcrange.row(t, 2));
    const T scale = select(allowed == total, T(1), allowed / total);
    for_each_puller(t, [&](T& force) { force *= scale; });
  }
}

// The same from actuator_length, actuator_velocity and actuator_moment.
template <class T>
TORSOR_LOCAL void compute_drives(const ModelView& model, DataView<T>& data, PointerTo<T> controls) {
  for (int i = 0; i < model.nv; ++i) data.qfrc_actuator[i] = T(0);
  for (int k = 0; k < model.na; ++k) data.act_dot[k] = T(0);
  for (int k = 0; k < model.nout; ++k) data.actuator_force[k] = T(0);
  if (is_actuation_off(model, data)) return;
  gather_controls(model, data, controls);
  const auto drive_of = [&](int a) {
    const int out = model.actuator_outadr[a];
    return Drive<T>{model, data, a, data.actuator_length[out], data.actuator_velocity[out]};
  };
  for (int a = 0; a < model.nactuator; ++a) {
    const Drive<T> drive = drive_of(a);
    const T control = controls[model.actuator_ctrladr[a]];
    if (drive.address() >= 0) data.act_dot[drive.address()] = drive.rate(control);
    if (!drive.is_off()) data.actuator_force[drive.out()] = drive.force(control);
  }
  limit_tendon_forces(model, data);
  for (int a = 0; a < model.nactuator; ++a) {
    const int out = model.actuator_outadr[a];
    T& force = data.actuator_force[out];
    force = drive_of(a).limited(force);
    for (int k = model.moment_rowadr[out], end = k + model.moment_rownnz[out]; k < end; ++k)
      data.qfrc_actuator[model.moment_colind[k]] += force * data.actuator_moment[k];
  }
  finish_joint_forces(model, data);
}

template <class T>
TORSOR_LOCAL void subtract_all_slopes(const ModelView& model, DataView<T>& data) {
  if (model.opt.disabled(kDisableActuation)) return;
  for (int a = 0; a < model.nactuator; ++a) {
    const int out = model.actuator_outadr[a];
    const Drive<T> drive{model, data, a, data.actuator_length[out], data.actuator_velocity[out]};
    if (drive.is_off()) continue;
    const T slope = T(model.opt.timestep) * drive.slope();
    for_each_product_in_M(model, model.moment_colind.data(), model.moment_rowadr[out], model.moment_rownnz[out],
                          [&](int, int, int address, int k, int l) {
                            data.M[address] -= slope * data.actuator_moment[k] * data.actuator_moment[l];
                          });
  }
}

// Activations after the time step with the given rates.
template <class T>
TORSOR_LOCAL void advance_drives(const ModelView& model, DataView<T>& data, ConstPointerTo<T> act_dot) {
  if (model.opt.disabled(kDisableActuation)) return;
  for (int a = 0; a < model.nactuator; ++a) {
    const Drive<T> drive{model, data, a, T(0), T(0)};  // activations do not depend on lengths
    const int k = drive.address();
    if (k >= 0) data.act[k] = drive.next_activation(drive.is_off() ? T(0) : act_dot[k]);
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
