// How much memory the classes of islands need, and how a group takes its part.
#pragma once

#include <climits>

#include "torsor/gpu/kernels/island_order.hpp"
#include "torsor/gpu/kernels/newton.hpp"

namespace torsor::gpu {

// Dofs of which a thread has its rows in registers, 0 where it has them in memory: a double takes two registers.
template <class S, int kClass>
inline constexpr int kClassDofs = kClass == kManyDofs || (kClass == kLarge && sizeof(S) == 8) ? 0
                                  : kClass == kLarge                                          ? kMostLargeDofs
                                  : kClass == kManyRows                                       ? kMostSharedDofs
                                                        : kSharedClasses[kClass % kSharedClassCount].dofs;
template <int kClass>
inline constexpr int kClassThreads = kClass >= kManyRows ? 32 : kSharedClasses[kClass % kSharedClassCount].threads;

// shared memory of a group, in numbers
template <class S, int kClass>
inline constexpr int kSharedNumbers = kClassDofs<S, kClass> == 0
                                          ? 0
                                          : int(dof_numbers(kClassDofs<S, kClass>, true)) +
                                                (kClass >= kManyRows
                                                     ? 0
                                                     : kSharedClasses[kClass % kSharedClassCount].row_numbers);

// Who takes the islands of a class: groups without scratch memory take none of those that need it.
template <class S, int kClass>
TORSOR_INLINE IslandOrder order_of_class(int launched, const IslandLists& lists, const NewtonScratch<S>& scratch) {
  return {launched, kClass >= kManyRows ? scratch.groups : INT_MAX, lists.taken, kClass};
}

// Solves one island of a class by a group of L threads; `scratch` is that of the group, null where there is none.
template <class S, int kClass, int L, bool kElliptic>
TORSOR_INLINE void solve_island(const ConstraintArrays<S>& arrays, const IslandLists& lists, int number, S* shared,
                                S* scratch) {
  const Island& island = lists.islands[number];
  constexpr int N = kClassDofs<S, kClass>;
  IslandMemory<S> memory;
  S* rows;
  if constexpr (N > 0) {
    rows = memory.take_dofs(shared, N, true);
    if constexpr (kClass >= kManyRows) rows = scratch;
    if constexpr (layout_of(N) == Layout::kMassApart) {
      memory.mass = scratch;
      rows = scratch + mass_numbers(N);
    }
  } else {
    rows = memory.take_dofs(scratch, round_up_to_four(island.dofs), false);
  }
  memory.take_rows(rows, rows_of(island));
  IslandNewton<S, N, L, kElliptic>(arrays, island, memory).run(number);
}

}  // namespace torsor::gpu
