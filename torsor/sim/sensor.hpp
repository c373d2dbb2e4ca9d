// Sensors of one world. A reading is taken after the stage that it needs. Quantities that only some sensors need
// (momenta of subtrees, forces between bodies, energies) are computed on demand.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// Writes the readings of the sensors of one stage into sensordata, of those only that a filter lets pass. Does nothing
// if the flag `sensor` is disabled.
using SensorFilter = bool (*)(const Model& model, int id);
void compute_sensors(const Model& model, Data& data, SensorStage stage, SensorFilter filter = nullptr);

// Stores the readings of this step in the histories of sensors; called at the end of a step, before the state changes.
// Also advances the step count of the noise.
void remember_readings(const Model& model, Data& data);

}  // namespace torsor
