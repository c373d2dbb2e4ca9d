// Statistics of the model in qpos0, used as scales.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor::compiler {

// Fills model.stat and dof_length. `data` holds positions in qpos0, and dof_M0 is known.
void compute_statistics(Model& model, const Data& data);

}  // namespace torsor::compiler
