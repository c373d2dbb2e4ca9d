// The dual problem of one world with its matrix, for both files of kernels. Defined in solver.cpp.
#pragma once

#include <cstddef>

#include "torsor/solver/solver.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// AR = Y' Y + R, for m rows and n dofs; Y in rows of dual_stride(m), one per dof.
void square_rows(int m, int n, const double* Y, const double* R, double* AR);
// What solver::solve_pgs() does, with 64-byte aligned memory of the caller.
inline std::size_t dual_bytes(int rows) { return 10 * sizeof(double) * (solver::dual_stride(rows) + 8); }
void solve_dense_dual(const solver::DualProblem& problem, const solver::Options& options, void* memory,
                      solver::Solution& solution);

}  // namespace TORSOR_ISA
}  // namespace torsor
