// Worlds with values of the model of their own on a CUDA device.
#include <cuda_runtime.h>

#include "torsor/gpu/kernels/narrow.hpp"
#include "torsor/gpu/kernels/own_values.hpp"
#include "torsor/gpu/narrow_launch.hpp"
#include "torsor/gpu/own_values_launch.hpp"
#include "torsor/gpu/team_kernels.hpp"

namespace torsor::gpu {
namespace {

// Threads of a block: as in cuda_backend.cu, and for candidates as in narrow.cu.
constexpr int kThreads = kTeamWorlds, kCandidateThreads = 64, kRowThreads = 128, kRowGroup = 32;

int blocks(int threads, int of_block) { return (threads + of_block - 1) / of_block; }
cudaStream_t queue(void* stream) { return static_cast<cudaStream_t>(stream); }

template <class S>
__global__ void __launch_bounds__(kThreads)
    take_values_of_worlds(const __grid_constant__ WorldView<S> view, const __grid_constant__ ValueList<S> list) {
  if (this_world() < view.worlds) take_values(view, list, this_world());
}
template <NarrowKind kKind, class S>
__global__ void __launch_bounds__(kCandidateThreads)
    touch_own_candidates(const __grid_constant__ ConstraintView<S> constraints) {
  touch_candidate<kKind, true>(constraints, int(blockIdx.x * blockDim.x + threadIdx.x));
}
template <class S>
__global__ void __launch_bounds__(kCandidateThreads)
    touch_own_left_candidates(const __grid_constant__ ConstraintView<S> constraints) {
  const int thread = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (thread < constraints.candidates.searches)
    touch_left_candidates<NarrowKind::kConvex, true>(constraints, thread, constraints.candidates.searches);
}
template <class S>
__global__ void __launch_bounds__(kRowThreads)
    constrain_own_worlds(const __grid_constant__ WorldView<S> view,
                         const __grid_constant__ ConstraintView<S> constraints, bool is_step) {
  const int world = int(blockIdx.x * blockDim.x + threadIdx.x) / kRowGroup;
  if (world < view.worlds) constrain_world<kRowGroup, true>(view, constraints, is_step, world);
}

}  // namespace

template <class S>
int launch_take_values(const WorldView<S>& view, const ValueList<S>& list, void* stream) {
  take_values_of_worlds<<<blocks(view.worlds, kThreads), kThreads, 0, queue(stream)>>>(view, list);
  return cudaGetLastError();
}
template <class S>
int launch_own_stages(const WorldView<S>& view, const StageList& list, int members, void* stream) {
  const dim3 threads(kThreads, members);
  run_stages_of_worlds<true, false><<<blocks(view.worlds, kThreads), threads, 0, queue(stream)>>>(view, list);
  return cudaGetLastError();
}
template <class S>
int launch_own_contacts(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step, void* stream) {
  const CandidateStore<S>& candidates = constraints.candidates;
  const dim3 threads(kThreads, contact_members(constraints, false));
  find_contacts_of_worlds<true>
      <<<blocks(view.worlds, kThreads), threads, 0, queue(stream)>>>(view, constraints, is_step);
  for_each_narrow_kind(constraints.plan.narrow_kinds, [&](auto kind) {
    touch_own_candidates<decltype(kind)::value>
        <<<blocks(candidates.most_listed, kCandidateThreads), kCandidateThreads, 0, queue(stream)>>>(constraints);
  });
  if (has_kind(constraints.plan.narrow_kinds, NarrowKind::kConvex))
    touch_own_left_candidates<<<blocks(candidates.searches, kCandidateThreads), kCandidateThreads, 0, queue(stream)>>>(
        constraints);
  if (has_kind(constraints.plan.narrow_kinds, NarrowKind::kField)) launch_fields(constraints, stream);
  return cudaGetLastError();
}
template <class S>
int launch_own_rows(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step, void* stream) {
  constexpr int kWorlds = kRowThreads / kRowGroup;
  constrain_own_worlds<<<blocks(view.worlds, kWorlds), kRowThreads, 0, queue(stream)>>>(view, constraints, is_step);
  return cudaGetLastError();
}

#define TORSOR_INSTANTIATE(S)                                                                   \
  template int launch_take_values(const WorldView<S>&, const ValueList<S>&, void*);             \
  template int launch_own_stages(const WorldView<S>&, const StageList&, int, void*);            \
  template int launch_own_contacts(const WorldView<S>&, const ConstraintView<S>&, bool, void*); \
  template int launch_own_rows(const WorldView<S>&, const ConstraintView<S>&, bool, void*);
TORSOR_INSTANTIATE(float)
TORSOR_INSTANTIATE(double)
#undef TORSOR_INSTANTIATE

}  // namespace torsor::gpu
