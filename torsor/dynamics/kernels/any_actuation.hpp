// Activation rates and forces of actuators of any kind, in one world: branches depend on its state. Numbers of the
// world are read as double. What an actuator of the user's, or a motor with states of its own, does, a class of the
// caller knows:
//     void rates(int a);                             into act_dot
//     double next(int a, int k, double rate);        activation k of a motor after the time step
//     double motor_force(int a);
//     double gain(int a); double bias(int a);        of the user
#pragma once

#include <algorithm>
#include <cmath>

#include "torsor/dynamics/kernels/circle.hpp"
#include "torsor/dynamics/kernels/joint_drive.hpp"
#include "torsor/dynamics/muscle.hpp"
#include "torsor/math/quat.hpp"

namespace torsor {

namespace actuation {

TORSOR_HD inline ActuatorDynamics dynamics_of(const ModelView& model, int a) {
  return static_cast<ActuatorDynamics>(model.actuator_dyntype[a]);
}
TORSOR_HD inline ActuatorGain gain_of(const ModelView& model, int a) {
  return static_cast<ActuatorGain>(model.actuator_gaintype[a]);
}
TORSOR_HD inline ActuatorBias bias_of(const ModelView& model, int a) {
  return static_cast<ActuatorBias>(model.actuator_biastype[a]);
}
TORSOR_HD inline Muscle muscle_of(const ModelView& model, int a, const double* prm) {
  const int out = model.actuator_outadr[a];
  return Muscle(prm, model.actuator_lengthrange.row(out, 2), model.actuator_acc0[out]);
}
// See nearest_on_circle().
TORSOR_HD inline double nearest(double x, double center, double period) {
  return period > 0 ? x - period * std::round((x - center) / period) : x;
}
TORSOR_HD inline bool is_off(const ModelView& model, int a) {
  const int group = model.actuator_group[a];
  return group >= 0 && group <= 30 && (model.opt.disableactuator & (1 << group)) != 0;
}

}  // namespace actuation

template <class T, class Others>
class ActuationRules {
  using Vec = Vec3<double>;

 public:
  TORSOR_HD ActuationRules(const ModelView& model, DataView<T>& data, const Others& others)
      : model_(model), data_(data), others_(others) {}

  // Of controls within their ranges.
  TORSOR_HD void rates(int a, ConstPointerTo<T> ctrl) {
    using namespace actuation;
    const int first = model_.actuator_actadr[a];
    if (first < 0) return;
    const int u = model_.actuator_ctrladr[a];
    const double* prm = model_.actuator_dynprm.row(a, 10);
    const double act = number(data_.act[first]);
    const auto set_rate = [&](double rate) { data_.act_dot[first] = T(rate); };
    switch (dynamics_of(model_, a)) {
      case ActuatorDynamics::kIntegrator:
        for (int k = 0; k < model_.actuator_actnum[a]; ++k) data_.act_dot[first + k] = ctrl[u + k];
        break;
      case ActuatorDynamics::kFilter:
      case ActuatorDynamics::kFilterExact:
        set_rate((on_circle_near(a, number(ctrl[u]), act) - act) / at_least_min_value(prm[0]));
        break;
      case ActuatorDynamics::kMuscle:
        set_rate(muscle_activation_rate(number(ctrl[u]), act, prm));
        break;
      case ActuatorDynamics::kPid:
        pid_rates(a, number(ctrl[u]));
        break;
      case ActuatorDynamics::kUser:
      case ActuatorDynamics::kDcMotor:
        others_.rates(a);
        break;
      case ActuatorDynamics::kNone:
        break;
    }
  }

  // Without limits.
  TORSOR_HD void force(int a, ConstPointerTo<T> ctrl) {
    using namespace actuation;
    const int out = model_.actuator_outadr[a], u = model_.actuator_ctrladr[a];
    switch (gain_of(model_, a)) {
      case ActuatorGain::kSo3:
        return so3_force(a, ctrl + u);
      case ActuatorGain::kPid:
        data_.actuator_force[out] = T(pid_force(a, ctrl + u));
        break;
      case ActuatorGain::kDcMotor:
        data_.actuator_force[out] = T(others_.motor_force(a));
        break;
      default:
        data_.actuator_force[out] = T(gain(a) * input(a, number(ctrl[u])) + bias(a));
    }
  }

