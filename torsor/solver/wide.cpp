// The solvers for worlds in lanes of the instruction set that core/isa.hpp chose.
#include "torsor/solver/wide.hpp"

#include "torsor/core/isa.hpp"

namespace torsor {

#define TORSOR_DECLARE_WIDE(isa)               \
  namespace isa {                              \
  extern const solver::WideTables kWideTables; \
  }
TORSOR_EACH_ISA(TORSOR_DECLARE_WIDE)

namespace solver {
namespace {

#define TORSOR_WIDE_TABLES(isa) &isa::kWideTables,
constexpr const WideTables* kWideTablesByIsa[] = {TORSOR_EACH_ISA(TORSOR_WIDE_TABLES)};

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
