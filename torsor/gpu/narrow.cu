// Candidates of all worlds on a CUDA device: one thread for each.
#include <cuda_runtime.h>

#include "torsor/gpu/kernels/constraints.hpp"
#include "torsor/gpu/kernels/narrow.hpp"
#include "torsor/gpu/narrow_launch.hpp"

namespace torsor::gpu {
namespace {

constexpr int kThreads = 64;  // of a block

template <NarrowKind kKind, class S>
__global__ void __launch_bounds__(kThreads) touch_candidates(const __grid_constant__ ConstraintView<S> constraints) {
  touch_candidate<kKind>(constraints, int(blockIdx.x * blockDim.x + threadIdx.x));
}

template <NarrowKind kKind, class S>
__global__ void __launch_bounds__(kThreads)
    touch_left_candidates_of_worlds(const __grid_constant__ ConstraintView<S> constraints) {
  const int thread = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (thread < constraints.candidates.searches)
    touch_left_candidates<kKind>(constraints, thread, constraints.candidates.searches);
}

int blocks(int threads) { return (threads + kThreads - 1) / kThreads; }

}  // namespace

template <class S>
int launch_narrow(const ConstraintView<S>& constraints, void* stream) {
  const auto queue = static_cast<cudaStream_t>(stream);
  for_each_narrow_kind(constraints.plan.narrow_kinds, [&](auto kind) {
    touch_candidates<decltype(kind)::value>
        <<<blocks(constraints.candidates.most_listed), kThreads, 0, queue>>>(constraints);
  });
  const int searches = constraints.candidates.searches;
  if (has_kind(constraints.plan.narrow_kinds, NarrowKind::kConvex))
    touch_left_candidates_of_worlds<NarrowKind::kConvex><<<blocks(searches), kThreads, 0, queue>>>(constraints);
  if (has_kind(constraints.plan.narrow_kinds, NarrowKind::kField)) launch_fields(constraints, stream);
  return cudaGetLastError();
}
template int launch_narrow(const ConstraintView<float>&, void*);
template int launch_narrow(const ConstraintView<double>&, void*);

}  // namespace torsor::gpu
