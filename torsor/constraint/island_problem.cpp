// Gathers an island into a problem for the solvers: a dense one here, a large one in island_blocks.cpp.
#include "torsor/constraint/island_problem.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "torsor/constraint/constraint.hpp"
#include "torsor/constraint/sap.hpp"
#include "torsor/constraint/solver_rows.hpp"
#include "torsor/dynamics/metric.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {
namespace {

using solver::Cone;
using solver::DenseProblem;

constexpr int kPadding = 8;
int padded(int n) { return (n + kPadding - 1) / kPadding * kPadding; }

double* push_zeros(Arena& arena, size_t count) {
  auto* numbers = static_cast<double*>(arena.push(sizeof(double) * count, 64));
  if (numbers) std::memset(numbers, 0, sizeof(double) * count);
  return numbers;
}

// Adds the terms of the metric that move several dofs. All dofs of a term are in one island. Returns their trace.
double add_loose_terms(const Model& model, const Data& data, const Islands& islands, const IslandProblem& island,
                       double* M) {
  double trace = 0;
  const int *local = islands.local, index = islands.tree_island[model.dof_treeid[island.dofs[0]]];
  for_each_metric_term(model, data, true, [&](const MetricTerm& term) {
    const int first = term.next_moved(0);
    if (islands.tree_island[model.dof_treeid[term.dof[first]]] != index) return;
    for (int k = first; k < term.count; k = term.next_moved(k + 1)) {
      double* row = M + local[term.dof[k]] * ptrdiff_t{island.problem.ld};
      for (int l = first; l < term.count; l = term.next_moved(l + 1))
        row[local[term.dof[l]]] += term.scale * term.J[k] * term.J[l];
      trace += term.scale * term.J[k] * term.J[k];
    }
  });
  return trace;
}

// The dense block of M of an island (for SAP of M + h B, in discrete time of the metric). Returns its trace.
double gather_mass_matrix(const Model& model, const Data& data, const Islands& islands, const IslandProblem& island,
                          double* M) {
  double trace = 0;
  const double* numbers = matrix_of_solver(model, data);
  const bool has_damping = formulation(model.opt).solves_for_damping;
  const ptrdiff_t ld = island.problem.ld;
  const int* local = islands.local;
  for (int i = 0; i < island.problem.n; ++i) {
    const int dof = island.dofs[i], begin = model.M_rowadr[dof], others = model.M_rownnz[dof] - 1;
    const int* column = model.M_colind.data() + begin;
    const double* from = numbers + begin;
    double *row = M + i * ld, *across = M + i;
    for (int k = 0; k < others; ++k) {
      const ptrdiff_t j = local[column[k]];
      row[j] = across[j * ld] = from[k];
    }
    row[i] = from[others] + (has_damping ? implicit_part(model, data, dof) : 0.0);
    trace += row[i];
  }
  return formulation(model.opt).solves_in_metric ? trace + add_loose_terms(model, data, islands, island, M) : trace;
}

// A few numbers, too few for a call of memcpy to pay.
void copy_short(const double* from, int count, double* to) {
  int i = 0;
  for (; i + 2 <= count; i += 2) {
    const double a = from[i], b = from[i + 1];
    to[i] = a, to[i + 1] = b;
  }
  if (i < count) to[i] = from[i];
}

// Also finds in which blocks of kPadding columns each row has entries. Rows of one element have the same columns, which
// are looked up once. The row of a tendon that names a joint twice has two numbers in one column, which add up.
void gather_jacobian(const Data& data, const Islands& islands, const IslandProblem& island, double* J,
                     std::uint64_t* blocks) {
  const int *local = islands.local, ld = island.problem.ld;
  for (int r = 0, alike; r < island.problem.rows.count; r += alike) {
    alike = count_rows_alike(data, island.rows, r, island.problem.rows.count);
    const int begin = data.efc_J_rowadr[island.rows[r]], count = data.efc_J_rownnz[island.rows[r]];
    const int* column = data.efc_J_colind.data() + begin;
    const double* numbers = data.efc_J.data() + begin;
    double* to = J + static_cast<ptrdiff_t>(r) * ld;
    std::uint64_t set = 0;
    const int first = count > 0 ? local[column[0]] : 0;
    if (count > 0 && local[column[count - 1]] == first + count - 1) {  // columns ascend: these follow each other
      for (int t = first / kPadding; t <= (first + count - 1) / kPadding; ++t) set |= std::uint64_t{1} << t;
      for (int i = 0; i < alike; ++i) {
        copy_short(numbers + i * ptrdiff_t{count}, count, to + i * ptrdiff_t{ld} + first);
        blocks[r + i] = set;
      }
      continue;
    }
    for (int k = 0; k < count; ++k) {
      const int place = local[column[k]];
      set |= std::uint64_t{1} << (place / kPadding);
      for (int i = 0; i < alike; ++i) to[i * ptrdiff_t{ld} + place] += numbers[i * ptrdiff_t{count} + k];
    }
    for (int i = 0; i < alike; ++i) blocks[r + i] = set;
  }
}

// M and J as they are.
bool gather_dense(const Model& model, Data& data, const Islands& islands, IslandProblem& island) {
  DenseProblem& problem = island.problem;
  problem.ld = padded(problem.n);
  const auto ld = static_cast<size_t>(problem.ld);
  double* M = push_zeros(data.arena(), static_cast<size_t>(problem.n) * ld);
  double* J = M ? push_zeros(data.arena(), static_cast<size_t>(problem.rows.count) * ld) : nullptr;
  auto* blocks = J ? data.arena().push_array<std::uint64_t>(static_cast<size_t>(problem.rows.count)) : nullptr;
  if (!blocks) return false;
  island.scale = 1 / gather_mass_matrix(model, data, islands, island, M);
  gather_jacobian(data, islands, island, J, blocks);
  problem.M = M;
  problem.J = J;
  problem.blocks = blocks;
  return true;
}

constexpr int kLargestDense = 64;  // dofs, beyond which blocks cost less

void gather(const Field<double>& from, const int* index, int count, double* to) {
  for (int i = 0; i < count; ++i) to[i] = from[index[i]];
}

void gather_dofs(const Field<double>& from, const IslandProblem& island, double* to) {
  for (int i = 0; i < island.problem.n; ++i) to[island.place_of(i)] = from[island.dofs[i]];
}

// Discrete: the smooth force at the end of the step.
void add_shift(const Data& data, const IslandProblem& island, double* f_smooth) {
  for (int i = 0; i < island.problem.n; ++i)
    f_smooth[island.place_of(i)] += data.efm_c[island.dofs[i]] + data.efm_ca[island.dofs[i]];
}

// The numbers of an island's rows: where they are if these follow each other, else copies.
class RowNumbers {
 public:
  RowNumbers(const IslandProblem& island, double* copies)
      : row_(island.rows), count_(island.problem.rows.count), ld_(padded(count_)), next_(copies) {}