  TORSOR_HD void limit(int a) {
    using namespace actuation;
    if (!model_.actuator_forcelimited[a] || gain_of(model_, a) == ActuatorGain::kDcMotor) return;  // has its own
    const double* range = model_.actuator_forcerange.row(a, 2);
    const auto force = data_.actuator_force.row(model_.actuator_outadr[a], 1);
    if (gain_of(model_, a) != ActuatorGain::kSo3) {
      force[0] = clamped(force[0], range);
      return;
    }
    const Vec f = vector(force);
    const double size = norm(f);
    if (size > range[1]) store(force, f * (range[1] / size));
  }

  // Activation number k after the time step.
  TORSOR_HD double next_activation(int a, int k, double rate) const {
    using namespace actuation;
    const double h = model_.opt.timestep;
    double act = number(data_.act[model_.actuator_actadr[a] + k]);
    if (dynamics_of(model_, a) == ActuatorDynamics::kDcMotor) return others_.next(a, k, rate);
    if (dynamics_of(model_, a) == ActuatorDynamics::kFilterExact) {
      const double tau = at_least_min_value(model_.actuator_dynprm[10 * a]);
      act += rate * tau * (1 - std::exp(-h / tau));
    } else {
      act += rate * h;
    }
    if (model_.actuator_actlimited[a]) act = clamped(act, model_.actuator_actrange.row(a, 2));
    return setpoint_on_circle(a, act);
  }

  // All activations of an actuator after the time step.
  TORSOR_HD void advance(int a, ConstPointerTo<T> act_dot) {
    using namespace actuation;
    const int first = model_.actuator_actadr[a];
    if (first < 0) return;
    const bool off = is_off(model_, a);
    for (int k = 0; k < model_.actuator_actnum[a]; ++k)
      data_.act[first + k] = T(next_activation(a, k, off ? 0 : number(act_dot[first + k])));
    if (gain_of(model_, a) == ActuatorGain::kSo3) shorten_rotation(data_.act.row(first, 1));
  }

 private:
  static TORSOR_HD double number(const T& x) { return lane(x, 0); }
  template <class Pointer>
  static TORSOR_HD Vec vector(const Pointer& p) {
    return {number(p[0]), number(p[1]), number(p[2])};
  }
  static TORSOR_HD void store(PointerTo<T> p, const Vec& v) {
    for (int i = 0; i < 3; ++i) p[i] = T(v[i]);
  }

  TORSOR_HD double length(int a) const { return number(data_.actuator_length[model_.actuator_outadr[a]]); }
  TORSOR_HD double velocity(int a) const { return number(data_.actuator_velocity[model_.actuator_outadr[a]]); }

  // Of a servo, angles that differ by full turns are the same setpoint.
  TORSOR_HD double setpoint_on_circle(int a, double setpoint) const {
    return is_servo(model_, a) ? actuation::nearest(setpoint, length(a), full_turn(model_, a)) : setpoint;
  }
  // A control of a servo as the one of its equals that is nearest to its activation.
  TORSOR_HD double on_circle_near(int a, double control, double act) const {
    return is_servo(model_, a) ? actuation::nearest(control, act, full_turn(model_, a)) : control;
  }

  // A rotation vector no longer than half a turn.
  static TORSOR_HD void shorten_rotation(PointerTo<T> rotation) {
    constexpr double kPi = 3.14159265358979323846;
    const Vec v = vector(rotation);
    const double angle = norm(v);
    if (angle > kPi) store(rotation, v * (actuation::nearest(angle, 0, 2 * kPi) / angle));
  }

  // The last activation, now or after the step; the control where there is none.
  TORSOR_HD double input(int a, double control) const {
    if (model_.actuator_actadr[a] < 0) return setpoint_on_circle(a, control);
    return setpoint_on_circle(a, activation(a, model_.actuator_actnum[a] - 1));
  }
  TORSOR_HD double activation(int a, int k) const {
    const int address = model_.actuator_actadr[a] + k;
    if (!model_.actuator_actearly[a]) return number(data_.act[address]);
    return next_activation(a, k, number(data_.act_dot[address]));
  }

  TORSOR_HD double gain(int a) const {
    using namespace actuation;
    const double* prm = model_.actuator_gainprm.row(a, 10);
    switch (gain_of(model_, a)) {
      case ActuatorGain::kAffine:
        return prm[0] + prm[1] * length(a) + prm[2] * velocity(a);
      case ActuatorGain::kMuscle:
        return muscle_of(model_, a, prm).gain(length(a), velocity(a));
      case ActuatorGain::kUser:
        return others_.gain(a);
      default:
        return prm[0];
    }
  }
  TORSOR_HD double bias(int a) const {
    using namespace actuation;
    const double* prm = model_.actuator_biasprm.row(a, 10);
    switch (bias_of(model_, a)) {
      case ActuatorBias::kAffine:
        return prm[0] + prm[1] * length(a) + prm[2] * velocity(a);
      case ActuatorBias::kMuscle:
        return muscle_of(model_, a, prm).bias(length(a));
      case ActuatorBias::kUser:
        return others_.bias(a);
      default:
        return 0;
    }
  }

