// M, J and the Hessian of worlds in lanes, as the loop of wide_primal.hpp needs them.
#pragma once

#include "torsor/solver/kernels/wide_cost.hpp"
#include "torsor/solver/kernels/wide_scratch.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class P>
class WideOperator {
 public:
  WideOperator(const WideProblem<P>& problem, WideScratch<P>& scratch) : problem_(problem), scratch_(scratch) {
    sets_.set_sizes(
        {problem.singles.count, problem.contacts[0].count, problem.contacts[1].count, problem.contacts[2].count});
    list_slots_by_tile();
  }

  // along = J v, for all rows
  TORSOR_INLINE void multiply_jacobian(const P* v);
  // qfrc = J' force
  void multiply_jacobian_transposed(const WideSolution<P>& at, P* qfrc);

  // Conjugate gradients: factors M.
  void factor_mass();
  // Newton: factors H = M + J' K J for the K in scratch. Tiles of H and columns of the factor without a changed K are
  // kept; the others are computed from M on, so that no rounding of earlier K is left in them. Lanes that are not
  // `active` never ask again: slots in which only they have a curvature are left out.
  TORSOR_INLINE void begin_hessian() {
    scratch_.factor.set_pattern(problem_.tiles, problem_.mass_tiles, problem_.coupled_tiles);
    mark_all();
  }
  void factor_hessian(MaskOf<P> active);
  TORSOR_INLINE void mark_unit(int slot) { changed_units_ |= std::uint64_t{1} << problem_.units.dof[slot] / kWideTile; }
  TORSOR_INLINE void mark_slot(int kind, int slot) { add_slot(scratch_.changed + sets_.first[kind], slot); }
  TORSOR_INLINE void mark_all() { all_changed_ = true; }

 private:
  void list_slots_by_tile();
  TORSOR_INLINE const std::uint64_t* slots_at(int tile) const { return scratch_.by_tile + tile * sets_.words; }
  TORSOR_INLINE std::uint64_t changed_columns(int i) const;
  void find_curved_slots(MaskOf<P> active);
  template <int kDim, bool kElliptic>
  TORSOR_INLINE void add_slots(int kind, int i, std::uint64_t columns);
  TORSOR_INLINE void compute_row(int i, std::uint64_t columns);

  const WideProblem<P>& problem_;
  WideScratch<P>& scratch_;
  SlotSets sets_;
  std::uint64_t changed_units_ = 0;  // tiles
  bool all_changed_ = true;
};

template <class P>
void WideOperator<P>::list_slots_by_tile() {
  for (int k = 0; k < problem_.tiles * sets_.words; ++k) scratch_.by_tile[k] = 0;
  for (int w = 0; w < sets_.words; ++w) scratch_.changed[w] = 0;
  for (int kind = 0; kind < kSlotKinds; ++kind) {
    const WideSlots<P>& slots = slots_of(problem_, kind);
    for (int s = 0; s < slots.count; ++s) {
      for (const int t : bits_of(slots.slot_tiles[s])) {
        add_slot(scratch_.by_tile + t * sets_.words + sets_.first[kind], s);
      }
    }
  }
}

template <class P>
TORSOR_INLINE void WideOperator<P>::multiply_jacobian(const P* v) {
  const WideUnits<P>& units = problem_.units;
  for (int u = 0; u < units.count; ++u) scratch_.unit_along[u] = units.J[u] * v[units.dof[u]];
  for_slot_kinds([&](int kind, auto dim) __attribute__((always_inline)) {
    multiply_slots<dim()>(slots_of(problem_, kind), v, scratch_.along[kind]);
  });
}

template <class P>
void WideOperator<P>::multiply_jacobian_transposed(const WideSolution<P>& at, P* qfrc) {
  zero_packs(qfrc, problem_.dofs());
  const WideUnits<P>& units = problem_.units;
  for (int u = 0; u < units.count; ++u) {
    P& to = qfrc[units.dof[u]];
    to = fma(units.J[u], at.units.force[u], to);
  }
  if (sets_.words == 0) return;
  for (int t = 0; t < problem_.tiles; ++t) {
    P sum[kWideTileSize];
    zero_packs(sum, kWideTileSize);
    for_slot_kinds([&](int kind, auto dim) __attribute__((always_inline)) {
      const int first = sets_.first[kind], words = sets_.first[kind + 1] - first;
      const P* force = kind == 0 ? at.singles.force : at.contacts[kind - 1].force;
      add_transposed<dim()>(slots_of(problem_, kind), t, slots_at(t) + first, words, force, sum);
    });
    TORSOR_UNROLL
    for (int k = 0; k < kWideTile; ++k) qfrc[3 * t + k] += sum[k] + sum[3 + k] + sum[6 + k];
  }
}

template <class P>
void WideOperator<P>::factor_mass() {
  WideFactor<P>& factor = scratch_.factor;
  factor.set_pattern(problem_.tiles, problem_.mass_tiles, nullptr);
  for (int i = 0; i < problem_.tiles; ++i) {
    for (const int j : bits_of(factor.pattern(i))) {
      copy_packs(problem_.M + wide_tile(i, j), kWideTileSize, factor.H(i, j));
    }
  }
  factor.factor(~std::uint64_t{0});
}