  static constexpr int kArrays = 5;
  bool follow_each_other() const { return row_[count_ - 1] - row_[0] == count_ - 1; }
  const double* of(const Field<double>& field) {
    if (follow_each_other()) return field.data() + row_[0];
    double* to = next_;
    next_ += ld_;
    gather(field, row_, count_, to);
    return to;
  }

 private:
  const int* row_;
  int count_, ld_;
  double* next_;
};

// Numbers of the rows, and how many of each kind.
void gather_rows(const Data& data, const int* row, RowNumbers& numbers, solver::Rows& rows) {
  rows.D = numbers.of(data.efc_D);
  rows.R = numbers.of(data.efc_R);
  rows.aref = numbers.of(data.efc_aref);
  rows.frictionloss = numbers.of(data.efc_frictionloss);
  for (int i = 0; i < rows.count && row[i] < data.ne + data.nf; ++i)
    ++(row[i] < data.ne ? rows.equality : rows.friction);
}

}  // namespace

int count_rows_alike(const Data& data, const int* rows, int r, int end) {
  const int row = rows[r];
  int count = 1;
  while (r + count < end && rows[r + count] == row + count && data.efc_id[row + count] == data.efc_id[row] &&
         data.efc_type[row + count] == data.efc_type[row])
    ++count;
  return count;
}

const double* matrix_of_solver(const Model& model, const Data& data) {
  return formulation(model.opt).solves_in_metric ? data.efm_M.data() : data.M.data();
}

double implicit_part(const Model& model, const Data& data, int dof) {
  return formulation(model.opt).solves_for_damping ? model.opt.timestep * implicit_damping(model, data, dof) : 0;
}

