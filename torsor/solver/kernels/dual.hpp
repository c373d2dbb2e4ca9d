// Solvers in terms of forces: each row, pair of rows or cone in turn gets the force that is best while all others stay.
#pragma once

#include "torsor/solver/kernels/block_rows.hpp"
#include "torsor/solver/kernels/dual_visits.hpp"
#include "torsor/solver/solver.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// What both forms of the dual problem share. Arrays are padded to whole registers; what pads has no force.
struct DualRows {
  Rows rows{};
  const double* b = nullptr;
  double *lower = nullptr, *upper = nullptr;       // bounds of the forces; none in cones
  double *diagonal = nullptr, *inverse = nullptr;  // of A + R, and its inverse; 0 for rows that do not move
  const Pyramid* pyramids = nullptr;
  int pyramid_count = 0;

  int size() const { return padded_size(rows.count); }
  void take(Scratch& scratch) {
    lower = scratch.take<double>(size());
    upper = scratch.take<double>(size());
    diagonal = scratch.take<double>(size());
    inverse = scratch.take<double>(size());
  }
  // `AR(r)` is the diagonal of A + R. A row without curvature does not move, nor does one towards a bound that is no
  // number.
  template <class F>
  void set_bounds(const F& AR) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (int r = 0; r < size(); ++r) {
      const Bounds bounds = r < rows.count ? bounds_of_row(rows, r) : Bounds{0, 0};  // of minus the force
      const double curvature = r < rows.count ? AR(r) : 0;
      const bool has_bounds = bounds.lower <= bounds.upper;
      lower[r] = has_bounds ? -bounds.upper : -kInfinity;
      upper[r] = has_bounds ? -bounds.lower : kInfinity;
      diagonal[r] = has_bounds && curvature > 0 ? curvature : 0;
      inverse[r] = diagonal[r] > 0 ? 1 / diagonal[r] : 0;
    }
    for (int c = 0; c < rows.cone_count; ++c) {
      for (int r = rows.cones[c].row; r < rows.cones[c].row + rows.cones[c].dim; ++r) lower[r] = -kInfinity;
    }
  }
};

// The matrix A + R is there, and the gradient (A + R) force + b follows every change of a force: rows whose force stays
// cost nothing.
struct DenseDual : DualRows {
  int ld = 0;
  const double* AR = nullptr;
  double *gradient = nullptr, *before = nullptr;  // padded; before: at the forces before the last sweep

  const double* row(int r) const { return AR + std::int64_t(r) * ld; }
};

// The dual problem without A: rows of J and of J M^-1 by parts, and v = M^-1 J' force, which follows every change. A
// row of J M^-1 has all tiles of the trees that the row touches.
struct SparseDual : DualRows {
  const BlockProblem& primal;
  int *solved_begin = nullptr, *solved_tile = nullptr;
  double *solved = nullptr, *v = nullptr, *before = nullptr;
  double* grams = nullptr;  // A among the rows of each cone, kMaxConeDim x kMaxConeDim
  int* gram_of = nullptr;   // by row, the cone that begins there, or -1

  explicit SparseDual(const BlockProblem& problem) : primal(problem) { rows = problem.rows; }
};

TORSOR_LOCAL void set_block(const DenseDual& problem, const double* force, int row, int dim, bool without_R,
                            DualBlock& block) {
  block.row = row;
  block.dim = dim;
  for (int i = 0; i < dim; ++i) {
    const double* AR = problem.row(row + i);
    block.c[i] = problem.gradient[row + i];
    for (int j = 0; j < dim; ++j) {
      block.A[kMaxConeDim * i + j] = AR[row + j];
      block.c[i] -= AR[row + j] * force[row + j];
    }
    if (without_R) block.A[kMaxConeDim * i + i] -= problem.rows.R[row + i];
  }
}

// J_i . M^-1 J_j'
TORSOR_LOCAL double multiply_rows_of(const SparseDual& problem, int i, int j) {
  const BlockProblem& p = problem.primal;
  Lanes sum(0);
  int other = problem.solved_begin[j];
  for (int part = p.row_begin[i]; part < p.row_begin[i + 1]; ++part) {
    while (other < problem.solved_begin[j + 1] && problem.solved_tile[other] < p.tile[part]) ++other;
    if (other == problem.solved_begin[j + 1]) break;
    if (problem.solved_tile[other] != p.tile[part]) continue;
    const double *x = p.J + part * std::ptrdiff_t(kTile), *y = problem.solved + other * std::ptrdiff_t(kTile);
    for (int c = 0; c < kTile; c += kLaneCount) sum = fma(Lanes::load(x + c), Lanes::load(y + c), sum);
  }
  return sum_of_lanes(sum);
}

