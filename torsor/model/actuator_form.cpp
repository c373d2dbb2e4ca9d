// Quantities derived from the parameters of an actuator.
#include "torsor/model/actuator_form.hpp"

namespace torsor {

int count_motor_activations(const ActuatorSpec& motor) {
  const Number10 &dyn = motor.dynprm, &gain = motor.gainprm;
  return (dyn[7] > 0) + (gain[5] != 0) + (dyn[2] > 0) + (dyn[5] > 0) + (dyn[0] > 0);
}

}  // namespace torsor
