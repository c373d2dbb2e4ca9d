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

// A + R; null when scratch ran out.
double* make_AR(const Model& model, Data& data, const IslandProblem& island) {
  const int m = island.problem.rows.count;
  const auto size = static_cast<size_t>(m) * static_cast<size_t>(solver::dual_stride(m));
  auto* AR = static_cast<double*>(data.arena().push(sizeof(double) * size, 64));
  int* place = AR ? data.arena().push_array<int>(static_cast<size_t>(model.nv)) : nullptr;
  if (!place) return nullptr;
  for (int i = 0; i < island.problem.n; ++i) place[island.dofs[i]] = i;
  const bool in_metric = formulation(model.opt).solves_in_metric;
  const solver::TreeFactor factor = {.dofs = island.dofs,
                                     .place = place,
                                     .begin = model.M_rowadr.data(),
                                     .count = model.M_rownnz.data(),
                                     .column = model.M_colind.data(),
                                     .L = in_metric ? data.qH.data() : data.qLD.data(),
                                     .inverse = in_metric ? data.qHDiagInv.data() : data.qLDiagInv.data()};
  return solver::make_dual_matrix(island.problem, factor, data.arena(), AR) ? AR : nullptr;
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

// The forces that the warm start implies.
void start_forces(const Model& model, Data& data, IslandProblem& island) {
  const solver::DenseProblem& problem = island.problem;
  const int m = problem.rows.count;
  std::fill(island.solution.force, island.solution.force + m, 0.0);
  ArenaScope scope(data.arena());
  double* x = data.arena().push_array<double>(static_cast<size_t>(m));
  if (!x || model.opt.disabled(kDisableWarmStart)) return;
  for (int r = 0; r < m; ++r)
    x[r] =
        dot(problem.ld, problem.J + static_cast<ptrdiff_t>(r) * problem.ld, island.solution.a) - problem.rows.aref[r];
  solver::evaluate_constraints(problem.rows, x, island.solution.force, nullptr);
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
  const int m = island.problem.rows.count;
  const double* AR = make_AR(model, data, island);
  auto* pyramids = AR ? data.arena().push_array<solver::Pyramid>(static_cast<size_t>(m / 2 + 1)) : nullptr;
  double* x = pyramids ? data.arena().push_array<double>(static_cast<size_t>(model.nv)) : nullptr;
  if (!x) return false;
  solver::DualProblem dual;
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
    start_forces(model, data, island);
    if (!solver::solve_pgs(dual, options, data.arena(), island.solution)) return false;
  }
  apply_forces(model, data, island, x);
  if (!noslip) set_states(data, island);
  return true;
}

}  // namespace torsor
