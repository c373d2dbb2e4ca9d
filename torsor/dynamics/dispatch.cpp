// The tables of every instruction set.
#include "torsor/dynamics/dispatch.hpp"

#include "torsor/core/isa.hpp"

namespace torsor {

#define TORSOR_DECLARE_KERNELS(isa)        \
  namespace isa {                          \
  extern const WorldKernels kWorldKernels; \
  extern const LaneKernels kLaneKernels;   \
  }
TORSOR_DECLARE_KERNELS(baseline)
#if TORSOR_HAS_WIDE_ISAS
TORSOR_DECLARE_KERNELS(avx2)
TORSOR_DECLARE_KERNELS(avx512)
#endif

namespace {

// in the order of Isa
constexpr KernelSet kSets[] = {
    {"baseline", &baseline::kWorldKernels, &baseline::kLaneKernels},
#if TORSOR_HAS_WIDE_ISAS
    {"avx2", &avx2::kWorldKernels, &avx2::kLaneKernels},
    {"avx512", &avx512::kWorldKernels, &avx512::kLaneKernels},
#endif
};

}  // namespace

std::vector<KernelSet> available_kernels() {
  std::vector<KernelSet> sets;
  for (const Isa isa : available_isas()) sets.push_back(kSets[int(isa)]);
  return sets;
}

const KernelSet& kernels() { return kSets[int(current_isa())]; }

void use_kernels(const std::string& name) { use_isa(name); }

}  // namespace torsor
