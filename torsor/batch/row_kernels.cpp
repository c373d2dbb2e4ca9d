// Contacts and rows in lanes of the instruction set that core/isa.hpp chose.
#include "torsor/batch/kernels/rows.hpp"
#include "torsor/core/isa.hpp"

namespace torsor {

#define TORSOR_DECLARE_ROWS(isa)     \
  namespace isa {                    \
  extern const RowTables kRowTables; \
  }
TORSOR_EACH_ISA(TORSOR_DECLARE_ROWS)

namespace {

#define TORSOR_ROW_TABLES(isa) &isa::kRowTables,
constexpr const RowTables* kTables[] = {TORSOR_EACH_ISA(TORSOR_ROW_TABLES)};

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
