// Controls, activation rates and forces of actuators.
#include "torsor/dynamics/actuation.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/dynamics/awake_walk.hpp"
#include "torsor/dynamics/dcmotor.hpp"
#include "torsor/dynamics/drive.hpp"
#include "torsor/dynamics/kernels/circle.hpp"
#include "torsor/dynamics/kernels/joint_drive.hpp"
#include "torsor/dynamics/muscle.hpp"
#include "torsor/math/quat.hpp"
#include "torsor/math/vec3.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {
namespace {

constexpr double kPi = 3.14159265358979323846;
using Vec = Vec3<double>;

ActuatorDynamics dynamics_of(const Model& model, int a) {
  return static_cast<ActuatorDynamics>(model.actuator_dyntype[a]);
}
ActuatorGain gain_of(const Model& model, int a) { return static_cast<ActuatorGain>(model.actuator_gaintype[a]); }
ActuatorBias bias_of(const Model& model, int a) { return static_cast<ActuatorBias>(model.actuator_biastype[a]); }

// Of a servo, angles that differ by full turns are the same setpoint.
double setpoint_on_circle(const Model& model, const Data& data, int a, double setpoint) {
  if (!is_servo(model, a)) return setpoint;
  return nearest_on_circle(setpoint, data.actuator_length[model.actuator_outadr[a]], full_turn(model, a));
}

// A rotation vector no longer than half a turn.
void shorten_rotation(double* rotation) {
  const Vec v = load3(rotation);
  const double angle = norm(v);
  if (angle > kPi) store3(rotation, v * (nearest_on_circle(angle, 0, 2 * kPi) / angle));
}

// Activation number k of an actuator after the time step.
double next_activation(const Model& model, const Data& data, int a, int k, double rate) {
  const double h = model.opt.timestep;
  double act = data.act[model.actuator_actadr[a] + k];
  if (dynamics_of(model, a) == ActuatorDynamics::kDcMotor) return DcMotor(model, data, a).next(k, rate);
  if (dynamics_of(model, a) == ActuatorDynamics::kFilterExact) {
    const double tau = std::max(kMinValue, model.actuator_dynprm[10 * a]);
    act += rate * tau * (1 - std::exp(-h / tau));
  } else {
    act += rate * h;
  }
  if (model.actuator_actlimited[a]) act = clamped(act, model.actuator_actrange.row(a, 2));
  return setpoint_on_circle(model, data, a, act);
}

double muscle_acc0(const Model& model, int a) { return model.actuator_acc0[model.actuator_outadr[a]]; }
Muscle muscle_of(const Model& model, int a, const double* prm) {
  return Muscle(prm, model.actuator_lengthrange.row(model.actuator_outadr[a], 2), muscle_acc0(model, a));
}

class ActuationStage {
 public:
  ActuationStage(const Model& model, Data& data, const double* ctrl) : model_(model), data_(data), ctrl_(ctrl) {}

  void rates(int a) {
    const int first = model_.actuator_actadr[a];
    if (first < 0) return;
    const double* u = ctrl_ + model_.actuator_ctrladr[a];
    const double* prm = model_.actuator_dynprm.row(a, 10);
    double* rate = data_.act_dot.row(first, 1);
    const double act = data_.act[first];
    switch (dynamics_of(model_, a)) {
      case ActuatorDynamics::kIntegrator:
        for (int k = 0; k < model_.actuator_actnum[a]; ++k) rate[k] = u[k];
        break;
      case ActuatorDynamics::kFilter:
      case ActuatorDynamics::kFilterExact:
        rate[0] = (on_circle_near(a, u[0], act) - act) / std::max(kMinValue, prm[0]);
        break;
      case ActuatorDynamics::kMuscle:
        rate[0] = muscle_activation_rate(u[0], act, prm);
        break;
      case ActuatorDynamics::kPid:
        pid_rates(a, u[0], rate);
        break;
      case ActuatorDynamics::kUser:
        if (!data_.act_dyn) break;
        if (const double result = data_.act_dyn(model_, data_, a); model_.actuator_actnum[a] == 1) rate[0] = result;
        break;
      case ActuatorDynamics::kDcMotor:
        DcMotor(model_, data_, a).compute_rates(u, rate);
        break;
      case ActuatorDynamics::kNone:
        break;
    }
  }

