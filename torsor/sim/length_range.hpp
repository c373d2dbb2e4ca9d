// How short and how long an actuator can be: found by pulling at it, as compile() asks for muscles.
#pragma once

#include "torsor/compile/compile.hpp"

namespace torsor {

// Pulls with a force that accelerates the joints by `settings.accel`, with velocities that die away, and waits until
// the length settles; first one way, then the other. Limits and equalities hold; contacts, friction, springs, dampers,
// gravity and actuators are switched off.
LengthMeasurement measure_length_range(const Model& model, int output, const LengthRangeSpec& settings);

}  // namespace torsor
