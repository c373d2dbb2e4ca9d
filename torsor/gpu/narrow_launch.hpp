// The narrow phase on a CUDA device.
#pragma once

#include "torsor/gpu/constraint_view.hpp"

namespace torsor::gpu {

// Finds the points of all candidates that are listed. Returns a cudaError_t.
template <class S>
int launch_narrow(const ConstraintView<S>& constraints, void* stream);
// Those of height fields, as the last, also for worlds with values of their own.
template <class S>
void launch_fields(const ConstraintView<S>& constraints, void* stream);

}  // namespace torsor::gpu