  void force(int a) {
    const int out = model_.actuator_outadr[a];
    double* force = data_.actuator_force.row(out, 1);
    const double* u = ctrl_ + model_.actuator_ctrladr[a];
    switch (gain_of(model_, a)) {
      case ActuatorGain::kSo3:
        return so3_force(a, u, force);
      case ActuatorGain::kPid:
        force[0] = pid_force(a, u);
        break;
      case ActuatorGain::kDcMotor:
        force[0] = DcMotor(model_, data_, a).force(u, data_.act_dot.data() + std::max(0, model_.actuator_actadr[a]));
        break;
      default:
        force[0] = gain(a) * input(a, u[0]) + bias(a);
    }
  }

 private:
  // A control of a servo as the one of its equals that is nearest to its activation.
  double on_circle_near(int a, double control, double act) const {
    return is_servo(model_, a) ? nearest_on_circle(control, act, full_turn(model_, a)) : control;
  }
  double length(int a) const { return data_.actuator_length[model_.actuator_outadr[a]]; }
  double velocity(int a) const { return data_.actuator_velocity[model_.actuator_outadr[a]]; }

  // The last activation, now or after the step; the control where there is none.
  double input(int a, double control) const {
    if (model_.actuator_actadr[a] < 0) return setpoint_on_circle(model_, data_, a, control);
    return setpoint_on_circle(model_, data_, a, activation(a, model_.actuator_actnum[a] - 1));
  }
  double activation(int a, int k) const {
    const int address = model_.actuator_actadr[a] + k;
    if (!model_.actuator_actearly[a]) return data_.act[address];
    return next_activation(model_, data_, a, k, data_.act_dot[address]);
  }

  double gain(int a) {
    const double* prm = model_.actuator_gainprm.row(a, 10);
    switch (gain_of(model_, a)) {
      case ActuatorGain::kAffine:
        return prm[0] + prm[1] * length(a) + prm[2] * velocity(a);
      case ActuatorGain::kMuscle:
        return muscle_of(model_, a, prm).gain(length(a), velocity(a));
      case ActuatorGain::kUser:
        return data_.act_gain ? data_.act_gain(model_, data_, a) : 1;
      default:
        return prm[0];
    }
  }

  double bias(int a) {
    const double* prm = model_.actuator_biasprm.row(a, 10);
    switch (bias_of(model_, a)) {
      case ActuatorBias::kAffine:
        return prm[0] + prm[1] * length(a) + prm[2] * velocity(a);
      case ActuatorBias::kMuscle:
        return muscle_of(model_, a, prm).bias(length(a));
      case ActuatorBias::kUser:
        return data_.act_bias ? data_.act_bias(model_, data_, a) : 0;
      default:
        return 0;
    }
  }

  // The activations of a pid, where it has them: the rate-limited setpoint, then the integral of the error.
  struct PidStates {
    PidStates(const Model& model, int a) {
      const int first = model.actuator_actadr[a];
      if (first < 0) return;
      int next = first;
      if (model.actuator_dynprm[10 * a + 1] > 0) slew = next++;
      if (next < first + model.actuator_actnum[a]) integral = next;
    }
    int slew = -1, integral = -1;  // in act
  };

  // The setpoint at the end of the step.
  double pid_setpoint(int a, const PidStates& states, double setpoint) const {
    if (states.slew < 0) return setpoint;
    return next_activation(model_, data_, a, 0, data_.act_dot[states.slew]);
  }

  // The integral follows the rate-limited setpoint. At its limit it can only move away from it.
  void pid_rates(int a, double setpoint, double* rate) const {
    const double* prm = model_.actuator_dynprm.row(a, 10);
    const double slew = prm[1], limit = prm[0], period = full_turn(model_, a);
    const PidStates states(model_, a);
    if (states.slew >= 0) {
      const double act = data_.act[states.slew];
      const double wanted = (nearest_on_circle(setpoint, act, period) - act) / model_.opt.timestep;
      *rate++ = std::max(-slew, std::min(slew, wanted));
    }
    if (states.integral < 0) return;
    const double error = nearest_on_circle(pid_setpoint(a, states, setpoint), length(a), period) - length(a);
    const double act = data_.act[states.integral];
    *rate = limit > 0 && std::fabs(act) >= limit && error * act > 0 ? 0 : error;
  }

