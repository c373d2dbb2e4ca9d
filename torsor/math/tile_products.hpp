// H += W' X for matrices W and X of few rows with nonzeros in few tiles, where W' X is symmetric: W is X with its rows
// scaled.
#pragma once

#include "torsor/math/tile_plan.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// Sets of tiles in 64 bits. Beyond 64 tiles, neighbours share a bit.
struct TileSets {
  int shift = 0;

  static TORSOR_INLINE TileSets for_tiles(int tiles) {
    TileSets sets;
    while ((tiles - 1) >> sets.shift >= 64) ++sets.shift;
    return sets;
  }
  TORSOR_INLINE std::uint64_t bit(int tile) const { return std::uint64_t{1} << (tile >> shift); }
  // Calls f(tile) for those of `tiles` tiles whose bit is set, ascending.
  template <class F>
  TORSOR_INLINE void for_each(std::uint64_t set, int tiles, const F& f) const {
    if (shift == 0) {
      for (; set != 0; set &= set - 1) f(__builtin_ctzll(set));
      return;
    }
    for (int t = 0; t < tiles; ++t) {
      if (set & bit(t)) f(t);
    }
  }
};

// Rows begin to end of a matrix have nonzeros in these tiles only.
struct TileRun {
  int begin, end;
  std::uint64_t tiles;
};

// Rows of W and X are ld apart. Every pair of tiles of a run must have a slot in the plan.
TORSOR_LOCAL void add_products(const TilePlan& plan, TileSets sets, const double* W, const double* X, int ld,
                               const TileRun* runs, int run_count, double* H) {
  for (int i = 0; i < plan.tiles; ++i) {
    for (int slot = plan.row_begin[i]; slot < plan.row_begin[i + 1]; ++slot) {
      const int j = plan.column[slot];
      const std::uint64_t both = sets.bit(i) | sets.bit(j);
      int first = 0;
      while (first < run_count && (runs[first].tiles & both) != both) ++first;
      if (first == run_count) continue;
      for (int c = 0; c < kTile; c += kLaneCount) {
        double* tile = H + slot * std::ptrdiff_t(kSlot) + c;
        Lanes sum[kTile];
        load_tile(sum, tile);
        for (int run = first; run < run_count; ++run) {
          if ((runs[run].tiles & both) != both) continue;
          const std::ptrdiff_t begin = std::ptrdiff_t(runs[run].begin) * ld;
          accumulate<false>(sum, runs[run].end - runs[run].begin, W + begin + i * kTile, X + begin + j * kTile + c, ld);
        }
        store_tile(sum, tile);
      }
    }
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
