// A number that tells whether a Data fits a Model.
#pragma once

#include "torsor/model/model.hpp"

namespace torsor::compiler {

// A hash of all sizes and of the tree: models that differ in values only have the same.
uint64_t compute_signature(const Model& model);

}  // namespace torsor::compiler
