// The solvers, compiled once per instruction set.
#include "torsor/solver/kernels/block_dual.hpp"
#include "torsor/solver/kernels/dense_operator.hpp"
#include "torsor/solver/kernels/dual_matrix.hpp"
#include "torsor/solver/kernels/primal.hpp"
#include "torsor/solver/kernels/table.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

void square_rows(int m, int n, const double* Y, const double* R, double* AR) {
  constexpr int kRows = 4;
  const int ld = dual_stride(m);
  int r = 0;
  for (; r + kRows <= m; r += kRows) {
    for (int c = 0; c < ld; c += kLaneCount) multiply_columns<kRows>(n, ld, Y, r, c, AR);
  }
  for (; r < m; ++r) {
    for (int c = 0; c < ld; c += kLaneCount) multiply_columns<1>(n, ld, Y, r, c, AR);
  }
  for (r = 0; r < m; ++r) AR[std::ptrdiff_t(r) * ld + r] += R[r];
}

namespace {

template <class Operator, bool kNewton, class Problem>
bool solve_primal(const Problem& problem, const Options& options, Arena& arena, Solution& solution) {
  Scratch scratch(arena);
  Operator op(problem, scratch, kNewton);
  const PrimalInput input{problem.rows,   problem.a_smooth, problem.f_smooth, problem.momentum,
                          problem.weight, problem.b,        options};
  Primal<Operator, kNewton> primal(op, input, scratch, solution);
  if (scratch.full()) return false;
  primal.run();
  return true;
}

bool pgs_in(Scratch& scratch, const DualProblem& problem, const Options& options, Solution& solution) {
  DenseDual dual;
  if (!set_dual(problem, scratch, dual)) return false;
  GaussSeidel<DenseDual> solver(dual, scratch);
  if (scratch.full()) return false;
  solver.run(options, solution);
  return true;
}
bool pgs(const DualProblem& problem, const Options& options, Arena& arena, Solution& solution) {
  Scratch scratch(arena);
  return pgs_in(scratch, problem, options, solution);
}
bool noslip(const DualProblem& problem, const Options& options, Arena& arena, Solution& solution) {
  Scratch scratch(arena);
  DenseDual dual;
  if (!set_dual(problem, scratch, dual)) return false;
  renew(dual, solution.force, dual.gradient);
  sweep_without_slip(dual, options, solution);
  return true;
}

bool block_pgs(const BlockProblem& problem, const Options& options, bool cold, Arena& arena, Solution& solution) {
  Scratch scratch(arena);
  const BlockDual dual(problem, scratch, nullptr, 0);
  GaussSeidel<SparseDual> solver(dual.dual(), scratch);
  if (scratch.full()) return false;
  dual.pgs(solver, options, cold, solution);
  return true;
}
bool block_noslip(const BlockProblem& problem, const Pyramid* pyramids, int pyramid_count, const Options& options,
                  Arena& arena, Solution& solution) {
  Scratch scratch(arena);
  const BlockDual dual(problem, scratch, pyramids, pyramid_count);
  if (scratch.full()) return false;
  dual.noslip(options, solution);
  return true;
}

}  // namespace

void solve_dense_dual(const DualProblem& problem, const Options& options, void* memory, Solution& solution) {
  Scratch scratch(memory, dual_bytes(problem.rows.count));
  pgs_in(scratch, problem, options, solution);
}

extern const SolverKernels kSolverKernels;
const SolverKernels kSolverKernels = {
    .newton = solve_primal<DenseOperator, true>,
    .cg = solve_primal<DenseOperator, false>,
    .block_newton = solve_primal<BlockOperator, true>,
    .block_cg = solve_primal<BlockOperator, false>,
    .evaluate = evaluate,
    .multiply_by_inverse = multiply_by_inverse,
    .pgs = pgs,
    .noslip = noslip,
    .block_pgs = block_pgs,
    .block_noslip = block_noslip,
};

}  // namespace TORSOR_ISA
}  // namespace torsor
