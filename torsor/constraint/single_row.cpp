// With z = M^-1 J' and A = J z, the row is at x = b + A f when its force is f, and the force -D x is held within its
// bounds. So f is -b / (R + A), held within the same bounds.
#include "torsor/constraint/single_row.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/constraint/island_problem.hpp"
#include "torsor/dynamics/metric.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {
namespace {

struct RowBounds {
  double least, most;  // of the force
};

RowBounds force_bounds(const Data& data, int row) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (row < data.ne) return {-kInfinity, kInfinity};
  if (row < data.ne + data.nf) return {-data.efc_frictionloss[row], data.efc_frictionloss[row]};
  return {0, kInfinity};
}

bool is_curved(double pull, const RowBounds& bounds) { return -pull > bounds.least && -pull < bounds.most; }

double row_cost(const Data& data, int row, const RowBounds& bounds, double x) {
  const double held = -std::clamp(-data.efc_D[row] * x, bounds.least, bounds.most);
  return held * (x - 0.5 * held * data.efc_R[row]);
}

solver::RowState state_of(const Data& data, int row, bool curved, double force) {
  if (curved) return solver::RowState::kQuadratic;
  if (row >= data.ne + data.nf) return solver::RowState::kSatisfied;
  return force > 0 ? solver::RowState::kLinearNegative : solver::RowState::kLinearPositive;
}

// The dofs of an island with their rows of M, factored as L' D L. Rows have the columns of ancestors, the diagonal
// last.
struct IslandFactor {
  int count = 0;
  const int *dof = nullptr, *local = nullptr;
  int* begin = nullptr;  // count + 1, into LD
  double *LD = nullptr, *z = nullptr;
  double trace = 0;
};

bool push_factor(const Model& model, Data& data, const Islands& islands, int index, IslandFactor& out) {
  Arena& arena = data.arena();
  out.dof = islands.dof + islands.dof_begin[index];
  out.local = islands.local;
  out.count = islands.dof_begin[index + 1] - islands.dof_begin[index];
  const auto count = static_cast<size_t>(out.count);
  out.begin = arena.push_array<int>(count + 1);
  if (!out.begin) return false;
  out.begin[0] = 0;
  for (int i = 0; i < out.count; ++i) out.begin[i + 1] = out.begin[i] + model.M_rownnz[out.dof[i]];
  out.z = arena.push_array<double>(count + static_cast<size_t>(out.begin[out.count]));
  out.LD = out.z + count;
  return out.z != nullptr;
}

// False if M is not positive.
bool factor_island(const Model& model, const Data& data, IslandFactor& f) {
  const double* numbers = matrix_of_solver(model, data);
  for (int i = 0; i < f.count; ++i) {
    std::copy_n(numbers + model.M_rowadr[f.dof[i]], f.begin[i + 1] - f.begin[i], f.LD + f.begin[i]);
    f.trace += f.LD[f.begin[i + 1] - 1];
  }
  for (int k = f.count - 1; k >= 0; --k) {
    const int last = f.begin[k + 1] - f.begin[k] - 1;
    const int* column = model.M_colind.row(model.M_rowadr[f.dof[k]], 1);
    double* row = f.LD + f.begin[k];
    if (!(row[last] > 0)) return false;
    const double inverse = 1 / row[last];
    for (int c = last - 1; c >= 0; --c) {
      const double scale = row[c] * inverse;
      double* above = f.LD + f.begin[f.local[column[c]]];
      for (int j = 0; j <= c; ++j) above[j] -= scale * row[j];
      row[c] = scale;
    }
  }
  return f.trace <= kMaxValue / kMinValue;
}

// z <- M^-1 z
void solve_factor(const Model& model, const IslandFactor& f) {
  const auto columns = [&](int k) { return model.M_colind.row(model.M_rowadr[f.dof[k]], 1); };
  for (int k = f.count - 1; k >= 0; --k) {
    const int last = f.begin[k + 1] - f.begin[k] - 1;
    const int* column = columns(k);
    for (int c = 0; c < last; ++c) f.z[f.local[column[c]]] -= f.LD[f.begin[k] + c] * f.z[k];
  }
  for (int k = 0; k < f.count; ++k) {
    const int last = f.begin[k + 1] - f.begin[k] - 1;
    const int* column = columns(k);
    f.z[k] /= f.LD[f.begin[k] + last];
    for (int c = 0; c < last; ++c) f.z[k] -= f.LD[f.begin[k] + c] * f.z[f.local[column[c]]];
  }
}

bool are_good_numbers(const Data& data, const IslandFactor& f, int row) {
  const double R = data.efc_R[row];
  bool good = std::isfinite(data.efc_b[row]) && R > 0 && R <= std::numeric_limits<double>::max();
  if (row < data.ne + data.nf) good = good && data.efc_frictionloss[row] >= 0;
  for (int i = 0; i < f.count; ++i) good = good && std::isfinite(data.qacc_warmstart[f.dof[i]]);
  return good;
}

// Where the general solver would end at the exact minimum.
bool has_exact_solver(const Model& model) {
  const auto type = static_cast<SolverType>(model.opt.solver);
  return (type == SolverType::kNewton || type == SolverType::kCg) && model.opt.iterations > 0 &&
         model.opt.ls_iterations > 0 && model.opt.noslip_iterations <= 0 && !formulation(model.opt).is_compliant;
}

}  // namespace

bool solve_single_row(const Model& model, Data& data, const Islands& islands, int index, solver::Solution& solution,
                      solver::Statistic& statistic) {
  if (islands.row_begin[index + 1] - islands.row_begin[index] != 1 || !has_exact_solver(model)) return false;
  if (formulation(model.opt).solves_in_metric && has_loose_terms(model, data)) return false;
  const ArenaScope scope(data.arena());
  const int row = islands.row[islands.row_begin[index]];
  IslandFactor f;
  if (!push_factor(model, data, islands, index, f) || !are_good_numbers(data, f, row) || !factor_island(model, data, f))
    return false;
  const int address = data.efc_J_rowadr[row], count = data.efc_J_rownnz[row];
  const double* J = data.efc_J.row(address, 1);
  const int* column = data.efc_J_colind.row(address, 1);
  std::fill_n(f.z, f.count, 0.0);
  for (int k = 0; k < count; ++k) f.z[f.local[column[k]]] += J[k];  // a tendon may name a joint twice
  solve_factor(model, f);
  double A = 0;
  for (int k = 0; k < count; ++k) A += J[k] * f.z[f.local[column[k]]];

  const double b = data.efc_b[row];
  const RowBounds bounds = force_bounds(data, row);
  const double wanted = -b / (data.efc_R[row] + A), force = std::clamp(wanted, bounds.least, bounds.most);
  if (!std::isfinite(force)) return false;
  const bool curved = wanted > bounds.least && wanted < bounds.most;
  data.efc_force[row] = force;
  data.efc_state[row] = static_cast<int>(state_of(data, row, curved, force));
  for (int i = 0; i < f.count; ++i) data.qacc[f.dof[i]] = data.qacc_smooth[f.dof[i]] + f.z[i] * force;
  for (int k = 0; k < count; ++k) data.qfrc_constraint[column[k]] += J[k] * force;

  const double x = b + A * force;
  const double gain = row_cost(data, row, bounds, b) - row_cost(data, row, bounds, x) - 0.5 * A * force * force;
  statistic = {gain / f.trace, 0, 0, curved, curved != is_curved(data.efc_D[row] * b, bounds), 1, 0};
  solution.iterations = force != 0;
  solution.converged = true;
  return true;
}

}  // namespace torsor
