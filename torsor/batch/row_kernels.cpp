// Contacts and rows in lanes of the instruction set that core/isa.hpp chose.
#include "torsor/batch/kernels/rows.hpp"
#include "torsor/core/isa.hpp"

namespace torsor {

#define TORSOR_DECLARE_ROWS(isa)     \
  namespace isa {                    \
  extern const RowTables kRowTables; \
  }
TORSOR_DECLARE_ROWS(baseline)
#if TORSOR_HAS_WIDE_ISAS
TORSOR_DECLARE_ROWS(avx2)
TORSOR_DECLARE_ROWS(avx512)
#endif

namespace {

// in the order of Isa
constexpr const RowTables* kTables[] = {
    &baseline::kRowTables,
#if TORSOR_HAS_WIDE_ISAS
    &avx2::kRowTables,
    &avx512::kRowTables,
#endif
};

}  // namespace

template <>
const RowKernels<double>& row_kernels<double>() {
  return kTables[static_cast<int>(current_isa())]->of_double;
}
template <>
const RowKernels<float>& row_kernels<float>() {
  return kTables[static_cast<int>(current_isa())]->of_float;
}

}  // namespace torsor
