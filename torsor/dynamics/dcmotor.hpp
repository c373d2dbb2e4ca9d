// The DC motor: v = i R + K w, torque = K i, with a controller, current that builds up, a winding that heats up,
// cogging and friction by bristles (LuGre). [Canudas de Wit et al. 1995]
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

class DcMotor {
 public:
  DcMotor(const Model& model, const Data& data, int actuator);

  // Rates of the activations, from the controls of the actuator. `rates` is its part of act_dot.
  void compute_rates(const double* controls, double* rates) const;
  double force(const double* controls, const double* rates) const;
  // Derivatives of the force by length and velocity: of the warm winding, and without what is at a limit (torque,
  // voltage, rate of the current).
  struct Slope {
    double by_length, by_velocity;
  };
  Slope slope(const double* controls, const double* rates) const;
  // Activation k after the time step.
  double next(int k, double rate) const;

 private:
  // Activations, in their order; -1 for those that the motor does not have.
  struct States {
    int slew = -1, integral = -1, temperature = -1, bristle = -1, current = -1;
  };
  // Setpoints, the first of them no faster than allowed, and the voltage that is added.
  struct Inputs {
    double position = 0, velocity = 0, torque = 0, voltage = 0;
  };

  bool is_controlled() const;
  double act(int state) const { return act_[state]; }
  double slew_rate(double setpoint) const;
  Inputs read(const double* controls, const double* rates) const;
  double voltage(const Inputs& inputs) const;
  bool is_voltage_limited(const double* controls, const double* rates) const;  // that of the controller
  double resistance() const;                                                   // of the warm winding
  double steady_current(double voltage) const;                                 // without inductance
  double torque(const double* controls, const double* rates) const;            // of the current, without limits
  bool is_rate_limited(const double* controls, const double* rates) const;     // of the current
  Slope torque_slope(const double* controls, const double* rates) const;
  double bristle_stiffness() const;  // 1/s: how fast bristles come to rest
  double bristle_rate() const;

  const Model& model_;
  const double *act_, *dyn_, *gain_, *bias_;
  int inputs_;
  double length_, velocity_;
  const double* range_;  // of the torque by the current; null without limits
  States states_;
};

}  // namespace torsor
