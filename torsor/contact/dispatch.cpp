// One table of kernels per instruction set.
#include "torsor/contact/dispatch.hpp"

#include "torsor/core/isa.hpp"

namespace torsor {

#define TORSOR_DECLARE_KERNELS(isa)      \
  namespace isa {                        \
  extern const NearKernels kNearKernels; \
  }
TORSOR_DECLARE_KERNELS(baseline)
#if TORSOR_HAS_WIDE_ISAS
TORSOR_DECLARE_KERNELS(avx2)
TORSOR_DECLARE_KERNELS(avx512)
#endif

namespace {

// in the order of Isa
constexpr const NearKernels* kTables[] = {
    &baseline::kNearKernels,
#if TORSOR_HAS_WIDE_ISAS
    &avx2::kNearKernels,
    &avx512::kNearKernels,
#endif
};

}  // namespace

const NearKernels& near_kernels() { return *kTables[static_cast<int>(current_isa())]; }

}  // namespace torsor
