// Forward and inverse dynamics inside of a step: as those of sim.hpp, but when memory is not enough they return, and
// data.memory_needed() tells; a step never throws for that.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

void evaluate_forward(const Model& model, Data& data, SkipStage skip, bool skip_sensors = false);
void evaluate_inverse(const Model& model, Data& data, SkipStage skip, bool skip_sensors = false);

}  // namespace torsor
