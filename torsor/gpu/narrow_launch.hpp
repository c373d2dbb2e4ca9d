// The narrow phase on a CUDA device.
#pragma once

#include "torsor/gpu/constraint_view.hpp"

namespace torsor::gpu {

// Finds the points of all candidates that are listed. Returns a cudaError_t.
template <class S>
int launch_narrow(const ConstraintView<S>& constraints, void* stream);

}  // namespace torsor::gpu
