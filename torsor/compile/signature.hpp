// A hash by which to check that a Data fits a Model.
#pragma once

#include "torsor/model/model.hpp"

namespace torsor::compiler {

// A hash of all sizes and of the tree; models that differ only in values have the same.
uint64_t compute_signature(const Model& model);

}  // namespace torsor::compiler
