// The tables of every instruction set.
#include "torsor/dynamics/dispatch.hpp"

#include "torsor/core/isa.hpp"

namespace torsor {

#define TORSOR_DECLARE_KERNELS(isa)        \
  namespace isa {                          \
  extern const WorldKernels kWorldKernels; \
  extern const LaneTables kLaneTables;     \
  }
TORSOR_EACH_ISA(TORSOR_DECLARE_KERNELS)

namespace {

#define TORSOR_KERNEL_SET(isa) {#isa, &isa::kWorldKernels, &isa::kLaneTables},
constexpr KernelSet kSets[] = {TORSOR_EACH_ISA(TORSOR_KERNEL_SET)};

}  // namespace

std::vector<KernelSet> available_kernels() {
  std::vector<KernelSet> sets;
  for (const Isa isa : available_isas()) sets.push_back(kSets[int(isa)]);
  return sets;
}

const KernelSet& kernels() { return kSets[int(current_isa())]; }

template <>
const LaneKernels<double>& lane_kernels<double>() {
  return kernels().lanes->of_double;
}
template <>
const LaneKernels<float>& lane_kernels<float>() {
  return kernels().lanes->of_float;
}

void use_kernels(const std::string& name) { use_isa(name); }

}  // namespace torsor
