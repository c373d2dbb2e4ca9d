// The solvers for worlds in lanes of the instruction set that core/isa.hpp chose.
#include "torsor/solver/wide.hpp"

#include "torsor/core/isa.hpp"

namespace torsor {

#define TORSOR_DECLARE_WIDE(isa)               \
  namespace isa {                              \
  extern const solver::WideTables kWideTables; \
  }
TORSOR_DECLARE_WIDE(baseline)
#if TORSOR_HAS_WIDE_ISAS
TORSOR_DECLARE_WIDE(avx2)
TORSOR_DECLARE_WIDE(avx512)
#endif

namespace solver {
namespace {

// in the order of Isa
constexpr const WideTables* kWideTablesByIsa[] = {
    &baseline::kWideTables,
#if TORSOR_HAS_WIDE_ISAS
    &avx2::kWideTables,
    &avx512::kWideTables,
#endif
};

}  // namespace

template <>
const WideKernels<double>& wide_kernels<double>() {
  return kWideTablesByIsa[int(current_isa())]->of_double;
}
template <>
const WideKernels<float>& wide_kernels<float>() {
  return kWideTablesByIsa[int(current_isa())]->of_float;
}

}  // namespace solver
}  // namespace torsor
