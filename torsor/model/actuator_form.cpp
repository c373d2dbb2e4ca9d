// Quantities derived from the parameters of an actuator.
#include "torsor/model/actuator_form.hpp"

namespace torsor {

int count_motor_activations(const ActuatorSpec& motor) {
  const Number10 &dyn = motor.dynprm, &gain = motor.gainprm;
  return (dyn[7] > 0) + (gain[5] != 0) + (dyn[2] > 0) + (dyn[5] > 0) + (dyn[0] > 0);
}

int count_activations(const ActuatorSpec& actuator) {
  if (actuator.dyntype == ActuatorDynamics::kNone) return 0;
  if (actuator.gaintype == ActuatorGain::kSo3) return 3;
  if (actuator.gaintype == ActuatorGain::kDcMotor) return count_motor_activations(actuator);
  if (actuator.actdim >= 0) return actuator.actdim;
  if (actuator.dyntype == ActuatorDynamics::kPid) return (actuator.dynprm[1] > 0) + (actuator.gainprm[0] != 0);
  return 1;
}

}  // namespace torsor
