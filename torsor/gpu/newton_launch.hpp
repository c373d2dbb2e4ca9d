// The kernels of newton.hpp for one type of number and of cone; newton_*.cu are the four, apart for the time that they
// take to compile. For nvcc alone, which includes cuda_runtime.h by itself.
#pragma once

#include <algorithm>
#include <utility>

#include "torsor/gpu/kernels/newton_memory.hpp"

namespace torsor::gpu {

// Of a block. Few islands are large: those of a block would wait for the one that takes longest.
template <class S, int kClass>
constexpr int newton_threads() {
  return kClassDofs<S, kClass> > 48 ? 32 : 128;
}

// Blocks that a multiprocessor holds at a time, as far as shared memory lets it: the compiler leaves registers for
// them.
template <class S, int kClass>
constexpr int newton_blocks() {
  constexpr bool kIsFloat = sizeof(S) == 4;
  constexpr int n = kClassDofs<S, kClass>;
  if (n == 0) return kIsFloat ? 3 : 2;
  if (n <= 28) return kIsFloat ? 5 : n <= 16 ? 3 : 2;
  if (n <= 48) return kIsFloat ? 3 : 1;
  return 8;
}

template <class S, int kClass, bool kElliptic>
__global__ void __launch_bounds__((newton_threads<S, kClass>()), (newton_blocks<S, kClass>()))
    newton_islands(const __grid_constant__ ConstraintArrays<S> arrays, const __grid_constant__ IslandLists lists,
                   const __grid_constant__ NewtonScratch<S> scratch) {
  constexpr int L = kClassThreads<kClass>, kGroups = newton_threads<S, kClass>() / L;
  extern __shared__ float4 shared[];
  const int of_block = threadIdx.x / L, group = blockIdx.x * kGroups + of_block;
  S* const own = reinterpret_cast<S*>(shared) + of_block * kSharedNumbers<S, kClass>;
  order_of_class<S, kClass>(int(gridDim.x) * kGroups, lists, scratch)
      .for_each(Group<L>(), group, lists.counts[kClass], [&](int k) {
        solve_island<S, kClass, L, kElliptic>(arrays, lists, lists.indices[kClass * lists.capacity + k], own,
                                              scratch.numbers + group * scratch.stride);
      });
}

inline int multiprocessors() {
  int device = 0, count = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  return count;
}

// As many blocks as the device holds at a time: threads go from island to island.
template <class S, bool kElliptic, int kClass>
cudaError_t launch_class(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
                         cudaStream_t stream) {
  constexpr int kThreads = newton_threads<S, kClass>(), kGroups = kThreads / kClassThreads<kClass>;
  constexpr int kBytes = kGroups * kSharedNumbers<S, kClass> * int(sizeof(S));
  const auto kernel = newton_islands<S, kClass, kElliptic>;
  const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  if (error != cudaSuccess) return error;
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kThreads, kBytes);
  const int most = kClass >= kManyRows ? scratch.groups : lists.capacity;
  const int grid = std::min(std::max(blocks, 1) * multiprocessors(), (most + kGroups - 1) / kGroups);
  if (grid > 0) kernel<<<grid, kThreads, kBytes, stream>>>(arrays, lists, scratch);
  return cudaGetLastError();
}

// Whether a model of nv dofs can have islands of a class
constexpr bool has_class(int size_class, int nv) {
  if (size_class == kManyRows) return true;
  if (size_class == kManyDofs) return kMostLargeDofs < nv;
  return size_class == 0 || kSharedClasses[std::min(size_class, kSharedClassCount) - 1].dofs < nv;
}

template <class S, bool kElliptic, int... kClass>
int launch_classes(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
                   cudaStream_t stream, unsigned classes, std::integer_sequence<int, kClass...>) {
  cudaError_t error = cudaSuccess;
  const auto launch = [&](int size_class, auto launcher) {
    if (error == cudaSuccess && classes >> size_class & 1 && has_class(size_class, arrays.nv)) error = launcher();
  };
  (launch(kClass, [&] { return launch_class<S, kElliptic, kClass>(arrays, lists, scratch, stream); }), ...);
  return error;
}

template <class S, bool kElliptic>
int launch_newton_with(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
                       cudaStream_t stream, unsigned classes) {
  return launch_classes<S, kElliptic>(arrays, lists, scratch, stream, classes,
                                      std::make_integer_sequence<int, kSizeClasses>());
}

}  // namespace torsor::gpu
