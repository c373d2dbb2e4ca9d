// Stages of single worlds on a CUDA device.
#pragma once

#include "torsor/gpu/world_view.hpp"

namespace torsor::gpu {

// Returns a cudaError_t.
template <class S>
int launch_world_stage(const WorldView<S>& view, WorldStage stage, const StageList& flags, void* stream);

}  // namespace torsor::gpu
