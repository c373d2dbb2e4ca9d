// The solvers, compiled once per instruction set.
#include "torsor/solver/kernels/block_dual.hpp"
#include "torsor/solver/kernels/dense_operator.hpp"
#include "torsor/solver/kernels/dual_matrix.hpp"
#include "torsor/solver/kernels/primal.hpp"
#include "torsor/solver/kernels/table.hpp"

namespace torsor {
inline namespace TORSOR_ISA {
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

// False when scratch ran out.
bool set_dual(const DualProblem& problem, Scratch& scratch, DenseDual& dual) {
  dual.rows = problem.rows;
  dual.b = problem.b;
  dual.pyramids = problem.pyramids;
  dual.pyramid_count = problem.pyramid_count;
  dual.ld = padded_size(problem.rows.count);
  dual.AR = problem.AR;
  dual.gradient = scratch.take<double>(dual.ld);
  dual.before = scratch.take<double>(dual.ld);
  dual.take(scratch);
  if (scratch.full()) return false;
  dual.set_bounds([&](int r) { return dual.row(r)[r]; });
  return true;
}

bool pgs(const DualProblem& problem, const Options& options, Arena& arena, Solution& solution) {
  Scratch scratch(arena);
  DenseDual dual;
  if (!set_dual(problem, scratch, dual)) return false;
  GaussSeidel<DenseDual> solver(dual, scratch);
  if (scratch.full()) return false;
  solver.run(options, solution);
  return true;
}
bool noslip(const DualProblem& problem, const Options& options, Arena& arena, Solution& solution) {
  Scratch scratch(arena);
  DenseDual dual;
  if (!set_dual(problem, scratch, dual)) return false;
  renew(dual, solution.force, dual.gradient);
  repeat(options, [&] { return sweep_friction(dual, solution.force); });
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
