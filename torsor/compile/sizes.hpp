// Sizes of the arrays of the compiled Model.
#pragma once

#include "torsor/compile/tree.hpp"

namespace torsor::compiler {

// Reports models that are implausibly large, or larger than Spec::memory_limit.
ModelSizes count_sizes(Draft& draft, const Tree& tree);

}  // namespace torsor::compiler
