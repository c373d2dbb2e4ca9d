// Kernels of forces of contacts, as those of the backend with the same names; see contact_forces.cu. Each returns a
// cudaError_t.
#pragma once

#include "torsor/gpu/constraint_view.hpp"

namespace torsor::gpu {

template <class S>
int launch_find_forces(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step, void* stream);
template <class S>
int launch_add_wrenches(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step, void* stream);
template <class S>
int launch_read_contacts(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step, void* stream);

}  // namespace torsor::gpu
