// M x = force of all trees on a CUDA device.
#pragma once

#include "torsor/gpu/world_view.hpp"

namespace torsor::gpu {

// Returns a cudaError_t.
template <class S>
int launch_tree_solve(const WorldView<S>& view, TreeEquation equation, bool is_step, void* stream);

}  // namespace torsor::gpu
