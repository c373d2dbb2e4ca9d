// Kernels of teams: warp k of a block is member k of the teams of 32 worlds. Compiled twice, for worlds that share
// their model and for worlds with values of their own. For nvcc alone, which includes cuda_runtime.h by itself.
#pragma once

#include "torsor/gpu/kernels/constraints.hpp"
#include "torsor/gpu/kernels/team_stages.hpp"

namespace torsor::gpu {

constexpr int kTeamWorlds = 32, kMostMembers = 8;
template <class S>
constexpr int kTeamBlocks = sizeof(S) == 4 ? 2 : 1;  // of a multiprocessor: the compiler leaves registers for them

template <bool kOwnValues, bool kDivided, class S>
__global__ void __launch_bounds__(kTeamWorlds* kMostMembers, kTeamBlocks<S>)
    run_stages_of_worlds(const __grid_constant__ WorldView<S> view, const __grid_constant__ StageList list) {
  __shared__ bool is_active[kTeamWorlds];
  const StageTeam team{int(threadIdx.y), int(blockDim.y)};
  const auto share = [&](bool of_first) {
    if (team.member == 0) is_active[threadIdx.x] = of_first;
    __syncthreads();
    return is_active[threadIdx.x];
  };
  run_stages_in_team<kOwnValues, kDivided>(
      view, list, this_world(), team, [] { __syncthreads(); }, share);
}

template <bool kOwnValues, class S>
__global__ void __launch_bounds__(kTeamWorlds* kMostMembers, kTeamBlocks<S>)
    find_contacts_of_worlds(const __grid_constant__ WorldView<S> view,
                            const __grid_constant__ ConstraintView<S> constraints, bool is_step) {
  __shared__ int contacts[kTeamWorlds], candidates[kTeamWorlds];
  const int world = this_world();
  const ContactTeam team{int(threadIdx.y), int(blockDim.y), contacts + threadIdx.x, candidates + threadIdx.x};
  if (team.member == 0) *team.contacts = *team.candidates = 0;
  __syncthreads();
  if (world < view.worlds) find_contacts<kOwnValues>(view, constraints, is_step, world, team);
  __syncthreads();
  if (world < view.worlds && team.member == 0) count_contacts(view, constraints, is_step, world, team);
}
// More members pay only where there are many pairs for each, or few worlds.
template <class S>
int contact_members(const ConstraintView<S>& constraints, bool has_few_worlds) {
  const int pairs = constraints.plan.pair_count;
  return pairs >= 1000 ? kMostMembers : pairs >= (has_few_worlds ? 100 : 250) ? 4 : pairs >= 8 ? 2 : 1;
}

}  // namespace torsor::gpu
