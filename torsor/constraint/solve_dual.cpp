// Gauss-Seidel on the forces of an island.
#include <algorithm>
#include <cmath>

#include "torsor/constraint/constraint.hpp"
#include "torsor/constraint/island_problem.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/metric.hpp"
#include "torsor/math/dense.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {
namespace {

// Rows B of J times a root of M^-1, so that J M^-1 J' = B B'.
double* half_solved_jacobian(const Model& model, Data& data, const IslandProblem& island) {
  const solver::DenseProblem& problem = island.problem;
  const size_t ld = static_cast<size_t>(problem.ld), m = static_cast<size_t>(problem.rows.count);
  auto* B = static_cast<double*>(data.arena().push(sizeof(double) * ld * m, 64));
  double* x = data.arena().push_array<double>(static_cast<size_t>(model.nv));
  if (!B || !x) return nullptr;
  std::fill(x, x + model.nv, 0.0);
  for (size_t r = 0; r < m; ++r) {
    for (int i = 0; i < problem.n; ++i) x[island.dofs[i]] = problem.J[r * ld + static_cast<size_t>(i)];
    if (formulation(model.opt).solves_in_metric)
      half_solve_factored(model, data.qH.data(), data.qHDiagInv.data(), x);
    else
      half_solve_mass_matrix(model, data, x);
    for (int i = 0; i < problem.ld; ++i) B[r * ld + static_cast<size_t>(i)] = i < problem.n ? x[island.dofs[i]] : 0;
    for (int i = 0; i < problem.n; ++i) x[island.dofs[i]] = 0;
  }
  return B;
}

// A + R in rows of ld numbers, symmetric.
double* make_AR(Data& data, const IslandProblem& island, const double* B, int ld) {
  const int m = island.problem.rows.count, n = island.problem.ld;
  auto* AR = static_cast<double*>(
      data.arena().push(sizeof(double) * static_cast<size_t>(m) * static_cast<size_t>(ld), 64));
  if (!AR) return nullptr;
  for (int r = 0; r < m; ++r) {
    double* const row = AR + static_cast<ptrdiff_t>(r) * ld;
    for (int c = 0; c <= r; ++c)
      row[c] = AR[static_cast<ptrdiff_t>(c) * ld + r] =
          dot(n, B + static_cast<ptrdiff_t>(r) * n, B + static_cast<ptrdiff_t>(c) * n);
    row[r] += island.problem.rows.R[r];
    std::fill(row + m, row + ld, 0.0);
  }
  return AR;
}

int gather_pyramids(const Data& data, const IslandProblem& island, solver::Pyramid* pyramids) {
  int found = 0;
  for (int i = 0; i < island.problem.rows.count;) {
    const int row = island.rows[i];
    if (data.efc_type[row] != static_cast<int>(RowType::kContactPyramidal)) {
      ++i;
      continue;
    }
    const int count = 2 * (data.contact[data.efc_id[row]].dim - 1);
    pyramids[found++] = {i, count};
    i += count;
  }
  return found;
}

// The forces that the warm start implies, or zero if those would increase the cost.
void start_forces(const Model& model, Data& data, const solver::DualProblem& dual, IslandProblem& island) {
  const int m = dual.rows.count, ld = island.problem.ld;
  double* force = island.solution.force;
  std::fill(force, force + m, 0.0);
  ArenaScope scope(data.arena());
  double* x = data.arena().push_array<double>(static_cast<size_t>(m));
  if (!x || model.opt.disabled(kDisableWarmStart)) return;
  for (int r = 0; r < m; ++r)
    x[r] = dot(ld, island.problem.J + static_cast<ptrdiff_t>(r) * ld, island.solution.a) - dual.rows.aref[r];
  solver::evaluate_constraints(dual.rows, x, force, nullptr);
  double cost = 0;
  for (int r = 0; r < m; ++r)
    cost += force[r] * (0.5 * dot(m, dual.AR + static_cast<ptrdiff_t>(r) * dual.ld, force) + dual.b[r]);
  if (!(cost <= 0)) std::fill(force, force + m, 0.0);
}

// qfrc = J' f, a = a_smooth + M^-1 qfrc.
void apply_forces(const Model& model, Data& data, IslandProblem& island, double* x) {
  const solver::DenseProblem& problem = island.problem;
  std::fill(island.solution.qfrc, island.solution.qfrc + problem.ld, 0.0);
  for (int r = 0; r < problem.rows.count; ++r)
    axpy(problem.ld, island.solution.force[r], problem.J + static_cast<ptrdiff_t>(r) * problem.ld,
         island.solution.qfrc);
  std::fill(x, x + model.nv, 0.0);
  for (int i = 0; i < problem.n; ++i) x[island.dofs[i]] = island.solution.qfrc[i];
  if (!formulation(model.opt).solves_in_metric)
    solve_mass_matrix(model, data, x);
  else
    solve_metric(model, data, x);
  for (int i = 0; i < problem.n; ++i) island.solution.a[i] = problem.a_smooth[i] + x[island.dofs[i]];
}

void set_states(Data& data, IslandProblem& island) {
  const solver::DenseProblem& problem = island.problem;
  double* x = data.arena().push_array<double>(static_cast<size_t>(problem.rows.count));
  if (!x) return;
  for (int r = 0; r < problem.rows.count; ++r)
    x[r] =
        dot(problem.ld, problem.J + static_cast<ptrdiff_t>(r) * problem.ld, island.solution.a) - problem.rows.aref[r];
  solver::evaluate_constraints(problem.rows, x, nullptr, island.solution.state);
}

bool solve_large_island(const Model& model, Data& data, IslandProblem& island, bool noslip) {
  solver::Options options = solver_options(model, island.scale);
  if (!noslip) {
    const bool cold = model.opt.disabled(kDisableWarmStart);
    return solver::solve_pgs(island.blocks, options, cold, data.arena(), island.solution);
  }
  auto* pyramids = data.arena().push_array<solver::Pyramid>(static_cast<size_t>(island.problem.rows.count / 2 + 1));
  if (!pyramids) return false;
  const int count = gather_pyramids(data, island, pyramids);
  options.iterations = model.opt.noslip_iterations;
  options.tolerance = model.opt.noslip_tolerance;
  return solver::solve_noslip(island.blocks, pyramids, count, options, data.arena(), island.solution);
}

}  // namespace

