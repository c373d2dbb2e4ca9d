// Scratch of the solvers for worlds in lanes: one per thread, for all blocks of worlds of a model.
#pragma once

#include "torsor/solver/kernels/wide_rows.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class P>
struct WideScratch {
  P *Md, *g, *p, *Mp, *z, *old_z;  // [dof]; z: M^-1 g of conjugate gradients, now and before
  P* unit_curvature;               // [dof], second derivatives of unit rows
  P *unit_along, *unit_weight;     // [unit slot]; along = J p
  P* along[kSlotKinds];            // [slot][row]
  P* K[kSlotKinds];                // [slot][...]: weights of singles, K of contacts
  P* cone[kSlotKinds];             // [slot][2]: k and D of the tangents
  std::uint64_t* by_tile;          // [tile][word], the slots that use a tile
  std::uint64_t* changed;          // [word], the slots whose K changed since H was computed
  std::uint64_t* curved;           // [word], the slots whose K is not zero in some lane that is not done
  WideFactor<P> factor;

  TORSOR_INLINE void take(const WideSizes& sizes, WideMemory& memory) {
    const std::size_t n = sizes.dofs();
    for (P** array : {&Md, &g, &p, &Mp, &z, &old_z, &unit_curvature}) *array = memory.take<P>(n);
    for (P** array : {&unit_along, &unit_weight}) *array = memory.take<P>(sizes.units);
    SlotSets sets;
    sets.set_sizes({sizes.singles, sizes.contacts[0], sizes.contacts[1], sizes.contacts[2]});
    by_tile = memory.take<std::uint64_t>(std::size_t(sizes.tiles) * sets.words);
    changed = memory.take<std::uint64_t>(sets.words);
    curved = memory.take<std::uint64_t>(sets.words);
    for (int kind = 0; kind < kSlotKinds; ++kind) {
      const std::size_t dim = kind == 0 ? 1 : contact_dim(kind - 1);
      const std::size_t slots = kind == 0 ? sizes.singles : sizes.contacts[kind - 1];
      along[kind] = memory.take<P>(slots * dim);
      K[kind] = memory.take<P>(slots * (dim * (dim + 1) / 2));
      cone[kind] = memory.take<P>(slots * 2);
    }
    factor.take(sizes.tiles, memory);
  }
};

}  // namespace TORSOR_ISA
}  // namespace torsor
