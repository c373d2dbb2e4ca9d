// Solves the rows island by island: gathers each island into a problem, solves it, and scatters the result.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "torsor/constraint/constraint.hpp"
#include "torsor/constraint/damper.hpp"
#include "torsor/constraint/island_problem.hpp"
#include "torsor/constraint/single_row.hpp"
#include "torsor/dynamics/drive.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {
namespace {

void scatter_island(Data& data, const IslandProblem& island) {
  const int n = island.problem.n, m = island.problem.rows.count;
  for (int i = 0; i < n; ++i) {
    data.qacc[island.dofs[i]] = island.solution.a[island.place_of(i)];
    data.qfrc_constraint[island.dofs[i]] = island.solution.qfrc[island.place_of(i)];
  }
  for (int i = 0; i < m; ++i) {
    data.efc_force[island.rows[i]] = island.solution.force[i];
    data.efc_state[island.rows[i]] = island.solution.state[i];
  }
  for (int k = 0; island.solution.cone_hessians && k < island.problem.rows.cone_count; ++k) {
    const solver::Cone& cone = island.problem.rows.cones[k];
    Contact& contact = data.contact[data.efc_id[island.rows[cone.row]]];
    for (int i = 0; i < cone.dim; ++i)  // dense in the contact, rows of six in the solution
      std::copy_n(island.solution.cone_hessians + 36 * k + 6 * i, cone.dim, contact.H + cone.dim * i);
  }
}

// Allocates the statistics of the first islands.
void make_statistics(const Model& model, Data& data, int islands) {
  constexpr int kMostIterations = 200;
  const int count = std::min(islands, ConstraintStage::kIslandsWithStatistics);
  const int sweeps =
      model.opt.noslip_iterations > 0 && formulation(model.opt).has_noslip ? model.opt.noslip_iterations : 0;
  data.solver_capacity = std::min(std::max(model.opt.iterations, 0), kMostIterations);
  data.solver_capacity += std::min(sweeps, kMostIterations - data.solver_capacity);
  std::fill(std::begin(data.solver_niter), std::end(data.solver_niter), 0);
  std::fill(std::begin(data.solver_converged), std::end(data.solver_converged), false);
  allocate_solver_statistics(data, count * data.solver_capacity);
}

void keep_statistics(Data& data, int index, const solver::Solution& solution, const solver::Statistic* statistics) {
  data.solver_unconverged += !solution.converged;
  if (index >= ConstraintStage::kIslandsWithStatistics) return;
  data.solver_converged[index] = solution.converged;
  data.solver_niter[index] = solution.iterations;
  if (data.solver.size() == 0) return;
  SolverStatistic* to = data.solver.row(index, data.solver_capacity);
  for (int i = 0; i < std::min(solution.iterations, data.solver_capacity); ++i) {
    const solver::Statistic& from = statistics[i];
    to[i] = {from.improvement, from.gradient, from.lineslope, from.nactive, from.nchange, from.neval, from.nupdate};
  }
}

// Whether the sum of all is finite: a cheap test that nearly always succeeds.
bool has_finite_sum(const double* x, int n) {
  double sum[4] = {};  // four independent sums, so that additions need not wait for each other
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; ++k) sum[k] += x[i + k];
  for (; i < n; ++i) sum[0] += x[i];
  return std::isfinite(sum[0] + sum[1] + sum[2] + sum[3]);
}

bool are_finite(const double* x, int n) {
  return has_finite_sum(x, n) || std::all_of(x, x + n, [](double number) { return std::isfinite(number); });
}

// Infinite values are allowed: a row with infinite R has no force.
bool are_numbers(const double* x, int n) {
  return has_finite_sum(x, n) || std::none_of(x, x + n, [](double number) { return std::isnan(number); });
}

