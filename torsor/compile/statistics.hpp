// Statistics of the model in qpos0, used as scales.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor::compiler {

// `data` holds positions and M in qpos0.
void compute_dof_lengths(Model& model, const Data& data);
void compute_statistics(Model& model, const Data& data);  // model.stat

}  // namespace torsor::compiler
