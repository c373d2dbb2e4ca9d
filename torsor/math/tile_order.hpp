// An order of elimination in which few tiles fill in: the tile with the fewest neighbours next [Rose 1972]. Each
// elimination makes neighbours of all neighbours of its tile.
#pragma once

#include "torsor/math/tile_plan.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

TORSOR_INLINE int count_bits(const std::uint64_t* row, int words) {
  int count = 0;
  for (int w = 0; w < words; ++w) count += __builtin_popcountll(row[w]);
  return count;
}

// From neighbours, bits in both triangles: place[t], where tile t comes when rows are eliminated from the last to the
// first. Row t of the bits becomes the tiles that are left when t is eliminated and that it meets. degree: scratch, one
// per tile.
TORSOR_LOCAL void order_tiles(const TileBits& bits, int* place, int* degree) {
  const int tiles = bits.tiles, words = bits.words;
  for (int t = 0; t < tiles; ++t) {
    bits.row(t)[t / 64] &= ~(std::uint64_t{1} << (t % 64));
    degree[t] = count_bits(bits.row(t), words);
    place[t] = -1;
  }
  for (int next = tiles - 1; next >= 0; --next) {
    int best = -1;
    for (int t = 0; t < tiles; ++t) {
      if (place[t] < 0 && (best < 0 || degree[t] < degree[best])) best = t;
    }
    place[best] = next;
    const std::uint64_t* from = bits.row(best);
    for_bits(
        from, tiles, [&](int t) __attribute__((always_inline)) {
          std::uint64_t* to = bits.row(t);
          for (int w = 0; w < words; ++w) to[w] |= from[w];
          to[t / 64] &= ~(std::uint64_t{1} << (t % 64));
          to[best / 64] &= ~(std::uint64_t{1} << (best % 64));
          degree[t] = count_bits(to, words);
        });
  }
}

// The same bits by places, in the lower triangle: a plan's rows with their fill. Sets slots and updates of the plan.
TORSOR_LOCAL void bits_by_place(const TileBits& bits, const int* place, const TileBits& placed, TilePlan& plan) {
  plan.slots = plan.updates = 0;
  for (int t = 0; t < bits.tiles; ++t) {
    int columns = 0;
    for_bits(
        bits.row(t), bits.tiles, [&](int other) __attribute__((always_inline)) {
          placed.set(place[t], place[other]);
          ++columns;
        });
    plan.slots += columns + 1;
    plan.updates += columns * (columns + 1) / 2;
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
