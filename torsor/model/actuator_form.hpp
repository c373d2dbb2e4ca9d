// Quantities derived from the parameters of an actuator.
#pragma once

#include "torsor/model/spec.hpp"

namespace torsor {

// How many activations a dcmotor has: one each for slew limit, integral, temperature, bristles and current, where its
// parameters require them.
int count_motor_activations(const ActuatorSpec& motor);

// How many activations any actuator has, if its parameters fit together.
int count_activations(const ActuatorSpec& actuator);

}  // namespace torsor
