// Scratch memory of Newton's method on a device.
#include "torsor/gpu/newton.hpp"

#include <algorithm>

#include "torsor/gpu/kernels/newton_memory.hpp"

namespace torsor::gpu {

// Every row has three numbers, and most curvature has a contact of 6 rows.
std::ptrdiff_t newton_scratch_stride(int nv, int row_capacity, bool elliptic) {
  std::ptrdiff_t of_dofs = 0;
  if (nv > kMostSharedDofs)
    of_dofs = std::max<std::ptrdiff_t>(mass_numbers(kMostLargeDofs), dof_numbers(round_up_to_four(nv), false));
  const std::ptrdiff_t of_row = 3 + (elliptic ? (curvature_numbers(6, true) + 5) / 6 : 2);
  return (of_dofs + of_row * row_capacity + 3) / 4 * 4;
}

}  // namespace torsor::gpu
