// The furthest corner of a hull with tables: on a processor by the kernel of its instruction set, on a device one
// corner after the other. Both find the same corner.
#pragma once

#include <cmath>

#include "torsor/contact/kernels/hull.hpp"
#include "torsor/geometry/direction_cell.hpp"
#include "torsor/model/hull_tables.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// The first of the highest in a list of blocks, as far as `count` corners.
struct HighestOfBlocks {
  int place = 0;
  double height = -INFINITY;

  // `first`: the place of the first corner of the block in the list.
  TORSOR_INLINE void look_at(const float* block, int first, int count, const double* d) {
    for (int i = 0; i < 8 && first + i < count; ++i) {
      const double h = d[0] * block[i] + d[1] * block[8 + i] + d[2] * block[16 + i];
      if (h > height) height = h, place = first + i;
    }
  }
};

// In the list of the cell of d; writes where the corner is, too.
TORSOR_HD inline int find_listed(const HullView& hull, const double* d, double* p_G) {
#if defined(__CUDA_ARCH__)
  const int* const first = hull.cell_block + cell_of_direction(d, hull.cells);
  const HullBlock* const list = hull.block + first[0];
  const int blocks = first[1] - first[0];
  HighestOfBlocks best;
  for (int k = 0; k < blocks; ++k) best.look_at(list[k].position, 8 * k, 8 * blocks, d);
  const HullBlock& block = list[best.place / 8];
  const int place = best.place % 8;
  for (int axis = 0; axis < 3; ++axis) p_G[axis] = block.position[8 * axis + place];
  return block.corner[place];
#else
  return hull.kernels->find_listed(hull, d, p_G);
#endif
}

// Among all corners.
TORSOR_HD inline int find_highest(const HullView& hull, const double* d) {
#if defined(__CUDA_ARCH__)
  HighestOfBlocks best;
  for (int k = 0; k < hull.count; k += 8) best.look_at(hull.position + 3 * k, k, hull.count, d);
  return best.place;
#else
  return hull.kernels->find_highest(hull.position, hull.count, d);
#endif
}

}  // namespace TORSOR_ISA
}  // namespace torsor
