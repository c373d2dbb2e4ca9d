// Controls, activation rates and forces of actuators.
#include "torsor/dynamics/actuation.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/dynamics/awake_walk.hpp"
#include "torsor/dynamics/dcmotor.hpp"
#include "torsor/dynamics/drive.hpp"
#include "torsor/dynamics/kernels/any_actuation.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {
namespace {

using actuation::bias_of;
using actuation::dynamics_of;
using actuation::gain_of;
using actuation::muscle_of;

// What users and motors with states of their own do.
struct OtherActuators {
  const Model& model;
  Data& data;
  const double* ctrl;

  void rates(int a) const {
    double* const rate = data.act_dot.row(model.actuator_actadr[a], 1);
    if (dynamics_of(model, a) == ActuatorDynamics::kDcMotor)
      return DcMotor(model, data, a).compute_rates(ctrl + model.actuator_ctrladr[a], rate);
    if (!data.act_dyn) return;
    if (const double result = data.act_dyn(model, data, a); model.actuator_actnum[a] == 1) rate[0] = result;
  }
  double next(int a, int k, double rate) const { return DcMotor(model, data, a).next(k, rate); }
  double motor_force(int a) const {
    return DcMotor(model, data, a)
        .force(ctrl + model.actuator_ctrladr[a], data.act_dot.data() + std::max(0, model.actuator_actadr[a]));
  }
  double gain(int a) const { return data.act_gain ? data.act_gain(model, data, a) : 1; }
  double bias(int a) const { return data.act_bias ? data.act_bias(model, data, a) : 0; }
};
using ActuationStage = ActuationRules<double, OtherActuators>;

// Activation number k of an actuator after the time step.
double next_activation(const Model& model, const Data& data, int a, int k, double rate) {
  Data& read = const_cast<Data&>(data);
  return ActuationStage(model, read, {model, read, nullptr}).next_activation(a, k, rate);
}

}  // namespace

void gather_effective_controls(const Model& model, const Data& data, double* ctrl) {
  std::copy(data.ctrl.begin(), data.ctrl.end(), ctrl);
  for (int a = 0; a < model.nactuator; ++a) {
    if (model.actuator_historyadr[a] < 0 || model.actuator_delay[a] == 0) continue;
    read_controls(model, data, a, data.time - model.actuator_delay[a], model.actuator_history[2 * a + 1],
                  ctrl + model.actuator_ctrladr[a]);
  }
  if (model.opt.disabled(kDisableClampCtrl)) return;
  for (int k = 0; k < model.nu; ++k) {
    if (model.actuator_ctrllimited[k]) ctrl[k] = clamped(ctrl[k], model.actuator_ctrlrange.row(k, 2));
  }
}

namespace {

// The index of a bad control, -1 if all are good. Bad numbers switch off all actuators.
int gather_controls(const Model& model, const Data& data, double* ctrl) {
  gather_effective_controls(model, data, ctrl);
  for (int k = 0; k < model.nu; ++k) {
    if (std::fabs(ctrl[k]) <= kMaxValue) continue;
    std::fill(ctrl, ctrl + model.nu, 0.0);
    return k;
  }
  return -1;
}

void clear_rates(const Model& model, Data& data, int a) {
  const int first = model.actuator_actadr[a];
  if (first >= 0) std::fill_n(data.act_dot.begin() + first, model.actuator_actnum[a], 0.0);
}

}  // namespace

double nearest_on_circle(double x, double center, double period) { return actuation::nearest(x, center, period); }

bool is_disabled(const Model& model, int actuator) { return actuation::is_off(model, actuator); }

// Actuators that sleep have no force; their activations go on at the rates of their last step awake.
void compute_actuation(const Model& model, Data& data) {
  if (data.awake.all) std::fill(data.act_dot.begin(), data.act_dot.end(), 0.0);
  std::fill(data.actuator_force.begin(), data.actuator_force.end(), 0.0);
  std::fill(data.qfrc_actuator.begin(), data.qfrc_actuator.end(), 0.0);
  if (model.nactuator == 0 || model.opt.disabled(kDisableActuation)) return;
  if (!data.awake.all && data.awake.actuator_count == 0) return;
  ArenaScope scope(data.arena());
  double* ctrl = data.arena().push_array<double>(static_cast<size_t>(model.nu));
  if (const int bad = gather_controls(model, data, ctrl); bad >= 0) warn(data, Warning::kBadCtrl, bad);
  ActuationStage stage(model, data, {model, data, ctrl});
  for_each_awake_actuator(model, data, [&](int a) {
    if (!data.awake.all) clear_rates(model, data, a);
    stage.rates(a, ctrl);
    if (!is_disabled(model, a)) stage.force(a, ctrl);
  });
  if (formulation(model.opt).solves_for_drives) set_drive_references(model, data);
  limit_tendon_forces(model, data);
  for_each_awake_actuator(model, data, [&](int a) { stage.limit(a); });
  apply_actuator_forces(model, data);
  finish_joint_forces(model, data);
}

