// Which instruction set the kernels run with: the best one of the machine, or the one named by the environment variable
// TORSOR_ISA (baseline, avx2 or avx512). Chosen once, when first needed; every table of kernels follows it.
#pragma once

#include <string>
#include <vector>

#include "torsor/core/built_isas.hpp"

namespace torsor {

enum class Isa : int { kBaseline = 0, kAvx2 = 1, kAvx512 = 2 };

const char* isa_name(Isa isa);
// The sets that this machine can run and this build has kernels for, the best last.
std::vector<Isa> available_isas();
Isa current_isa();
// For tests and comparisons: from now on, use the named set. Throws Error for one that does not exist or cannot run
// here.
void use_isa(const std::string& name);

}  // namespace torsor
