// Symmetric matrices of which only some 8 x 8 tiles are nonzero: where the tiles are stored, and what elimination will
// do to them. Tiles of the lower triangle are kept one after the other, 64 numbers each, and called slots. Rows are
// eliminated from the last to the first: with parents numbered before children nothing fills in where only branches of
// a tree meet.
#pragma once

#include <cstddef>

#include "torsor/math/tiles.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

inline constexpr int kSlot = kTile * kTile;

// A square of bits: bit j of row i says that tile (i, j) may be nonzero, for j <= i.
struct TileBits {
  int tiles = 0, words = 0;  // words of a row
  std::uint64_t* bits = nullptr;

  static TORSOR_INLINE int words_for(int tiles) { return (tiles + 63) / 64; }
  TORSOR_INLINE std::uint64_t* row(int i) const { return bits + std::ptrdiff_t(i) * words; }
  TORSOR_INLINE bool has(int i, int j) const { return (row(i)[j / 64] >> (j % 64) & 1) != 0; }
  TORSOR_INLINE void set(int i, int j) const { row(i)[j / 64] |= std::uint64_t{1} << (j % 64); }
};

// f(j) for the bits j < end of a row, ascending
template <class F>
TORSOR_INLINE void for_bits(const std::uint64_t* row, int end, const F& f) {
  for (int w = 0; w * 64 < end; ++w) {
    std::uint64_t left = row[w];
    if (end - w * 64 < 64) left &= (std::uint64_t{1} << (end - w * 64)) - 1;
    for (; left != 0; left &= left - 1) f(w * 64 + __builtin_ctzll(left));
  }
}

// Slots of row k are row_begin[k] to row_begin[k + 1]: columns ascending, the diagonal last.
struct TilePlan {
  struct Update {
    int W, U;   // slots of a row that was eliminated before: the target loses W' U
    int count;  // rows of theirs that are not padding
  };

  int tiles = 0, slots = 0, updates = 0;
  const int* count = nullptr;  // per row of tiles: rows that are not padding
  int *row_begin = nullptr, *column = nullptr;
  int* update_begin = nullptr;  // per slot
  Update* update = nullptr;

  TORSOR_INLINE int diagonal(int k) const { return row_begin[k + 1] - 1; }
};

// Row k of tiles with (k, i) and (k, j) makes (i, j) nonzero. Sets slots and updates: the sizes of the arrays.
TORSOR_LOCAL void add_fill(const TileBits& bits, TilePlan& plan) {
  plan.slots = plan.updates = 0;
  for (int k = bits.tiles - 1; k >= 0; --k) {
    int columns = 0;
    const std::uint64_t* from = bits.row(k);
    for_bits(
        from, k, [&](int i) __attribute__((always_inline)) {
          std::uint64_t* to = bits.row(i);
          for (int w = 0; w * 64 <= i; ++w) to[w] |= from[w];  // what is right of the diagonal is never read
          ++columns;
        });
    plan.slots += columns + 1;
    plan.updates += columns * (columns + 1) / 2;
  }
}

// Lists the updates of each slot, once the slots are numbered and closed under fill.
TORSOR_LOCAL void list_updates(const TilePlan& plan) {
  // each pair of slots of a row updates one above: counted first, then written
  const auto for_pairs = [&](const auto& f) __attribute__((always_inline)) {
    for (int k = 0; k < plan.tiles; ++k) {
      for (int W = plan.row_begin[k]; W < plan.diagonal(k); ++W) {
        int target = plan.row_begin[plan.column[W]];
        for (int U = plan.row_begin[k]; U <= W; ++U) {
          while (plan.column[target] != plan.column[U]) ++target;
          f(k, W, U, target);
        }
      }
    }
  };
  for (int s = 0; s <= plan.slots; ++s) plan.update_begin[s] = 0;
  for_pairs([&](int, int, int, int target) __attribute__((always_inline)) { ++plan.update_begin[target + 1]; });
  for (int s = 0; s < plan.slots; ++s) plan.update_begin[s + 1] += plan.update_begin[s];
  for_pairs([&](int k, int W, int U, int target) __attribute__((always_inline)) {
    plan.update[plan.update_begin[target]++] = {W, U, plan.count[k]};
  });
  for (int s = plan.slots; s > 0; --s) plan.update_begin[s] = plan.update_begin[s - 1];
  plan.update_begin[0] = 0;
}

// Numbers the slots from bits with their fill.
TORSOR_LOCAL void number_slots(const TileBits& bits, const TilePlan& plan) {
  int slot = 0;
  for (int k = 0; k < bits.tiles; ++k) {
    plan.row_begin[k] = slot;
    for_bits(
        bits.row(k), k, [&](int j) __attribute__((always_inline)) { plan.column[slot++] = j; });
    plan.column[slot++] = k;
  }
  plan.row_begin[bits.tiles] = slot;
}

TORSOR_LOCAL void fill_plan(const TileBits& bits, const TilePlan& plan) {
  number_slots(bits, plan);
  list_updates(plan);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