// Sweeps never move a force towards a NaN bound, nor a dof of infinite inertia, and use M with bounded pivots; MuJoCo's
// continue too.
bool are_losses(const double* x, int n, bool in_sweeps) {
  return std::all_of(x, x + n, [in_sweeps](double loss) { return loss >= 0 || (in_sweeps && std::isnan(loss)); });
}
bool is_inertia(double trace_inverse, bool in_sweeps) {
  if (trace_inverse != 0) return !std::isnan(trace_inverse);
  return in_sweeps;
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Bad numbers in, bad numbers out: a solver that finds no improvement would ignore them, and the simulation would go on
// as if nothing had happened. b contains the bad numbers of J, a_smooth and aref.
bool spread_bad_numbers(const Model& model, IslandProblem& island) {
  const bool in_sweeps = model.opt.solver == static_cast<int>(SolverType::kPgs);
  const int m = island.problem.rows.count;
  const solver::Rows& rows = island.problem.rows;
  if (are_finite(island.solution.a, island.problem.ld) && are_finite(island.problem.b, m) && are_numbers(rows.R, m) &&
      are_losses(rows.frictionloss, rows.equality + rows.friction, in_sweeps) && is_inertia(island.scale, in_sweeps))
    return false;
  std::fill_n(island.solution.a, island.problem.ld, kNan);
  std::fill_n(island.solution.qfrc, island.problem.ld, kNan);
  std::fill_n(island.solution.force, m, kNan);
  std::fill_n(island.solution.state, m, 0);
  island.solution.iterations = 0;
  island.solution.converged = false;
  return true;
}

// MuJoCo's PGS treats all rows as one problem, in which products with a dense Jacobian spread a bad number of any dof
// to all rows.
bool spreads_everywhere(const Model& model, const Data& data) {
  if (model.opt.solver != static_cast<int>(SolverType::kPgs) || is_jacobian_sparse(model)) return false;
  const bool warm = !model.opt.disabled(kDisableWarmStart);
  return !are_finite(data.qacc_smooth.data(), model.nv) ||
         (warm && !are_finite(data.qacc_warmstart.data(), model.nv)) || !are_finite(data.efc_b.data(), data.nefc);
}

// False if out of memory.
bool solve_island(const Model& model, Data& data, const Islands& islands, int index) {
  ArenaScope scope(data.arena());
  IslandProblem island{};
  solver::Statistic single;
  if (solve_single_row(model, data, islands, index, island.solution, single)) {
    keep_statistics(data, index, island.solution, &single);
    return true;
  }
  if (!gather_island(model, data, islands, index, island)) return false;
  const solver::Options options = solver_options(model, island.scale);
  const solver::DenseProblem& problem = island.problem;
  auto* statistics = data.arena().push_array<solver::Statistic>(static_cast<size_t>(data.solver_capacity));
  island.solution.statistics = statistics;
  island.solution.statistics_capacity = statistics ? data.solver_capacity : 0;
  if (model.opt.disabled(kDisableWarmStart))
    std::copy(problem.a_smooth, problem.a_smooth + problem.ld, island.solution.a);
  if (spread_bad_numbers(model, island)) {
    scatter_island(data, island);
    keep_statistics(data, index, island.solution, statistics);
    return true;
  }
  switch (static_cast<SolverType>(model.opt.solver)) {
    case SolverType::kNewton:
    case SolverType::kSap:
      if (!(island.is_large() ? solver::solve_newton(island.blocks, options, data.arena(), island.solution)
                              : solver::solve_newton(problem, options, data.arena(), island.solution)))
        return false;
      break;
    case SolverType::kCg:
      if (!(island.is_large() ? solver::solve_cg(island.blocks, options, data.arena(), island.solution)
                              : solver::solve_cg(problem, options, data.arena(), island.solution)))
        return false;
      break;
    case SolverType::kPgs:
      if (!solve_island_dual(model, data, island, false)) return false;
      break;
  }
  if (model.opt.noslip_iterations > 0 && formulation(model.opt).has_noslip &&
      !solve_island_dual(model, data, island, true))
    return false;
  scatter_island(data, island);
  keep_statistics(data, index, island.solution, statistics);
  return true;
}

}  // namespace

void solve_constraints(const Model& model, Data& data) {
  std::copy(data.qacc_smooth.begin(), data.qacc_smooth.end(), data.qacc.begin());
  std::fill(data.qfrc_constraint.begin(), data.qfrc_constraint.end(), 0.0);
  data.solver_unconverged = 0;
  if (data.nefc == 0) return;
  multiply_jacobian(data, data.qacc_smooth.data(), data.efc_b.data());
  for (int i = 0; i < data.nefc; ++i) data.efc_b[i] -= data.efc_aref[i];
  std::fill(data.efc_force.begin(), data.efc_force.end(), 0.0);
  std::fill(data.efc_state.begin(), data.efc_state.end(), 0);
  ArenaScope scope(data.arena());
  const Islands islands = find_islands(model, data, model.opt.disabled(kDisableIsland));
  make_statistics(model, data, islands.count);
  if (spreads_everywhere(model, data)) {
    for (const Field<double>& result : {data.qacc, data.qfrc_constraint, data.efc_force})
      std::fill(result.begin(), result.end(), kNan);
    return;
  }
  // out of memory: rows have no force, data.memory_needed() is set, and the step will not be taken
  for (int index = 0; islands.row && index < islands.count; ++index) solve_island(model, data, islands, index);
  if (formulation(model.opt).solves_for_drives) give_drive_forces(model, data);
  if (formulation(model.opt).solves_for_damping) subtract_damper_forces(data, data.qfrc_constraint.data());
}

}  // namespace torsor