// K is zero where its first number, the curvature along the normal, is zero.
template <class P>
void WideOperator<P>::find_curved_slots(MaskOf<P> active) {
  for (int w = 0; w < sets_.words; ++w) scratch_.curved[w] = 0;
  for (int kind = 0; kind < kSlotKinds; ++kind) {
    const WideSlots<P>& slots = slots_of(problem_, kind);
    const int stride = kind > 0 && problem_.elliptic ? slots.dim * (slots.dim + 1) / 2 : 2 * slots.dim - 1;
    for (int s = 0; s < slots.count; ++s) {
      if (any((scratch_.K[kind][stride * s] != P(0)) & active)) add_slot(scratch_.curved + sets_.first[kind], s);
    }
  }
}

// Adds J' K J of the slots of one kind to the tiles `columns` of row i of H. One slot after the other, each over its
// tiles: few loops of unforeseeable length, and its share of K J stays in registers.
template <class P>
template <int kDim, bool kElliptic>
TORSOR_INLINE void WideOperator<P>::add_slots(int kind, int i, std::uint64_t columns) {
  constexpr int kCount = kCurvatures<kDim, kElliptic>;
  const WideSlots<P>& slots = slots_of(problem_, kind);
  const std::uint64_t *set = slots_at(i) + sets_.first[kind], *curved = scratch_.curved + sets_.first[kind];
  for (int w = 0; w < sets_.first[kind + 1] - sets_.first[kind]; ++w) {
    for (const int bit : bits_of(set[w] & curved[w])) {
      const int s = 64 * w + bit;
      const P* J = slots.J + std::ptrdiff_t(s) * slots.tiles * (kWideTile * kDim);
      P K[kCount], scaled[kWideTile * kDim];
      copy_packs(scratch_.K[kind] + kCount * s, kCount, K);
      scale_tile<kDim, kElliptic>(K, J + i * (kWideTile * kDim), scaled);
      for (const int j : bits_of(slots.slot_tiles[s] & columns)) {
        add_product<kDim>(scaled, J + j * (kWideTile * kDim), scratch_.factor.H(i, j));
      }
    }
  }
}

// The tiles of row i of H that a changed K is part of
template <class P>
TORSOR_INLINE std::uint64_t WideOperator<P>::changed_columns(int i) const {
  if (all_changed_) return scratch_.factor.pattern(i);
  std::uint64_t columns = changed_units_ & std::uint64_t{1} << i;
  for (int kind = 0; kind < kSlotKinds; ++kind) {
    for (int w = sets_.first[kind]; w < sets_.first[kind + 1]; ++w) {
      for (const int bit : bits_of(slots_at(i)[w] & scratch_.changed[w]))
        columns |= slots_of(problem_, kind).slot_tiles[64 * (w - sets_.first[kind]) + bit];
    }
  }
  return columns & scratch_.factor.pattern(i);
}

// The tiles `columns` of row i of H
template <class P>
TORSOR_INLINE void WideOperator<P>::compute_row(int i, std::uint64_t columns) {
  for (const int j : bits_of(columns)) {
    if (problem_.mass_tiles[i] >> j & 1) {
      copy_packs(problem_.M + wide_tile(i, j), kWideTileSize, scratch_.factor.H(i, j));
    } else {
      zero_packs(scratch_.factor.H(i, j), kWideTileSize);
    }
  }
  for_slot_kinds([&](int kind, auto dim) __attribute__((always_inline)) {
    if (problem_.elliptic) {
      add_slots<dim(), true>(kind, i, columns);
    } else {
      add_slots<dim(), false>(kind, i, columns);
    }
  });
  if ((columns >> i & 1) == 0) return;
  P* H = scratch_.factor.H(i, i);
  TORSOR_UNROLL
  for (int k = 0; k < kWideTile; ++k) H[4 * k] += scratch_.unit_curvature[kWideTile * i + k];
}

template <class P>
void WideOperator<P>::factor_hessian(MaskOf<P> active) {
  find_curved_slots(active);
  zero_packs(scratch_.unit_curvature, problem_.dofs());
  const WideUnits<P>& units = problem_.units;
  for (int u = 0; u < units.count; ++u) {
    P& to = scratch_.unit_curvature[units.dof[u]];
    to = fma(scratch_.unit_weight[u] * units.J[u], units.J[u], to);
  }
  std::uint64_t columns = 0;
  for (int i = 0; i < problem_.tiles; ++i) {
    const std::uint64_t changed = changed_columns(i);
    if (changed == 0) continue;
    columns |= changed;
    compute_row(i, changed);
  }
  if (columns != 0) scratch_.factor.factor(columns);
  for (int w = 0; w < sets_.words; ++w) scratch_.changed[w] = 0;
  changed_units_ = 0;
  all_changed_ = false;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
