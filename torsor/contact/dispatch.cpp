// One table of kernels per instruction set.
#include "torsor/contact/dispatch.hpp"

#include "torsor/core/isa.hpp"

namespace torsor {

#define TORSOR_DECLARE_KERNELS(isa)              \
  namespace isa {                                \
  extern const NearKernels kNearKernels;         \
  extern const HullKernels kHullKernels;         \
  extern const BoxKernels kBoxKernels;           \
  extern const PolytopeKernels kPolytopeKernels; \
  }
TORSOR_DECLARE_KERNELS(baseline)
#if TORSOR_HAS_WIDE_ISAS
TORSOR_DECLARE_KERNELS(avx2)
TORSOR_DECLARE_KERNELS(avx512)
#endif

namespace {

struct Tables {
  const NearKernels* near;
  const HullKernels* hull;
  const BoxKernels* box;
  const PolytopeKernels* polytope;
};

// in the order of Isa
constexpr Tables kTables[] = {
    {&baseline::kNearKernels, &baseline::kHullKernels, &baseline::kBoxKernels, &baseline::kPolytopeKernels},
#if TORSOR_HAS_WIDE_ISAS
    {&avx2::kNearKernels, &avx2::kHullKernels, &avx2::kBoxKernels, &avx2::kPolytopeKernels},
    {&avx512::kNearKernels, &avx512::kHullKernels, &avx512::kBoxKernels, &avx512::kPolytopeKernels},
#endif
};

}  // namespace

const NearKernels& near_kernels() { return *kTables[static_cast<int>(current_isa())].near; }
const HullKernels& hull_kernels() { return *kTables[static_cast<int>(current_isa())].hull; }
const PolytopeKernels& polytope_kernels() { return *kTables[static_cast<int>(current_isa())].polytope; }
const BoxKernels& box_kernels() { return *kTables[static_cast<int>(current_isa())].box; }

}  // namespace torsor
