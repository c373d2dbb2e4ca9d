// The solvers of the instruction set that core/isa.hpp chose.
#include "torsor/solver/solver.hpp"

#include "torsor/core/isa.hpp"
#include "torsor/solver/kernels/table.hpp"

namespace torsor {

#define TORSOR_DECLARE_SOLVER(isa)                   \
  namespace isa {                                    \
  extern const solver::SolverKernels kSolverKernels; \
  }
TORSOR_EACH_ISA(TORSOR_DECLARE_SOLVER)

namespace solver {
namespace {

#define TORSOR_SOLVER_TABLE(isa) &isa::kSolverKernels,
constexpr const SolverKernels* kTables[] = {TORSOR_EACH_ISA(TORSOR_SOLVER_TABLE)};
const SolverKernels& kernels() { return *kTables[int(current_isa())]; }

}  // namespace

bool solve_newton(const DenseProblem& problem, const Options& options, Arena& arena, Solution& solution) {
  const ArenaScope scope(arena);
  return kernels().newton(problem, options, arena, solution);
}
bool solve_cg(const DenseProblem& problem, const Options& options, Arena& arena, Solution& solution) {
  const ArenaScope scope(arena);
  return kernels().cg(problem, options, arena, solution);
}
bool solve_newton(const BlockProblem& problem, const Options& options, Arena& arena, Solution& solution) {
  const ArenaScope scope(arena);
  return kernels().block_newton(problem, options, arena, solution);
}
bool solve_cg(const BlockProblem& problem, const Options& options, Arena& arena, Solution& solution) {
  const ArenaScope scope(arena);
  return kernels().block_cg(problem, options, arena, solution);
}
double evaluate_constraints(const Rows& rows, const double* x, double* force, int* state) {
  return kernels().evaluate(rows, x, force, state);
}
bool make_dual_matrix(const DenseProblem& problem, const TreeFactor& factor, Arena& arena, double* AR) {
  const ArenaScope scope(arena);
  const auto ld = static_cast<size_t>(dual_stride(problem.rows.count));
  auto* Y = static_cast<double*>(arena.push(sizeof(double) * ld * static_cast<size_t>(problem.n), 64));
  if (Y) kernels().multiply_by_inverse(problem, factor, Y, AR);
  return Y != nullptr;
}
bool solve_pgs(const DualProblem& problem, const Options& options, Arena& arena, Solution& solution) {
  const ArenaScope scope(arena);
  return kernels().pgs(problem, options, arena, solution);
}
bool solve_noslip(const DualProblem& problem, const Options& options, Arena& arena, Solution& solution) {
  const ArenaScope scope(arena);
  return kernels().noslip(problem, options, arena, solution);
}
bool solve_pgs(const BlockProblem& problem, const Options& options, bool cold, Arena& arena, Solution& solution) {
  const ArenaScope scope(arena);
  return kernels().block_pgs(problem, options, cold, arena, solution);
}
bool solve_noslip(const BlockProblem& problem, const Pyramid* pyramids, int pyramid_count, const Options& options,
                  Arena& arena, Solution& solution) {
  const ArenaScope scope(arena);
  return kernels().block_noslip(problem, pyramids, pyramid_count, options, arena, solution);
}

}  // namespace solver
}  // namespace torsor
