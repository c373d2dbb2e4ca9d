// The kernels of the instruction set that core/isa.hpp chose.
#pragma once

#include <string>
#include <vector>

#include "torsor/dynamics/kernels/lanes.hpp"
#include "torsor/dynamics/kernels/world.hpp"

namespace torsor {

struct KernelSet {
  const char* name;
  const WorldKernels* world;
  const LaneTables* lanes;
};

const KernelSet& kernels();
inline const WorldKernels& world_kernels() { return *kernels().world; }
template <class S>
const LaneKernels<S>& lane_kernels();

// The sets that this machine can run, the best last.
std::vector<KernelSet> available_kernels();
// For tests and comparisons: from now on, use the named set. Throws Error for one that does not exist or cannot run
// here.
void use_kernels(const std::string& name);

}  // namespace torsor