  // The activations of a pid, where it has them: the rate-limited setpoint, then the integral of the error.
  struct PidStates {
    TORSOR_HD PidStates(const ModelView& model, int a) {
      const int first = model.actuator_actadr[a];
      if (first < 0) return;
      int next = first;
      if (model.actuator_dynprm[10 * a + 1] > 0) slew = next++;
      if (next < first + model.actuator_actnum[a]) integral = next;
    }
    int slew = -1, integral = -1;  // in act
  };

  // The setpoint at the end of the step.
  TORSOR_HD double pid_setpoint(int a, const PidStates& states, double setpoint) const {
    if (states.slew < 0) return setpoint;
    return next_activation(a, 0, number(data_.act_dot[states.slew]));
  }

  // The integral follows the rate-limited setpoint. At its limit it can only move away from it.
  TORSOR_HD void pid_rates(int a, double setpoint) {
    const double* prm = model_.actuator_dynprm.row(a, 10);
    const double slew = prm[1], limit = prm[0], period = full_turn(model_, a);
    const PidStates states(model_, a);
    if (states.slew >= 0) {
      const double act = number(data_.act[states.slew]);
      const double wanted = (actuation::nearest(setpoint, act, period) - act) / model_.opt.timestep;
      data_.act_dot[states.slew] = T(std::max(-slew, std::min(slew, wanted)));
    }
    if (states.integral < 0) return;
    const double error = actuation::nearest(pid_setpoint(a, states, setpoint), length(a), period) - length(a);
    const double act = number(data_.act[states.integral]);
    data_.act_dot[states.integral] = T(limit > 0 && std::fabs(act) >= limit && error * act > 0 ? 0 : error);
  }

  TORSOR_HD double pid_force(int a, ConstPointerTo<T> u) const {
    const int inputs = model_.actuator_ctrlspec[a];
    const double* prm = model_.actuator_biasprm.row(a, 10);
    int next = 0;
    double position = inputs & kInputPosition ? number(u[next++]) : 0;
    const double speed = inputs & kInputVelocity ? number(u[next++]) : 0,
                 feedforward = inputs & kInputForce ? number(u[next++]) : 0;
    const PidStates states(model_, a);
    const double integral = states.integral < 0 ? 0 : activation(a, states.integral - model_.actuator_actadr[a]);
    position = actuation::nearest(pid_setpoint(a, states, position), length(a), full_turn(model_, a));
    return prm[0] + prm[1] * (length(a) - position) + prm[2] * (velocity(a) - speed) +
           model_.actuator_gainprm[10 * a] * integral + feedforward;
  }

  // Along the shortest turn from the orientation q to the wanted one: kp log(q^-1 wanted) - kv w.
  TORSOR_HD void so3_force(int a, ConstPointerTo<T> u) {
    const int out = model_.actuator_outadr[a], first = model_.actuator_actadr[a];
    const Quat<double> q = quat_from_rotation_vector(vector(data_.actuator_length.row(out, 1)));
    Quat<double> wanted;
    if (model_.actuator_ctrlspec[a] == kChartQuat) {
      wanted = normalized(Quat<double>{number(u[0]), number(u[1]), number(u[2]), number(u[3])});
    } else {
      Vec rotation;
      for (int k = 0; k < 3; ++k) rotation[k] = first < 0 ? number(u[k]) : activation(a, k);
      wanted = quat_from_rotation_vector(rotation);
    }
    const Vec error = quat_difference(wanted, q);
    const double kp = model_.actuator_gainprm[10 * a], slope = model_.actuator_biasprm[10 * a + 2];
    store(data_.actuator_force.row(out, 1), error * kp + vector(data_.actuator_velocity.row(out, 1)) * slope);
  }

  const ModelView& model_;
  DataView<T>& data_;
  const Others others_;
};

// From the forces of actuators to those of dofs.
template <class T>
TORSOR_HD void apply_actuator_forces(const ModelView& model, DataView<T>& data) {
  for (int out = 0; out < model.nout; ++out) {
    const T force = data.actuator_force[out];
    if (force == T(0)) continue;
    for (int k = model.moment_rowadr[out], end = k + model.moment_rownnz[out]; k < end; ++k)
      data.qfrc_actuator[model.moment_colind[k]] += force * data.actuator_moment[k];
  }
}

}  // namespace torsor
