// Stages of single worlds on a CUDA device. Models whose stages all run in lanes have none of these kernels.
#include <cuda_runtime.h>

#include "torsor/gpu/kernels/world_stages.hpp"
#include "torsor/gpu/world_stage_launch.hpp"

namespace torsor::gpu {
namespace {

constexpr int kThreads = 32;

template <bool kOwnValues, class S>
__global__ void __launch_bounds__(kThreads)
    run_stage_of_worlds(const __grid_constant__ WorldView<S> view, WorldStage stage,
                        const __grid_constant__ StageList flags) {
  if (this_world() < view.worlds) run_world_stage<kOwnValues>(view, stage, flags, this_world());
}

}  // namespace

template <class S>
int launch_world_stage(const WorldView<S>& view, WorldStage stage, const StageList& flags, void* stream) {
  const auto kernel = view.models ? run_stage_of_worlds<true, S> : run_stage_of_worlds<false, S>;
  kernel<<<(view.worlds + kThreads - 1) / kThreads, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(view, stage,
                                                                                                      flags);
  return cudaGetLastError();
}
template int launch_world_stage(const WorldView<float>&, WorldStage, const StageList&, void*);
template int launch_world_stage(const WorldView<double>&, WorldStage, const StageList&, void*);

}  // namespace torsor::gpu