  double pid_force(int a, const double* u) const {
    const int inputs = model_.actuator_ctrlspec[a];
    const double* prm = model_.actuator_biasprm.row(a, 10);
    double position = inputs & kInputPosition ? *u++ : 0;
    const double speed = inputs & kInputVelocity ? *u++ : 0, feedforward = inputs & kInputForce ? *u++ : 0;
    const PidStates states(model_, a);
    const double integral = states.integral < 0 ? 0 : activation(a, states.integral - model_.actuator_actadr[a]);
    position = nearest_on_circle(pid_setpoint(a, states, position), length(a), full_turn(model_, a));
    return prm[0] + prm[1] * (length(a) - position) + prm[2] * (velocity(a) - speed) +
           model_.actuator_gainprm[10 * a] * integral + feedforward;
  }

  // Along the shortest turn from the orientation q to the wanted one: kp log(q^-1 wanted) - kv w.
  void so3_force(int a, const double* u, double* force) const {
    const int out = model_.actuator_outadr[a], first = model_.actuator_actadr[a];
    const Quat<double> q = quat_from_rotation_vector(load3(data_.actuator_length.row(out, 1)));
    Quat<double> wanted;
    if (model_.actuator_ctrlspec[a] == kChartQuat) {
      wanted = normalized(load4(u));
    } else {
      double rotation[3];
      for (int k = 0; k < 3; ++k) rotation[k] = first < 0 ? u[k] : activation(a, k);
      wanted = quat_from_rotation_vector(load3(rotation));
    }
    const Vec error = quat_difference(wanted, q);
    const double kp = model_.actuator_gainprm[10 * a], slope = model_.actuator_biasprm[10 * a + 2];
    store3(force, error * kp + load3(data_.actuator_velocity.row(out, 1)) * slope);
  }

  const Model& model_;
  Data& data_;
  const double* ctrl_;
};

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

void limit_force(const Model& model, Data& data, int a) {
  if (!model.actuator_forcelimited[a] || gain_of(model, a) == ActuatorGain::kDcMotor) return;  // has its own
  const double* range = model.actuator_forcerange.row(a, 2);
  double* force = data.actuator_force.row(model.actuator_outadr[a], 1);
  if (gain_of(model, a) != ActuatorGain::kSo3) {
    force[0] = clamped(force[0], range);
    return;
  }
  const double size = norm(load3(force));
  if (size > range[1]) store3(force, load3(force) * (range[1] / size));
}

void clear_rates(const Model& model, Data& data, int a) {
  const int first = model.actuator_actadr[a];
  if (first >= 0) std::fill_n(data.act_dot.begin() + first, model.actuator_actnum[a], 0.0);
}

void apply_forces(const Model& model, Data& data) {
  for (int out = 0; out < model.nout; ++out) {
    const double force = data.actuator_force[out];
    if (force == 0) continue;
    for (int k = model.moment_rowadr[out], end = k + model.moment_rownnz[out]; k < end; ++k)
      data.qfrc_actuator[model.moment_colind[k]] += force * data.actuator_moment[k];
  }
}

}  // namespace

double nearest_on_circle(double x, double center, double period) {
  return period > 0 ? x - period * std::round((x - center) / period) : x;
}

bool is_disabled(const Model& model, int actuator) {
  const int group = model.actuator_group[actuator];
  return group >= 0 && group <= 30 && (model.opt.disableactuator & (1 << group)) != 0;
}

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
  ActuationStage stage(model, data, ctrl);
  for_each_awake_actuator(model, data, [&](int a) {
    if (!data.awake.all) clear_rates(model, data, a);
    stage.rates(a);
    if (!is_disabled(model, a)) stage.force(a);
  });
  if (formulation(model.opt).solves_for_drives) set_drive_references(model, data);
  limit_tendon_forces(model, data);
  for_each_awake_actuator(model, data, [&](int a) { limit_force(model, data, a); });
  apply_forces(model, data);
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
  for (int a = 0; a < model.nactuator; ++a) {
    const int first = model.actuator_actadr[a];
    if (first < 0) continue;
    const bool off = is_disabled(model, a);
    for (int k = 0; k < model.actuator_actnum[a]; ++k)
      data.act[first + k] = next_activation(model, data, a, k, off ? 0 : act_dot[first + k]);
    if (gain_of(model, a) == ActuatorGain::kSo3) shorten_rotation(data.act.row(first, 1));
  }
}

}  // namespace torsor
