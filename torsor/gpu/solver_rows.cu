// The rows of worlds that Gauss-Seidel and SAP solve: those of cuda_backend.cu with what these solvers need, compiled
// once more, so that others are written as fast as ever.
#include <cuda_runtime.h>

#include "torsor/gpu/kernels/constraints.hpp"
#include "torsor/gpu/solver_rows_launch.hpp"

namespace torsor::gpu {
namespace {

constexpr int kRowGroup = 16, kRowThreads = 128;

template <class S, bool kOwnValues, IslandSolver kSolver>
__global__ void __launch_bounds__(kRowThreads, sizeof(S) == 4 ? 6 : 4)
    constrain_for_solver(const __grid_constant__ WorldView<S> view,
                         const __grid_constant__ ConstraintView<S> constraints, bool is_step) {
  const int world = int(blockIdx.x * blockDim.x + threadIdx.x) / kRowGroup;
  if (world < view.worlds) constrain_world<kRowGroup, kOwnValues, kSolver>(view, constraints, is_step, world);
}

}  // namespace

template <class S>
int launch_solver_rows(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step, void* stream) {
  constexpr int kWorlds = kRowThreads / kRowGroup;
  const auto kernel = constraints.problem.method == IslandSolver::kSap
                          ? constrain_for_solver<S, false, IslandSolver::kSap>
                      : constraints.plan.models ? constrain_for_solver<S, true, IslandSolver::kPgs>
                                                : constrain_for_solver<S, false, IslandSolver::kPgs>;
  kernel<<<(view.worlds + kWorlds - 1) / kWorlds, kRowThreads, 0, static_cast<cudaStream_t>(stream)>>>(
      view, constraints, is_step);
  return cudaGetLastError();
}
template int launch_solver_rows(const WorldView<float>&, const ConstraintView<float>&, bool, void*);
template int launch_solver_rows(const WorldView<double>&, const ConstraintView<double>&, bool, void*);

}  // namespace torsor::gpu
