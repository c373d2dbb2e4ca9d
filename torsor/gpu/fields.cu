// Candidates of height fields of all worlds on a CUDA device: a group of threads for each. In a file of their own for
// the time that they take to compile.
#include <cuda_runtime.h>

#include <algorithm>

#include "torsor/gpu/kernels/narrow.hpp"
#include "torsor/gpu/narrow_launch.hpp"

namespace torsor::gpu {
namespace {

constexpr int kThreads = 64, kGroup = 8, kMostBlocks = 2048;

// Groups go from candidate to candidate: how many there are, the device alone knows.
template <bool kOwnValues, class S>
__global__ void __launch_bounds__(kThreads)
    touch_field_candidates(const __grid_constant__ ConstraintView<S> constraints) {
  const int groups = int(gridDim.x) * (kThreads / kGroup);
  const int listed = constraints.candidates.listed_count[int(NarrowKind::kField)];
  for (int at = int(blockIdx.x * blockDim.x + threadIdx.x) / kGroup; at < listed; at += groups)
    touch_field_candidate<kGroup, kOwnValues>(constraints, at);
}
template <bool kOwnValues, class S>
__global__ void __launch_bounds__(kThreads)
    touch_left_field_candidates(const __grid_constant__ ConstraintView<S> constraints) {
  const int thread = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (thread < constraints.candidates.searches)
    touch_left_candidates<NarrowKind::kField, kOwnValues>(constraints, thread, constraints.candidates.searches);
}

int blocks(int threads) { return (threads + kThreads - 1) / kThreads; }

}  // namespace

template <class S>
void launch_fields(const ConstraintView<S>& constraints, void* stream) {
  const auto queue = static_cast<cudaStream_t>(stream);
  const bool own = constraints.plan.models != nullptr;
  const int most = std::min(blocks(constraints.candidates.most_listed) * kGroup, kMostBlocks);
  const auto touch = own ? touch_field_candidates<true, S> : touch_field_candidates<false, S>;
  touch<<<most, kThreads, 0, queue>>>(constraints);
  const auto touch_left = own ? touch_left_field_candidates<true, S> : touch_left_field_candidates<false, S>;
  touch_left<<<blocks(constraints.candidates.searches), kThreads, 0, queue>>>(constraints);
}
template void launch_fields(const ConstraintView<float>&, void*);
template void launch_fields(const ConstraintView<double>&, void*);

}  // namespace torsor::gpu
