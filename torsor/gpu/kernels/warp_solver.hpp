// What solvers have in common that take an island of any size by one warp: where the next island and memory are.
#pragma once

#include "torsor/gpu/kernels/group_memory.hpp"
#include "torsor/gpu/newton.hpp"

namespace torsor::gpu {

inline constexpr std::size_t kSharedOfWarp = 12 * 1024;  // bytes

TORSOR_INLINE int count_islands(const IslandLists& lists) {
  int count = 0;
  for (int c = 0; c < kSizeClasses; ++c) count += lists.counts[c];
  return count;
}
// Island number k of all, class by class.
TORSOR_INLINE int island_at(const IslandLists& lists, int k) {
  int c = 0;
  for (; k >= lists.counts[c]; ++c) k -= lists.counts[c];
  return lists.indices[std::ptrdiff_t(c) * lists.capacity + k];
}

template <class Solver, class S>
TORSOR_INLINE void solve_one(const ConstraintArrays<S>& arrays, const IslandLists& lists, int k, void* shared,
                             S* scratch) {
  const int number = island_at(lists, k);
  Solver(arrays, lists.islands[number], GroupMemory(shared, kSharedOfWarp, scratch)).run(number);
}

}  // namespace torsor::gpu