namespace {

// Scales of SAP's stopping criterion: M v / h at a = 0, and 1 / diag(M).
bool gather_scales(const Model& model, Data& data, const Islands& islands, IslandProblem& island) {
  const auto ld = static_cast<size_t>(island.problem.ld);
  double* momentum = push_zeros(data.arena(), 2 * ld);
  if (!momentum) return false;
  double* weight = momentum + ld;
  const double h = model.opt.timestep;
  for (int i = 0; i < island.problem.n; ++i) {
    const int dof = island.dofs[i], place = island.place_of(i),
              diagonal = model.M_rowadr[dof] + model.M_rownnz[dof] - 1;
    const double A = data.M[diagonal] + implicit_part(model, data, dof), v = data.qvel[dof];
    weight[place] = 1 / A;
    momentum[place] += A * v / h;
    for (int k = model.M_rowadr[dof]; k < diagonal; ++k) {
      const int other = model.M_colind[k];
      momentum[place] += data.M[k] * data.qvel[other] / h;
      momentum[island.place_of(islands.local[other])] += data.M[k] * v / h;
    }
  }
  island.problem.momentum = island.blocks.momentum = momentum;
  island.problem.weight = island.blocks.weight = weight;
  return true;
}

}  // namespace

bool gather_island(const Model& model, Data& data, const Islands& islands, int index, IslandProblem& island) {
  Arena& arena = data.arena();
  island.rows = islands.row + islands.row_begin[index];
  island.dofs = islands.dof + islands.dof_begin[index];
  const int n = islands.dof_begin[index + 1] - islands.dof_begin[index];
  const int m = islands.row_begin[index + 1] - islands.row_begin[index], md = padded(m);
  DenseProblem& problem = island.problem;
  problem.n = n;
  problem.rows.count = m;
  // a loose term may connect blocks, which have no room for it
  const bool is_loose = formulation(model.opt).solves_in_metric && has_loose_terms(model, data);
  if (!(n > kLargestDense && !is_loose ? gather_blocks : gather_dense)(model, data, islands, island)) return false;
  if (formulation(model.opt).stops_by_momentum && !gather_scales(model, data, islands, island)) return false;
  const int ld = problem.ld;
  double* dof_numbers = push_zeros(arena, 4 * static_cast<size_t>(ld));
  double* row_numbers =
      dof_numbers ? arena.push_array<double>((1 + RowNumbers::kArrays) * static_cast<size_t>(md)) : nullptr;
  Cone* cones = row_numbers ? arena.push_array<Cone>(static_cast<size_t>(m / 3 + 1)) : nullptr;
  int* state = cones ? arena.push_array<int>(static_cast<size_t>(m)) : nullptr;
  if (!state) return false;
  std::fill_n(row_numbers, md, 0.0);
  RowNumbers numbers(island, row_numbers + md);
  gather_rows(data, island.rows, numbers, problem.rows);
  if (!is_pyramidal(model)) problem.rows.cone_count = gather_cones(data, island.rows, m, cones);
  problem.rows.cones = cones;
  gather_dofs(data.qacc_smooth, island, dof_numbers);
  gather_dofs(data.qfrc_smooth, island, dof_numbers + ld);
  if (formulation(model.opt).solves_in_metric) add_shift(data, island, dof_numbers + ld);
  gather_dofs(data.qacc_warmstart, island, dof_numbers + 2 * ld);
  problem.b = numbers.of(data.efc_b);
  problem.a_smooth = dof_numbers;
  problem.f_smooth = dof_numbers + ld;
  island.blocks.rows = problem.rows;
  island.blocks.b = problem.b;
  island.blocks.a_smooth = problem.a_smooth;
  island.blocks.f_smooth = problem.f_smooth;
  island.solution = {};
  island.solution.a = dof_numbers + 2 * ld;
  island.solution.qfrc = dof_numbers + 3 * ld;
  island.solution.force = row_numbers;
  island.solution.state = state;
  if (problem.rows.cone_count > 0)
    island.solution.cone_hessians = push_zeros(arena, 36 * static_cast<size_t>(problem.rows.cone_count));
  return true;
}

solver::Options solver_options(const Model& model, double scale) {
  solver::Options options;
  options.iterations = model.opt.iterations;
  options.ls_iterations = model.opt.ls_iterations;
  options.tolerance = model.opt.tolerance;
  options.ls_tolerance = model.opt.ls_tolerance;
  options.scale = scale;
  if (formulation(model.opt).stops_by_momentum) options.relative = model.opt.sap_tolerance;
  return options;
}

}  // namespace torsor
