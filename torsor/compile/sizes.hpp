// How large the arrays of the compiled Model are.
#pragma once

#include "torsor/compile/tree.hpp"

namespace torsor::compiler {

// Reports models that are too large to be meant, or for Spec::memory_limit.
ModelSizes count_sizes(Draft& draft, const Tree& tree);

}  // namespace torsor::compiler
