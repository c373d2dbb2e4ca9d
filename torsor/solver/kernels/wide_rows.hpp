// Products with the Jacobian of worlds in lanes, and the Hessian's share of each row. A lane's rows are added in the
// order of their slots, one by one: slots of other lanes in between add zeros, and no bit depends on them.
#pragma once

#include <type_traits>

#include "torsor/solver/kernels/wide_tiles.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

inline constexpr int kSlotKinds = 1 + kContactKinds;  // singles, then contacts of 3, 4 and 6 rows

// Calls f(kind, dim) for the kinds of dense slots, the dim as a type.
template <class F>
TORSOR_INLINE void for_slot_kinds(F f) {
  f(0, std::integral_constant<int, 1>());
  f(1, std::integral_constant<int, 3>());
  f(2, std::integral_constant<int, 4>());
  f(3, std::integral_constant<int, 6>());
}
template <class P>
TORSOR_INLINE const WideSlots<P>& slots_of(const WideProblem<P>& problem, int kind) {
  if (kind == 0) return problem.singles;
  return problem.contacts[kind - 1];
}

// Sets of slots: the slots of each kind begin with a word of their own.
struct SlotSets {
  int words = 0, first[kSlotKinds + 1] = {};

  TORSOR_INLINE void set_sizes(const int (&counts)[kSlotKinds]) {
    for (int kind = 0; kind < kSlotKinds; ++kind) first[kind + 1] = first[kind] + (counts[kind] + 63) / 64;
    words = first[kSlotKinds];
  }
};
TORSOR_INLINE void add_slot(std::uint64_t* set, int slot) { set[slot / 64] |= std::uint64_t{1} << slot % 64; }

// y = J v for the slots of one kind
template <int kDim, class P>
TORSOR_LOCAL void multiply_slots(const WideSlots<P>& slots, const P* v, P* y) {
  constexpr int kChains = kDim <= 3 ? kWideTile : 1;  // independent sums hide the latency of fma
  for (int s = 0; s < slots.count; ++s) {
    P sum[kChains * kDim];
    zero_packs(sum, kChains * kDim);
    const P* J = slots.J + std::ptrdiff_t(s) * slots.tiles * (kWideTile * kDim);
    for (const int t : bits_of(slots.slot_tiles[s])) {
      const P *tile = J + t * (kWideTile * kDim), *vt = v + kWideTile * t;
      TORSOR_UNROLL
      for (int k = 0; k < kWideTile; ++k) {
        TORSOR_UNROLL
        for (int a = 0; a < kDim; ++a) {
          P& to = sum[k % kChains * kDim + a];
          to = fma(tile[kWideTile * a + k], vt[k], to);
        }
      }
    }
    TORSOR_UNROLL
    for (int a = 0; a < kDim; ++a) {
      y[kDim * s + a] =
          kChains == 1 ? sum[a] : sum[a] + sum[kDim % (kChains * kDim) + a] + sum[2 * kDim % (kChains * kDim) + a];
    }
  }
}

// sum += J' f in one tile, for the slots of one kind in `set`
template <int kDim, class P>
TORSOR_INLINE void add_transposed(const WideSlots<P>& slots, int t, const std::uint64_t* set, int words, const P* force,
                                  P (&sum)[kWideTileSize]) {
  for (int w = 0; w < words; ++w) {
    for (const int bit : bits_of(set[w])) {
      const int s = 64 * w + bit;
      const P *tile = slots.J + (std::ptrdiff_t(s) * slots.tiles + t) * (kWideTile * kDim), *f = force + kDim * s;
      TORSOR_UNROLL
      for (int a = 0; a < kDim; ++a) {
        TORSOR_UNROLL
        for (int k = 0; k < kWideTile; ++k) {
          P& to = sum[a % kWideTile * kWideTile + k];
          to = fma(f[a], tile[kWideTile * a + k], to);
        }
      }
    }
  }
}

// H += (K J)' J in one tile, for one slot: x is its tile of K J for the rows of H, y that of J for the columns.
template <int kDim, class P>
TORSOR_INLINE void add_product(const P* x, const P* y, P* H) {
  P sum[kWideTileSize];
  copy_packs(H, kWideTileSize, sum);
  TORSOR_UNROLL
  for (int r = 0; r < kDim; ++r) {
    TORSOR_UNROLL
    for (int a = 0; a < kWideTile; ++a) {
      TORSOR_UNROLL
      for (int b = 0; b < kWideTile; ++b) sum[3 * a + b] = fma(x[3 * r + a], y[3 * r + b], sum[3 * a + b]);
    }
  }
  copy_packs(sum, kWideTileSize, H);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
