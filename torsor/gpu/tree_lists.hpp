// The trees of a model by the size of their part of M, for the kernels that solve M x = force tree by tree.
#pragma once

#include "torsor/gpu/config.hpp"

namespace torsor::gpu {

// Trees of at most so many dofs, each solved by so many threads.
struct TreeClass {
  int dofs, threads;
};
inline constexpr TreeClass kTreeClasses[] = {{8, 8}, {16, 8}, {28, 16}, {36, 32}, {48, 32}, {64, 32}};
inline constexpr int kTreeClassCount = 6, kMostTreeDofs = 64;

// Bodies by the number of their ancestors: those of level k, bodies[begin[k]] to bodies[begin[k + 1] - 1], follow from
// those of level k - 1. Level 0 is attached to the world.
struct BodyLevels {
  const int *bodies = nullptr, *begin = nullptr;  // on the device
  int count = 0;
};

// Of the squares that the threads share. The odd stride spares conflicts of banks down a column.
TORSOR_INLINE constexpr int square_stride(int dofs) { return dofs + 1; }

// Trees of class k are trees[begin[k]] to trees[begin[k + 1] - 1]; static trees are in none.
struct TreeLists {
  const int *trees = nullptr,
            *places = nullptr;  // on the device; places: of each number of M in the square of its tree
  int begin[kTreeClassCount + 1] = {};
};

// Which M and which force: M and qfrc_smooth, for qacc_smooth; M with h times the damping and all forces, for scratch;
// M and what is in scratch, for scratch.
enum class TreeEquation { kSmooth, kDamped, kInScratch };

}  // namespace torsor::gpu
