// How much memory the classes of islands need, and how a group takes its part.
#pragma once

#include "torsor/gpu/kernels/newton.hpp"

namespace torsor::gpu {

// shared memory of a group, in numbers
template <class S, int kClass>
inline constexpr int kSharedNumbers =
    kClass == kManyDofs   ? 0
    : kClass == kManyRows ? int(IslandMemory<S>::dof_numbers(kMostSharedDofs, true))
                          : int(IslandMemory<S>::dof_numbers(kSharedClasses[kClass % kSharedClassCount].dofs, true)) +
                                kSharedClasses[kClass % kSharedClassCount].row_numbers;

template <int kClass>
inline constexpr int kClassDofs = kClass == kManyDofs   ? 0
                                  : kClass == kManyRows ? kMostSharedDofs
                                                        : kSharedClasses[kClass % kSharedClassCount].dofs;
template <int kClass>
inline constexpr int kClassThreads = kClass >= kManyRows ? 32 : kSharedClasses[kClass % kSharedClassCount].threads;

// Solves one island of a class by a group of L threads; `scratch` is that of the group, null where there is none.
template <class S, int kClass, int L, bool kElliptic>
TORSOR_INLINE void solve_island(const ConstraintArrays<S>& arrays, const IslandLists& lists, int number, S* shared,
                                S* scratch) {
  const Island& island = lists.islands[number];
  constexpr int N = kClassDofs<kClass>;
  IslandMemory<S> memory;
  S* rows;
  if constexpr (N > 0) {
    rows = memory.take_dofs(shared, N, true);
    if constexpr (kClass == kManyRows) rows = scratch;
  } else {
    rows = memory.take_dofs(scratch, round_up_to_four(island.dofs), false);
  }
  memory.take_rows(rows, rows_of(island));
  IslandNewton<S, N, L, kElliptic>(arrays, island, memory).run(number);
}

}  // namespace torsor::gpu
