// How much scratch memory the solvers of solve.hpp need.
#include "torsor/gpu/solve.hpp"

#include <algorithm>

#include "torsor/gpu/kernels/pgs.hpp"
#include "torsor/gpu/kernels/primal.hpp"

namespace torsor::gpu {
namespace {

// Every row may be an edge of a pyramid, of which a contact of 6 rows has 10.
template <class S>
std::size_t pgs_bytes(const ConstraintArrays<S>& arrays, int mass_numbers, int units) {
  PgsSizes sizes;
  sizes.dofs = arrays.nv;
  sizes.mass = mass_numbers;
  sizes.rows = arrays.row_capacity;
  sizes.units = units;
  sizes.turns = arrays.item_capacity + units;
  sizes.cones = arrays.elliptic ? arrays.item_capacity : 0;
  sizes.dual_rows = units + (arrays.elliptic ? sizes.rows : (10 * sizes.rows + 5) / 6);
  GroupMemory memory;
  PgsArrays<S>().take(memory, sizes);
  return memory.taken_of_device();
}

template <bool kSap, class S>
std::size_t primal_bytes(const ConstraintArrays<S>& arrays, int mass_numbers) {
  const int of_row = arrays.elliptic ? (curvature_numbers(6, true) + 5) / 6 : 2;
  GroupMemory memory;
  PrimalArrays<S, kSap>().take(memory, {arrays.nv, mass_numbers, arrays.row_capacity, of_row * arrays.row_capacity});
  return memory.taken_of_device();
}

}  // namespace

template <class S>
std::ptrdiff_t solver_scratch_stride(const ConstraintArrays<S>& arrays, int mass_numbers, int units) {
  if (arrays.method == IslandSolver::kNewton)
    return newton_scratch_stride(arrays.nv, arrays.row_capacity, arrays.elliptic);
  const std::size_t bytes = arrays.method == IslandSolver::kPgs   ? pgs_bytes(arrays, mass_numbers, units)
                            : arrays.method == IslandSolver::kSap ? primal_bytes<true>(arrays, mass_numbers)
                                                                  : primal_bytes<false>(arrays, mass_numbers);
  return static_cast<std::ptrdiff_t>(bytes / sizeof(S));
}
template std::ptrdiff_t solver_scratch_stride(const ConstraintArrays<float>&, int, int);
template std::ptrdiff_t solver_scratch_stride(const ConstraintArrays<double>&, int, int);

int solver_scratch_groups(std::size_t islands, std::size_t bytes_of_group, std::size_t free_bytes) {
  constexpr std::size_t kMost = 4096, kMostBytes = std::size_t{2} << 30;
  const std::size_t bytes = std::min(kMostBytes, free_bytes / 2);  // others need some, too
  const std::size_t in_memory = bytes / std::max<std::size_t>(bytes_of_group, 1);
  return static_cast<int>(std::clamp<std::size_t>(std::min(islands, in_memory), 1, kMost));
}

}  // namespace torsor::gpu
