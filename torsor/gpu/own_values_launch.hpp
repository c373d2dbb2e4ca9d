// The kernels of worlds with values of the model of their own on a CUDA device: those of cuda_backend.cu and narrow.cu,
// compiled once more, so that worlds which share their model read it as fast as ever. Each returns a cudaError_t.
#pragma once

#include "torsor/gpu/constraint_view.hpp"
#include "torsor/gpu/value_list.hpp"

namespace torsor::gpu {

template <class S>
int launch_take_values(const WorldView<S>& view, const ValueList<S>& list, void* stream);
template <class S>
int launch_own_stages(const WorldView<S>& view, const StageList& list, int members, void* stream);
template <class S>
int launch_own_contacts(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step, void* stream);
template <class S>
int launch_own_rows(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step, void* stream);

}  // namespace torsor::gpu
