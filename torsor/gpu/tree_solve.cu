// M x = force of all trees on a CUDA device: a group of threads for each. Groups of a block have neighbouring worlds,
// whose numbers stand side by side.
#include <cuda_runtime.h>

#include "torsor/gpu/kernels/tree_solve.hpp"
#include "torsor/gpu/tree_launch.hpp"

namespace torsor::gpu {
namespace {

// Groups of a block: as many as a sector of memory has worlds, if there is shared memory for them.
template <class S, int kClass>
constexpr int kBytesOfGroup = TreeSolver<S, kClass, kTreeClasses[kClass].threads>::kNumbers* int(sizeof(S));
template <class S, int kClass>
constexpr int kGroups = 8 * kBytesOfGroup<S, kClass> <= 160 * 1024 ? 8 : 4;

// Blocks that a multiprocessor holds at a time: the compiler leaves registers for them.
template <class S>
constexpr int blocks_of(TreeClass size, int groups) {
  constexpr bool kIsFloat = sizeof(S) == 4;
  const int warps = size.dofs <= 28 ? (kIsFloat ? 24 : 16) : size.dofs <= 36 ? (kIsFloat ? 16 : 8) : 8;
  return warps * 32 / (size.threads * groups);
}

template <class S, int kClass>
__global__ void __launch_bounds__(kTreeClasses[kClass].threads* kGroups<S, kClass>,
                                  (blocks_of<S>(kTreeClasses[kClass], kGroups<S, kClass>)))
    solve_trees(const __grid_constant__ WorldView<S> view, TreeEquation equation, bool is_step) {
  constexpr int L = kTreeClasses[kClass].threads;
  extern __shared__ float4 shared[];
  const int group = threadIdx.x / L, world = blockIdx.x * kGroups<S, kClass> + group;
  if (world >= view.worlds) return;
  S* const own = reinterpret_cast<S*>(shared) + group * TreeSolver<S, kClass, L>::kNumbers;
  const int tree = view.trees.trees[view.trees.begin[kClass] + blockIdx.y];
  solve_tree<S, kClass, L>(view, equation, is_step, world, tree, own);
}

template <class S, int kClass>
cudaError_t launch_class(const WorldView<S>& view, TreeEquation equation, bool is_step, cudaStream_t stream) {
  constexpr int kOfBlock = kGroups<S, kClass>, kBytes = kOfBlock * kBytesOfGroup<S, kClass>;
  const int trees = view.trees.begin[kClass + 1] - view.trees.begin[kClass];
  if (trees == 0) return cudaSuccess;
  const auto kernel = solve_trees<S, kClass>;
  const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  if (error != cudaSuccess) return error;
  const dim3 grid((view.worlds + kOfBlock - 1) / kOfBlock, trees);
  kernel<<<grid, kTreeClasses[kClass].threads * kOfBlock, kBytes, stream>>>(view, equation, is_step);
  return cudaGetLastError();
}

}  // namespace

template <class S>
int launch_tree_solve(const WorldView<S>& view, TreeEquation equation, bool is_step, void* stream) {
  cudaError_t error = cudaSuccess;
  for_each_tree_class([&](auto size_class) {
    if (error == cudaSuccess)
      error = launch_class<S, decltype(size_class)::value>(view, equation, is_step, static_cast<cudaStream_t>(stream));
  });
  return error;
}
template int launch_tree_solve(const WorldView<float>&, TreeEquation, bool, void*);
template int launch_tree_solve(const WorldView<double>&, TreeEquation, bool, void*);

}  // namespace torsor::gpu
