// Friction and limits of the dofs of one island: rows that need no J. Each thread has those of its own dofs.
#pragma once

#include <limits>

#include "torsor/gpu/kernels/island_rows.hpp"

namespace torsor::gpu {

template <class S>
class IslandUnits {
 public:
  TORSOR_INLINE explicit IslandUnits(const IslandMemory<S>& memory) : memory_(memory) {}

  TORSOR_INLINE void load(const ConstraintArrays<S>& arrays, int world, int dof, int i) const {
    const std::ptrdiff_t from = std::ptrdiff_t(world) * kUnitKinds * arrays.nv + dof;
    TORSOR_DEVICE_UNROLL
    for (int kind = 0; kind < kUnitKinds; ++kind) {
      at(kFrictionD + kind, i) = arrays.unit_D[from + kind * arrays.nv];
      at(kFrictionB + kind, i) = arrays.unit_b[from + kind * arrays.nv];
    }
    at(kFrictionLoss, i) = arrays.unit_loss[std::ptrdiff_t(arrays.loss_stride) * world + dof];
  }
  // Calls f(kind, J, x, D, pull) for the rows of dof i, at d.
  template <class F>
  TORSOR_INLINE void for_each(int i, S d, F f) const {
    TORSOR_DEVICE_UNROLL
    for (int kind = 0; kind < kUnitKinds; ++kind) {
      const S D = at(kFrictionD + kind, i);
      if (D == S(0)) continue;
      const bool friction = kind == kUnitFriction;
      const S J(kind == kUnitUpper ? -1 : 1), loss = friction ? at(kFrictionLoss, i) : S(0);
      const S lower = friction ? -loss : -std::numeric_limits<S>::infinity();
      const S x = fma(J, d, at(kFrictionB + kind, i));
      f(kind, J, x, D, hold(D, x, lower, loss));
    }
  }

 private:
  TORSOR_INLINE S& at(int number, int i) const { return memory_.units[number * memory_.columns + i]; }
  const IslandMemory<S> memory_;
};

}  // namespace torsor::gpu
