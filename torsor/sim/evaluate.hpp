// Forward and inverse dynamics inside a step: like those of sim.hpp, but when out of memory they return and set
// data.memory_needed() instead of throwing.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

void evaluate_forward(const Model& model, Data& data, SkipStage skip, bool skip_sensors = false);
void evaluate_inverse(const Model& model, Data& data, SkipStage skip, bool skip_sensors = false);

// What step() checks: bad numbers of qpos, qvel or qacc (kBadQpos, kBadQvel, kBadQacc) count a warning and reset the
// simulation, unless that is disabled; after a reset because of qacc, forward dynamics runs again.
void check_numbers(const Model& model, Data& data, Warning kind);

}  // namespace torsor