bool is_at_limit(const Model& model, const Data& data, int a) {
  if (within_limits_of_target<double>(model, data, a, 1) == 0) return true;
  const ActuatorGain gain = gain_of(model, a);
  if (!model.actuator_forcelimited[a] || gain == ActuatorGain::kDcMotor) return false;  // has its own
  const double *force = data.actuator_force.row(model.actuator_outadr[a], 1),
               *range = model.actuator_forcerange.row(a, 2);
  if (gain != ActuatorGain::kSo3) return force[0] <= range[0] || force[0] >= range[1];
  constexpr double kRounding = 1e-12;  // of a torque that was scaled to its limit
  return norm(load3(force)) >= range[1] * (1 - kRounding);
}

namespace {

// What the gain is multiplied by.
double gain_input(const Model& model, const Data& data, int a, const double* controls) {
  const int first = model.actuator_actadr[a], last = first + model.actuator_actnum[a] - 1;
  if (first < 0) return controls[model.actuator_ctrladr[a]];
  return model.actuator_actearly[a] ? next_activation(model, data, a, last - first, data.act_dot[last])
                                    : data.act[last];
}

DcMotor::Slope motor_slope(const Model& model, const Data& data, int a, const double* controls) {
  const double* rates = data.act_dot.data() + std::max(0, model.actuator_actadr[a]);
  return DcMotor(model, data, a).slope(controls + model.actuator_ctrladr[a], rates);
}

}  // namespace

double actuator_slope_by_length(const Model& model, const Data& data, int a, const double* controls) {
  if (is_disabled(model, a)) return 0;
  if (gain_of(model, a) == ActuatorGain::kDcMotor) return motor_slope(model, data, a, controls).by_length;
  const int out = model.actuator_outadr[a];
  const double length = data.actuator_length[out], velocity = data.actuator_velocity[out];
  const double *gain = model.actuator_gainprm.row(a, 10), *bias = model.actuator_biasprm.row(a, 10);
  switch (gain_of(model, a)) {
    case ActuatorGain::kSo3:
      return -gain[0];
    case ActuatorGain::kPid:
      return bias[1];
    default:
      break;
  }
  double slope = 0, gain_slope = 0;
  if (bias_of(model, a) == ActuatorBias::kAffine) slope = bias[1];
  if (bias_of(model, a) == ActuatorBias::kMuscle) slope = muscle_of(model, a, bias).bias_slope(length);
  if (gain_of(model, a) == ActuatorGain::kAffine) gain_slope = gain[1];
  if (gain_of(model, a) == ActuatorGain::kMuscle)
    gain_slope = muscle_of(model, a, gain).gain_slope_by_length(length, velocity);
  return gain_slope == 0 ? slope : slope + gain_slope * gain_input(model, data, a, controls);
}

double actuator_slope_by_velocity(const Model& model, const Data& data, int a, const double* controls) {
  if (is_disabled(model, a)) return 0;
  const ActuatorGain gain = gain_of(model, a);
  if (gain == ActuatorGain::kDcMotor) return motor_slope(model, data, a, controls).by_velocity;
  const ActuatorBias bias = bias_of(model, a);
  double slope = 0, gain_slope = 0;
  if (bias == ActuatorBias::kAffine || bias == ActuatorBias::kSo3) slope = model.actuator_biasprm[10 * a + 2];
  if (gain == ActuatorGain::kAffine) gain_slope = model.actuator_gainprm[10 * a + 2];
  if (gain == ActuatorGain::kMuscle) {
    const int out = model.actuator_outadr[a];
    gain_slope = muscle_of(model, a, model.actuator_gainprm.row(a, 10))
                     .gain_slope(data.actuator_length[out], data.actuator_velocity[out]);
  }
  return gain_slope == 0 ? slope : slope + gain_slope * gain_input(model, data, a, controls);
}

void advance_activations(const Model& model, Data& data, const double* act_dot) {
  if (model.na == 0 || model.opt.disabled(kDisableActuation)) return;
  ActuationStage stage(model, data, {model, data, nullptr});
  for (int a = 0; a < model.nactuator; ++a) stage.advance(a, act_dot);
}

}  // namespace torsor
