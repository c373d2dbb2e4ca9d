// The solvers, compiled once per instruction set.
#include "torsor/solver/kernels/dense_operator.hpp"
#include "torsor/solver/kernels/dual.hpp"
#include "torsor/solver/kernels/primal.hpp"
#include "torsor/solver/kernels/table.hpp"

namespace torsor {
inline namespace TORSOR_ISA {
namespace {

template <bool kNewton>
bool solve_dense(const DenseProblem& problem, const Options& options, Arena& arena, Solution& solution) {
  Scratch scratch(arena);
  DenseOperator op(problem, scratch, kNewton);
  const PrimalInput input{problem.rows, problem.a_smooth, problem.f_smooth, problem.b, options};
  Primal<DenseOperator, kNewton> primal(op, input, scratch, solution);
  if (scratch.full()) return false;
  primal.run();
  return true;
}

double evaluate(const Rows& rows, const double* x, double* force, int* state) {
  double cost = 0;
  int cone = 0;
  for (int r = 0; r < rows.count;) {
    double f[kMaxConeDim];
    RowState zone;
    int dim = 1;
    if (cone < rows.cone_count && rows.cones[cone].row == r) {
      dim = rows.cones[cone].dim;
      const ConeCost at = evaluate_cone(rows.cones[cone++], rows.D + r, x + r, f);
      cost += at.cost;
      zone = at.zone;
    } else {
      const Bounds bounds = bounds_of_row(rows, r);
      const double pull = rows.D[r] * x[r], held = min(max(pull, bounds.lower), bounds.upper);
      cost += held * (x[r] - 0.5 * held * rows.R[r]);
      f[0] = -held;
      zone = state_of_row(rows, r, -held, pull > bounds.lower && pull < bounds.upper ? rows.D[r] : 0);
    }
    for (int j = 0; j < dim; ++j, ++r) {
      if (force) force[r] = f[j];
      if (state) state[r] = int(zone);
    }
  }
  return cost;
}

int pgs(const DualProblem& problem, const Options& options, double* force, Statistic* statistics, int capacity) {
  return repeat(options, statistics, capacity, [&] { return sweep_all(problem, force); });
}
int noslip(const DualProblem& problem, const Options& options, double* force, Statistic* statistics, int capacity) {
  return repeat(options, statistics, capacity, [&] { return sweep_friction(problem, force); });
}

}  // namespace

extern const SolverKernels kSolverKernels;
const SolverKernels kSolverKernels = {
    .newton = solve_dense<true>,
    .cg = solve_dense<false>,
    .evaluate = evaluate,
    .pgs = pgs,
    .noslip = noslip,
};

}  // namespace TORSOR_ISA
}  // namespace torsor
