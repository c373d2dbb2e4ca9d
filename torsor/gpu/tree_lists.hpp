// The trees of a model by the size of their part of M, for the kernels that solve M x = force tree by tree.
#pragma once

#include "torsor/gpu/config.hpp"

namespace torsor::gpu {

// Trees of at most so many dofs, each solved by so many threads.
struct TreeClass {
  int dofs, threads;
};
inline constexpr TreeClass kTreeClasses[] = {{8, 8}, {16, 16}, {28, 32}, {36, 32}, {48, 32}, {64, 32}};
inline constexpr int kTreeClassCount = 6, kMostTreeDofs = 64;

// Trees of class k are trees[begin[k]] to trees[begin[k + 1] - 1]; static trees are in none.
struct TreeLists {
  const int* trees = nullptr;  // on the device
  int begin[kTreeClassCount + 1] = {};
};

// Which M and which force: M and qfrc_smooth, for qacc_smooth; M with h times the damping and all forces, for scratch;
// M and what is in scratch, for scratch.
enum class TreeEquation { kSmooth, kDamped, kInScratch };

}  // namespace torsor::gpu
