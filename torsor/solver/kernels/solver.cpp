// The solvers, compiled once per instruction set.
#include "torsor/solver/kernels/block_dual.hpp"
#include "torsor/solver/kernels/dense_operator.hpp"
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

// False when scratch ran out. The gradient is that of the solution's forces.
bool set_dual(const DualProblem& problem, Scratch& scratch, const Solution& solution, DenseDual& dual) {
  dual.rows = problem.rows;
  dual.b = problem.b;
  dual.pyramids = problem.pyramids;
  dual.pyramid_count = problem.pyramid_count;
  dual.ld = problem.ld;
  dual.AR = problem.AR;
  dual.gradient = scratch.take<double>(problem.ld);
  dual.before = scratch.take<double>(problem.ld);
  if (!dual.take_bounds(scratch)) return false;
  renew(dual, solution.force, dual.gradient);
  return true;
}

bool pgs(const DualProblem& problem, const Options& options, Arena& arena, Solution& solution) {
  Scratch scratch(arena);
  DenseDual dual;
  if (!set_dual(problem, scratch, solution, dual)) return false;
  GaussSeidel<DenseDual> solver(dual, scratch, solution.force);
  if (scratch.full()) return false;
  solver.run(options, solution);
  return true;
}
bool noslip(const DualProblem& problem, const Options& options, Arena& arena, Solution& solution) {
  Scratch scratch(arena);
  DenseDual dual;
  if (!set_dual(problem, scratch, solution, dual)) return false;
  repeat(options, [&] { return sweep_friction(dual, solution.force); });
  return true;
}

bool block_pgs(const BlockProblem& problem, const Options& options, bool cold, Arena& arena, Solution& solution) {
  Scratch scratch(arena);
  const BlockDual dual(problem, scratch, nullptr, 0);
  GaussSeidel<SparseDual> solver(dual.dual(), scratch, solution.force);
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
    .pgs = pgs,
    .noslip = noslip,
    .block_pgs = block_pgs,
    .block_noslip = block_noslip,
};

}  // namespace TORSOR_ISA
}  // namespace torsor
