// Equations of the DC motor. Parameters:
// dynprm  L/R, largest rate of the current, thermal resistance and capacity, ambient temperature, bristle stiffness and
//         damping, largest rate of the first input, largest integral
// gainprm R, K, temperature coefficient of R and its temperature, kp, ki, kd, largest voltage of the controller
// biasprm cogging: amplitude, poles, phase; friction: Coulomb, static, velocity of the transition
#include "torsor/dynamics/dcmotor.hpp"

#include <algorithm>
#include <cmath>

namespace torsor {
namespace {

double limited(double x, double limit) { return std::max(-limit, std::min(limit, x)); }

}  // namespace

DcMotor::DcMotor(const Model& model, const Data& data, int a)
    : model_(model),
      act_(model.actuator_actadr[a] < 0 ? nullptr : data.act.row(model.actuator_actadr[a], 1)),
      dyn_(model.actuator_dynprm.row(a, 10)),
      gain_(model.actuator_gainprm.row(a, 10)),
      bias_(model.actuator_biasprm.row(a, 10)),
      inputs_(model.actuator_ctrlspec[a]),
      length_(data.actuator_length[model.actuator_outadr[a]]),
      velocity_(data.actuator_velocity[model.actuator_outadr[a]]),
      range_(model.actuator_forcelimited[a] ? model.actuator_forcerange.row(a, 2) : nullptr) {
  // parameters are free to edit, the number of activations is not: there may be fewer than they ask for
  int next = 0;
  const int count = model.actuator_actnum[a];
  const auto take = [&](bool wanted, int& place) {
    if (wanted && next < count) place = next++;
  };
  take(dyn_[7] > 0, states_.slew);
  take(gain_[5] != 0, states_.integral);
  take(dyn_[2] > 0, states_.temperature);
  take(dyn_[5] > 0, states_.bristle);
  take(dyn_[0] > 0, states_.current);
}

bool DcMotor::is_controlled() const { return inputs_ & (kInputPosition | kInputVelocity | kInputForce); }

double DcMotor::slew_rate(double setpoint) const {
  return limited((setpoint - act(states_.slew)) / model_.opt.timestep, dyn_[7]);
}

DcMotor::Inputs DcMotor::read(const double* controls, const double* rates) const {
  Inputs inputs;
  const double* u = controls;
  double* first = nullptr;
  const struct {
    int bit;
    double* value;
  } all[] = {{kInputPosition, &inputs.position},
             {kInputVelocity, &inputs.velocity},
             {kInputForce, &inputs.torque},
             {kInputVoltage, &inputs.voltage}};
  for (const auto& input : all) {
    if (!(inputs_ & input.bit)) continue;
    *input.value = *u++;
    if (!first) first = input.value;
  }
  if (first && states_.slew >= 0) *first = next(states_.slew, rates[states_.slew]);
  return inputs;
}

// The controller asks for a torque; its voltage makes up for what the motion induces.
double DcMotor::voltage(const Inputs& inputs) const {
  if (!is_controlled()) return inputs.voltage;
  const double R = gain_[0], K = gain_[1];
  double torque = gain_[6] * (inputs.velocity - velocity_) + inputs.torque;
  torque += gain_[4] * (inputs.position - length_);
  if (states_.integral >= 0) torque += gain_[5] * act(states_.integral);
  const double wanted = R / K * torque + K * velocity_;
  return (gain_[7] > 0 ? limited(wanted, gain_[7]) : wanted) + inputs.voltage;
}

bool DcMotor::is_voltage_limited(const double* controls, const double* rates) const {
  Inputs inputs = read(controls, rates);
  inputs.voltage = 0;
  return gain_[7] > 0 && std::fabs(voltage(inputs)) >= gain_[7];
}

// The state is the temperature above the ambient one.
double DcMotor::resistance() const {
  if (states_.temperature < 0) return gain_[0];
  return gain_[0] * (1 + gain_[2] * (act(states_.temperature) + dyn_[4] - gain_[3]));
}

double DcMotor::steady_current(double voltage) const { return (voltage - gain_[1] * velocity_) / resistance(); }

double DcMotor::bristle_stiffness() const {
  const double ratio = velocity_ / std::max(kMinValue, bias_[5]);
  const double friction = bias_[3] + (bias_[4] - bias_[3]) * std::exp(-ratio * ratio);
  return dyn_[5] * std::fabs(velocity_) / std::max(kMinValue, friction);
}

double DcMotor::bristle_rate() const { return velocity_ - bristle_stiffness() * act(states_.bristle); }

void DcMotor::compute_rates(const double* controls, double* rates) const {
  if (states_.slew >= 0) rates[states_.slew] = slew_rate(controls[0]);
  const Inputs inputs = read(controls, rates);
  const double steady = steady_current(voltage(inputs));
  if (states_.integral >= 0) {
    const double error = (inputs.position - length_), sum = act(states_.integral), limit = dyn_[8];
    rates[states_.integral] = limit > 0 && std::fabs(sum) >= limit && error * sum > 0 ? 0 : error;
  }
  if (states_.temperature >= 0) {
    const double current = states_.current >= 0 ? act(states_.current) : steady;
    rates[states_.temperature] = (current * current * resistance() - act(states_.temperature) / dyn_[2]) / dyn_[3];
  }
  if (states_.bristle >= 0) rates[states_.bristle] = bristle_rate();
  if (states_.current >= 0) {
    const double rate = (steady - act(states_.current)) / dyn_[0];
    rates[states_.current] = dyn_[1] > 0 ? limited(rate, dyn_[1]) : rate;
  }
}

double DcMotor::torque(const double* controls, const double* rates) const {
  return gain_[1] * (states_.current >= 0 ? next(states_.current, rates[states_.current])
                                          : steady_current(voltage(read(controls, rates))));
}

double DcMotor::force(const double* controls, const double* rates) const {
  double force = torque(controls, rates);
  if (range_) force = std::max(range_[0], std::min(range_[1], force));
  if (bias_[0] != 0) force += bias_[0] * std::sin(bias_[1] * length_ + bias_[2]);
  if (states_.bristle >= 0) force -= dyn_[5] * act(states_.bristle) + dyn_[6] * bristle_rate();
  return force;
}

bool DcMotor::is_rate_limited(const double* controls, const double* rates) const {
  if (states_.current < 0 || dyn_[1] <= 0) return false;
  const double steady = steady_current(voltage(read(controls, rates)));
  return std::fabs((steady - act(states_.current)) / dyn_[0]) >= dyn_[1];
}

DcMotor::Slope DcMotor::torque_slope(const double* controls, const double* rates) const {
  if (range_) {
    if (const double force = torque(controls, rates); force <= range_[0] || force >= range_[1]) return {0, 0};
  }
  if (is_rate_limited(controls, rates)) return {0, 0};
  const double R = resistance(), K = gain_[1];
  const double share = states_.current >= 0 ? 1 - std::exp(-model_.opt.timestep / dyn_[0]) : 1;
  if (!is_controlled() || is_voltage_limited(controls, rates)) return {0, -K * K / R * share};
  const double known = gain_[0] / R;  // the controller knows the cold winding
  return {-gain_[4] * known * share, -gain_[6] * known * share};
}

DcMotor::Slope DcMotor::slope(const double* controls, const double* rates) const {
  Slope slope = torque_slope(controls, rates);
  slope.by_length += bias_[0] * bias_[1] * std::cos(bias_[1] * length_ + bias_[2]);
  if (states_.bristle >= 0) slope.by_velocity -= dyn_[6];
  return slope;
}

double DcMotor::next(int k, double rate) const {
  const double h = model_.opt.timestep;
  if (k == states_.current) return act(k) + rate * dyn_[0] * (1 - std::exp(-h / dyn_[0]));
  if (k == states_.bristle) {
    const double stiffness = bristle_stiffness();
    // exact at this velocity, whatever rates an integrator has averaged
    return act(k) + bristle_rate() * (stiffness > kMinValue ? (1 - std::exp(-stiffness * h)) / stiffness : h);
  }
  const double after = act(k) + rate * h;
  return k == states_.integral && dyn_[8] > 0 ? limited(after, dyn_[8]) : after;
}

}  // namespace torsor
