// The rows of worlds whose solver needs more of them than Newton's method, on a CUDA device: Gauss-Seidel the order of
// visits, SAP compliance.
#pragma once

#include "torsor/gpu/constraint_view.hpp"

namespace torsor::gpu {

TORSOR_INLINE bool has_rows_of_its_own(IslandSolver solver) {
  return solver == IslandSolver::kPgs || solver == IslandSolver::kSap;
}
// Returns a cudaError_t.
template <class S>
int launch_solver_rows(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step, void* stream);

}  // namespace torsor::gpu
