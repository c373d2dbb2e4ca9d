// Sensors of one world. A reading is taken after the stage that it needs; what only some sensors need (momenta of
// subtrees, forces between bodies, energies) is computed when the first of them asks.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// Readings of all sensors of one stage, into sensordata. Nothing where the flag `sensor` is disabled.
void compute_sensors(const Model& model, Data& data, SensorStage stage);

// The readings of this step go into the histories of the sensors that have one, at the end of a step before the state
// changes. Counts the step for the noise, too.
void remember_readings(const Model& model, Data& data);

}  // namespace torsor