TORSOR_LOCAL void set_block(const SparseDual& problem, const double* force, int row, int dim, bool without_R,
                            DualBlock& block) {
  const int cone = problem.gram_of[row];
  const double* gram = problem.grams + std::int64_t(cone < 0 ? 0 : cone) * kMaxConeDim * kMaxConeDim;
  block.row = row;
  block.dim = dim;
  for (int i = 0; i < dim; ++i) {
    block.c[i] = multiply_row(problem.primal, row + i, problem.v) + problem.b[row + i];
    for (int j = 0; j < dim; ++j) {
      const double A = cone < 0 ? multiply_rows_of(problem, row + i, row + j) : gram[kMaxConeDim * i + j];
      block.A[kMaxConeDim * i + j] = A;
      block.c[i] -= A * force[row + j];
    }
    if (!without_R) block.A[kMaxConeDim * i + i] += problem.rows.R[row + i];
  }
}

// What has to follow when the force of a row changes.
TORSOR_INLINE void follow(const DenseDual& problem, int row, double change) {
  const double* A = problem.row(row);
  const Lanes step(change);
  for (int i = 0; i < problem.ld; i += kLaneCount) {
    fma(step, Lanes::load(A + i), Lanes::load(problem.gradient + i)).store(problem.gradient + i);
  }
}
TORSOR_INLINE void follow(const SparseDual& problem, int row, double change) {
  for (int part = problem.solved_begin[row]; part < problem.solved_begin[row + 1]; ++part) {
    double* to = problem.v + problem.solved_tile[part] * kTile;
    const Eight x = Eight::load(problem.solved + part * std::ptrdiff_t(kTile));
    add_scaled(Eight::load(to), Lanes(change), x).store(to);
  }
}

TORSOR_INLINE double gradient_of(const DenseDual& problem, const double*, int row) { return problem.gradient[row]; }
TORSOR_INLINE double gradient_of(const SparseDual& problem, const double* force, int row) {
  return multiply_row(problem.primal, row, problem.v) + problem.b[row] + problem.rows.R[row] * force[row];
}

// One force, between its bounds, as in improve_row() but without R.
template <class Problem>
TORSOR_INLINE double improve_row_without_R(const Problem& problem, int row, double* force) {
  const double R = problem.rows.R[row], gradient = gradient_of(problem, force, row) - R * force[row];
  const double diagonal = problem.diagonal[row] - R;
  if (!(diagonal > 0)) return 0;
  const double best = max(min(force[row] - gradient / diagonal, problem.upper[row]), problem.lower[row]);
  const double step = best - force[row], change = step * (gradient + 0.5 * diagonal * step);
  if (!(change < 0)) return 0;
  follow(problem, row, step);
  force[row] = best;
  return -change;
}

// Two opposite edges of a pyramid: their sum, the normal force, stays.
template <class Problem>
TORSOR_INLINE double improve_pair(const Problem& problem, int row, double* force) {
  DualBlock block;
  set_block(problem, force, row, 2, true, block);
  const double* old = force + row;
  const double curvature = block.A[0] + block.A[kMaxConeDim + 1] - 2 * block.A[1];
  if (!(curvature > 1e-15)) return 0;
  const double slope = block_gradient(block, 0, old) - block_gradient(block, 1, old);
  const double shift = max(min(-slope / curvature, old[1]), -old[0]);
  const double x[kMaxConeDim] = {old[0] + shift, old[1] - shift};
  return accept(problem, block, x, force);
}

template <class Problem>
double sweep_friction(const Problem& problem, double* force) {
  const Rows& rows = problem.rows;
  double gain = 0;
  for (int r = rows.equality; r < rows.equality + rows.friction; ++r) {
    gain += improve_row_without_R(problem, r, force);
  }
  for (int p = 0; p < problem.pyramid_count; ++p) {
    const Pyramid& pyramid = problem.pyramids[p];
    for (int r = pyramid.row; r < pyramid.row + pyramid.count; r += 2) gain += improve_pair(problem, r, force);
  }
  for (int c = 0; c < rows.cone_count; ++c) {
    const Cone& cone = rows.cones[c];
    DualBlock block{};
    set_block(problem, force, cone.row, cone.dim, true, block);
    double x[kMaxConeDim] = {force[cone.row]};
    slide(block, cone, x);
    gain += accept(problem, block, x, force);
  }
  return gain;
}

// What regularisation costs: the first sweep without it gains that too.
TORSOR_INLINE double cost_of_R(const Rows& rows, const double* force) {
  double sum = 0;
  for (int r = 0; r < rows.count; ++r) sum += force[r] * force[r] * rows.R[r];
  return 0.5 * sum;
}

// Sweeps over friction, until they gain too little. They count as further iterations of the solution.
template <class Problem>
void sweep_without_slip(const Problem& problem, const Options& options, Solution& solution) {
  double gain = cost_of_R(problem.rows, solution.force);
  for (int count = 0; count < options.iterations; ++count) {
    gain += sweep_friction(problem, solution.force);
    const double improvement = options.scale * gain;
    if (solution.iterations < solution.statistics_capacity)
      solution.statistics[solution.iterations] = {.improvement = improvement};
    ++solution.iterations;
    if (!(improvement >= options.tolerance) || improvement == 0) break;
    gain = 0;
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
