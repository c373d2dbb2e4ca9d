// The shortest and longest length of an actuator, found by simulation. compile() uses this for muscles.
#pragma once

#include "torsor/compile/compile.hpp"

namespace torsor {

// Applies a force that accelerates the joints by `settings.accel`, with decaying velocities, until the length settles;
// first in one direction, then in the other. Limits and equalities are active; contacts, friction, springs, dampers,
// gravity and actuators are disabled.
LengthMeasurement measure_length_range(const Model& model, int output, const LengthRangeSpec& settings);

}  // namespace torsor