bool solve_island_dual(const Model& model, Data& data, IslandProblem& island, bool noslip) {
  ArenaScope scope(data.arena());
  if (island.is_large()) return solve_large_island(model, data, island, noslip);
  const int m = island.problem.rows.count, ld = (m + 7) / 8 * 8;
  const double* B = half_solved_jacobian(model, data, island);
  const double* AR = B ? make_AR(data, island, B, ld) : nullptr;
  auto* pyramids = AR ? data.arena().push_array<solver::Pyramid>(static_cast<size_t>(m / 2 + 1)) : nullptr;
  double* x = pyramids ? data.arena().push_array<double>(static_cast<size_t>(model.nv)) : nullptr;
  if (!x) return false;
  solver::DualProblem dual;
  dual.ld = ld;
  dual.AR = AR;
  dual.b = island.problem.b;
  dual.rows = island.problem.rows;
  solver::Options options = solver_options(model, island.scale);
  if (noslip) {
    dual.pyramids = pyramids;
    dual.pyramid_count = gather_pyramids(data, island, pyramids);
    options.iterations = model.opt.noslip_iterations;
    options.tolerance = model.opt.noslip_tolerance;
    if (!solver::solve_noslip(dual, options, data.arena(), island.solution)) return false;
  } else {
    start_forces(model, data, dual, island);
    if (!solver::solve_pgs(dual, options, data.arena(), island.solution)) return false;
  }
  apply_forces(model, data, island, x);
  if (!noslip) set_states(data, island);
  return true;
}

}  // namespace torsor
