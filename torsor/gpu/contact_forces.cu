// Forces of contacts and equalities of all worlds on a CUDA device, and the sensors that read them. Models without such
// readers have none of these kernels.
#include <cuda_runtime.h>

#include "torsor/gpu/force_launch.hpp"
#include "torsor/gpu/kernels/contact_forces.hpp"

namespace torsor::gpu {
namespace {

constexpr int kWorlds = 32, kMembers = 4;            // of a block of teams
constexpr int kForceGroup = 8, kForceThreads = 128;  // of a block of groups

int blocks(int threads, int of_block) { return (threads + of_block - 1) / of_block; }
cudaStream_t queue(void* stream) { return static_cast<cudaStream_t>(stream); }
__device__ StageTeam team_of_thread() { return {int(threadIdx.y), int(blockDim.y)}; }

template <bool kOwnValues, class S>
__global__ void __launch_bounds__(kForceThreads)
    find_forces_of_worlds(const __grid_constant__ WorldView<S> view,
                          const __grid_constant__ ConstraintView<S> constraints, bool is_step) {
  const int world = int(blockIdx.x * blockDim.x + threadIdx.x) / kForceGroup;
  if (world < view.worlds) find_forces<kForceGroup, kOwnValues>(view, constraints, is_step, world);
}
template <bool kOwnValues, class S>
__global__ void __launch_bounds__(kWorlds* kMembers)
    add_wrenches_to_worlds(const __grid_constant__ WorldView<S> view,
                           const __grid_constant__ ConstraintView<S> constraints, bool is_step) {
  if (this_world() < view.worlds) add_wrenches<kOwnValues>(view, constraints, is_step, this_world(), team_of_thread());
}
template <bool kOwnValues, class S>
__global__ void __launch_bounds__(kWorlds* kMembers)
    read_contacts_of_worlds(const __grid_constant__ WorldView<S> view,
                            const __grid_constant__ ConstraintView<S> constraints, bool is_step) {
  if (this_world() < view.worlds) read_contacts<kOwnValues>(view, constraints, is_step, this_world(), team_of_thread());
}

}  // namespace

template <class S>
int launch_find_forces(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step, void* stream) {
  const auto kernel = constraints.plan.models ? find_forces_of_worlds<true, S> : find_forces_of_worlds<false, S>;
  kernel<<<blocks(view.worlds, kForceThreads / kForceGroup), kForceThreads, 0, queue(stream)>>>(view, constraints,
                                                                                                is_step);
  return cudaGetLastError();
}
template <class S>
int launch_add_wrenches(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step, void* stream) {
  const auto kernel = constraints.plan.models ? add_wrenches_to_worlds<true, S> : add_wrenches_to_worlds<false, S>;
  kernel<<<blocks(view.worlds, kWorlds), dim3(kWorlds, kMembers), 0, queue(stream)>>>(view, constraints, is_step);
  return cudaGetLastError();
}
template <class S>
int launch_read_contacts(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step, void* stream) {
  const auto kernel = view.models ? read_contacts_of_worlds<true, S> : read_contacts_of_worlds<false, S>;
  kernel<<<blocks(view.worlds, kWorlds), dim3(kWorlds, kMembers), 0, queue(stream)>>>(view, constraints, is_step);
  return cudaGetLastError();
}

#define TORSOR_INSTANTIATE(S)                                                                   \
  template int launch_find_forces(const WorldView<S>&, const ConstraintView<S>&, bool, void*);  \
  template int launch_add_wrenches(const WorldView<S>&, const ConstraintView<S>&, bool, void*); \
  template int launch_read_contacts(const WorldView<S>&, const ConstraintView<S>&, bool, void*);
TORSOR_INSTANTIATE(float)
TORSOR_INSTANTIATE(double)
#undef TORSOR_INSTANTIATE

}  // namespace torsor::gpu
