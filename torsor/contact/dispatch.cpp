// One table of kernels per instruction set.
#include "torsor/contact/dispatch.hpp"

#include "torsor/core/isa.hpp"

namespace torsor {

#define TORSOR_DECLARE_KERNELS(isa)            \
  namespace isa {                              \
  extern const NearKernels kNearKernels;       \
  extern const HullKernels kHullKernels;       \
  extern const BoxKernels kBoxKernels;         \
  extern const NearestKernels kNearestKernels; \
  }
TORSOR_EACH_ISA(TORSOR_DECLARE_KERNELS)

namespace {

struct Tables {
  const NearKernels* near;
  const HullKernels* hull;
  const BoxKernels* box;
  const NearestKernels* nearest;
};

#define TORSOR_CONVEX_TABLES(isa) {&isa::kNearKernels, &isa::kHullKernels, &isa::kBoxKernels, &isa::kNearestKernels},
constexpr Tables kTables[] = {TORSOR_EACH_ISA(TORSOR_CONVEX_TABLES)};

}  // namespace

const NearKernels& near_kernels() { return *kTables[static_cast<int>(current_isa())].near; }
const HullKernels& hull_kernels() { return *kTables[static_cast<int>(current_isa())].hull; }
const NearestKernels& nearest_kernels() { return *kTables[static_cast<int>(current_isa())].nearest; }
const BoxKernels& box_kernels() { return *kTables[static_cast<int>(current_isa())].box; }

}  // namespace torsor
