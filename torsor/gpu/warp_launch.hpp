// Kernels of solvers that take an island by one warp. For nvcc alone, which includes cuda_runtime.h by itself.
#pragma once

#include <algorithm>

#include "torsor/gpu/kernels/island_order.hpp"
#include "torsor/gpu/kernels/warp_solver.hpp"

namespace torsor::gpu {

inline constexpr int kWarpsOfBlock = 4;

template <class Solver, class S>
__global__ void __launch_bounds__(32 * kWarpsOfBlock, 4)
    solve_by_warps(const __grid_constant__ ConstraintArrays<S> arrays, const __grid_constant__ IslandLists lists,
                   const __grid_constant__ NewtonScratch<S> scratch) {
  extern __shared__ float4 shared[];
  const int of_block = threadIdx.x / 32, warp = blockIdx.x * kWarpsOfBlock + of_block;
  const IslandOrder order(int(gridDim.x) * kWarpsOfBlock, scratch.groups, lists.taken);
  order.for_each(Group<32>(), warp, count_islands(lists), [&](int k) {
    solve_one<Solver>(arrays, lists, k, reinterpret_cast<char*>(shared) + of_block * kSharedOfWarp,
                      scratch.numbers + warp * scratch.stride);
  });
}

// As many blocks as the device holds at a time
template <class Solver, class S>
cudaError_t launch_by_warps(const ConstraintArrays<S>& arrays, const IslandLists& lists,
                            const NewtonScratch<S>& scratch, cudaStream_t stream) {
  constexpr int kBytes = kWarpsOfBlock * int(kSharedOfWarp);
  const auto kernel = solve_by_warps<Solver, S>;
  const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  if (error != cudaSuccess) return error;
  int device = 0, multiprocessors = 1, blocks = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32 * kWarpsOfBlock, kBytes);
  const int most = std::min(scratch.groups, lists.capacity);
  const int grid = std::min(std::max(blocks, 1) * multiprocessors, (most + kWarpsOfBlock - 1) / kWarpsOfBlock);
  if (grid > 0) kernel<<<grid, 32 * kWarpsOfBlock, kBytes, stream>>>(arrays, lists, scratch);
  return cudaGetLastError();
}

}  // namespace torsor::gpu
