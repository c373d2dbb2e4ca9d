// Newton's method for the islands of all worlds: solver/kernels/wide_primal.hpp with a group of threads for each
// island. Start, line search and rules of stopping are the same; Options::relative must be off.
//
// Islands are sorted into classes by size. Whoever makes an island appends its number to the list of its class:
//     const int c = size_class(island, elliptic);
//     list.indices[c * list.capacity + atomicAdd(&list.counts[c], 1)] = number;
// The lists are read on the device alone: launches do not depend on them, and can be part of a CUDA graph.
#pragma once

#include "torsor/gpu/constraint_problem.hpp"

namespace torsor::gpu {

// The classes: islands of at most so many dofs, whose rows need at most so many numbers (see row_numbers) of shared
// memory; then those with too many rows for that; those of too many dofs for it, whose factor alone is in shared
// memory; and last those with too many dofs for registers.
struct SizeClass {
  int dofs, row_numbers;
  int threads;  // of an island
};
inline constexpr SizeClass kSharedClasses[] = {{8, 320, 8},   {16, 320, 16}, {28, 512, 32},
                                               {36, 512, 32}, {48, 512, 32}, {64, 512, 32}};
inline constexpr int kSharedClassCount = 6, kSmallClasses = 3;  // small: of at most a dof for each thread
inline constexpr int kManyRows = kSharedClassCount, kLarge = kManyRows + 1, kManyDofs = kLarge + 1,
                     kSizeClasses = kManyDofs + 1;
inline constexpr int kMostSharedDofs = 64, kMostLargeDofs = 96;

TORSOR_INLINE constexpr int round_up_to_four(int n) { return (n + 3) / 4 * 4; }
TORSOR_INLINE int rows_of(const Island& island) {
  return island.singles + 3 * island.contacts[0] + 4 * island.contacts[1] + 6 * island.contacts[2];
}
// Numbers of a contact's curvature; those of an elliptic one are followed by k and D of the tangents.
TORSOR_INLINE constexpr int curvature_numbers(int dim, bool elliptic) {
  return elliptic ? dim * (dim + 1) / 2 + 2 : 2 * dim - 1;
}
// x, J p and force of each row, and the curvature of each item
TORSOR_INLINE int row_numbers(const Island& island, bool elliptic) {
  int numbers = 3 * rows_of(island) + island.singles;
  for (int k = 0; k < solver::kContactKinds; ++k)
    numbers += island.contacts[k] * curvature_numbers(solver::contact_dim(k), elliptic);
  return numbers;
}
TORSOR_INLINE int size_class(const Island& island, bool elliptic) {
  constexpr SizeClass kClasses[] = {kSharedClasses[0], kSharedClasses[1], kSharedClasses[2],
                                    kSharedClasses[3], kSharedClasses[4], kSharedClasses[5]};
  for (int c = 0; c < kSharedClassCount; ++c) {
    if (island.dofs > kClasses[c].dofs) continue;
    return row_numbers(island, elliptic) <= kClasses[c].row_numbers ? c : kManyRows;
  }
  return island.dofs <= kMostLargeDofs ? kLarge : kManyDofs;
}

struct IslandLists {
  const Island* islands = nullptr;
  const int* indices = nullptr;  // [kSizeClasses][capacity], into islands
  const int* counts = nullptr;   // [kSizeClasses]
  int capacity = 0;
  int* taken = nullptr;  // [kSizeClasses], zeros: islands that groups came back for, or null where each takes its share
};

// Memory of the last three classes, on the device: `groups` parts, and as many islands are solved at a time.
template <class S>
struct NewtonScratch {
  S* numbers = nullptr;  // aligned to 16 bytes
  std::ptrdiff_t stride = 0;
  int groups = 0;
};
// The stride that islands of a model can need: nv dofs, and row_capacity rows in item_capacity items.
std::ptrdiff_t newton_scratch_stride(int nv, int row_capacity, bool elliptic);

// Solves all islands of the lists. Bit c of `classes`: islands of class c may occur; others are not launched. Classes
// beyond those of nv never are. `stream` is a cudaStream_t. Returns a cudaError_t.
template <class S>
int launch_newton(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
                  void* stream, unsigned classes = ~0u);
// The same on this machine, island after island; one group of scratch is enough.
template <class S>
void run_newton_on_host(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch);

}  // namespace torsor::gpu
