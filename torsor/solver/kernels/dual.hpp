// Solvers in terms of forces: each row, pair of rows or cone in turn gets the force that is best while all others stay.
#pragma once

#include "torsor/solver/kernels/block_rows.hpp"
#include "torsor/solver/kernels/trust_region.hpp"
#include "torsor/solver/solver.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// The dual problem without A: rows of J and of J M^-1 by parts, and v = M^-1 J' force, which follows every change. A
// row of J M^-1 has all tiles of the trees that the row touches.
struct SparseDual {
  const BlockProblem& primal;
  const double* b = nullptr;
  int *solved_begin = nullptr, *solved_tile = nullptr;
  double *solved = nullptr, *v = nullptr;
  Rows rows{};
  const Pyramid* pyramids = nullptr;
  int pyramid_count = 0;
  double* diagonal = nullptr;  // of A
  double* grams = nullptr;     // A among the edges of each pyramid, kMaxEdges x kMaxEdges
};

// The part of the dual problem that a few rows see: with x their forces, the cost changes as 1/2 x' A x + c' x.
struct DualBlock {
  int row, dim;
  double A[kMaxConeDim * kMaxConeDim];  // rows of kMaxConeDim
  double c[kMaxConeDim];                // so that A x + c is the gradient
};

TORSOR_LOCAL void set_block(const DualProblem& problem, const double* force, int row, int dim, bool without_R,
                            DualBlock& block) {
  block.row = row;
  block.dim = dim;
  for (int i = 0; i < dim; ++i) {
    const double* AR = problem.AR + std::int64_t(row + i) * problem.m;
    block.c[i] = dot(problem.m, AR, force) + problem.b[row + i];
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
  block.row = row;
  block.dim = dim;
  for (int i = 0; i < dim; ++i) {
    block.c[i] = multiply_row(problem.primal, row + i, problem.v) + problem.b[row + i];
    for (int j = 0; j < dim; ++j) {
      const double A = multiply_rows_of(problem, row + i, row + j);
      block.A[kMaxConeDim * i + j] = A;
      block.c[i] -= A * force[row + j];
    }
    if (!without_R) block.A[kMaxConeDim * i + i] += problem.rows.R[row + i];
  }
}

// What has to follow when the force of a row changes.
TORSOR_INLINE void follow(const DualProblem&, int, double) {}
TORSOR_INLINE void follow(const SparseDual& problem, int row, double change) {
  for (int part = problem.solved_begin[row]; part < problem.solved_begin[row + 1]; ++part) {
    double* to = problem.v + problem.solved_tile[part] * kTile;
    const Eight x = Eight::load(problem.solved + part * std::ptrdiff_t(kTile));
    add_scaled(Eight::load(to), Lanes(change), x).store(to);
  }
}

TORSOR_INLINE double block_gradient(const DualBlock& block, int i, const double* x) {
  double sum = block.c[i];
  for (int j = 0; j < block.dim; ++j) sum += block.A[kMaxConeDim * i + j] * x[j];
  return sum;
}

// Replaces the forces of the block by x if that lowers the cost. Returns by how much it does.
template <class Problem>
TORSOR_INLINE double accept(const Problem& problem, const DualBlock& block, const double* x, double* force) {
  double* old = force + block.row;
  double change = 0;
  for (int i = 0; i < block.dim; ++i) {
    change += 0.5 * (x[i] - old[i]) * (block_gradient(block, i, x) + block_gradient(block, i, old));
  }
  if (!(change < 0)) return 0;
  for (int i = 0; i < block.dim; ++i) {
    follow(problem, block.row + i, x[i] - old[i]);
    old[i] = x[i];
  }
  return -change;
}

// Numbers of one row: A + R or A on the diagonal, and the gradient with that.
struct DualRow {
  double diagonal, gradient;
};
TORSOR_INLINE DualRow row_of(const DualProblem& problem, const double* force, int row, bool without_R) {
  const double *AR = problem.AR + std::int64_t(row) * problem.m, R = without_R ? problem.rows.R[row] : 0;
  return {AR[row] - R, dot(problem.m, AR, force) + problem.b[row] - R * force[row]};
}
TORSOR_INLINE DualRow row_of(const SparseDual& problem, const double* force, int row, bool without_R) {
  const double R = without_R ? 0 : problem.rows.R[row];
  return {problem.diagonal[row] + R, multiply_row(problem.primal, row, problem.v) + problem.b[row] + R * force[row]};
}

// One force, between two bounds.
template <class Problem>
TORSOR_INLINE double improve_row(const Problem& problem, int row, double lower, double upper, bool without_R,
                                 double* force) {
  const DualRow at = row_of(problem, force, row, without_R);
  if (!(at.diagonal > 0)) return 0;
  const double best = max(min(force[row] - at.gradient / at.diagonal, upper), lower), step = best - force[row];
  const double change = step * (at.gradient + 0.5 * at.diagonal * step);
  if (!(change < 0)) return 0;
  follow(problem, row, step);
  force[row] = best;
  return -change;
}

// A + R among the edges of a pyramid.
TORSOR_INLINE void load_gram(const DualProblem& problem, int p, double* A) {
  const Pyramid& pyramid = problem.pyramids[p];
  for (int i = 0; i < pyramid.count; ++i) {
    copy(problem.AR + std::int64_t(pyramid.row + i) * problem.m + pyramid.row, pyramid.count, A + kMaxEdges * i);
  }
}
TORSOR_INLINE void load_gram(const SparseDual& problem, int p, double* A) {
  const Pyramid& pyramid = problem.pyramids[p];
  const double* gram = problem.grams + std::int64_t(p) * kMaxEdges * kMaxEdges;
  for (int i = 0; i < pyramid.count; ++i) {
    copy(gram + kMaxEdges * i, pyramid.count, A + kMaxEdges * i);
    A[kMaxEdges * i + i] += problem.rows.R[pyramid.row + i];
  }
}

// All edges of a pyramid at once: they are nearly parallel, so that sweeps over single edges would take long to share
// the force among them. Small sweeps among themselves do it without the rest of the problem.
template <class Problem>
TORSOR_INLINE double improve_pyramid(const Problem& problem, int p, double* force) {
  constexpr int kMostSweeps = 30;
  constexpr double kSmall = 1e-12;
  const int row = problem.pyramids[p].row, n = problem.pyramids[p].count;
  double A[kMaxEdges * kMaxEdges], g[kMaxEdges], start[kMaxEdges], x[kMaxEdges], total = 0;
  load_gram(problem, p, A);
  for (int i = 0; i < n; ++i) {
    start[i] = g[i] = row_of(problem, force, row + i, false).gradient;
    x[i] = force[row + i];
  }
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double gain = 0;
    for (int i = 0; i < n; ++i) {
      if (!(A[kMaxEdges * i + i] > 0)) continue;
      const double best = max(x[i] - g[i] / A[kMaxEdges * i + i], 0.0), step = best - x[i];
      gain -= step * (g[i] + 0.5 * A[kMaxEdges * i + i] * step);
      for (int j = 0; j < n; ++j) g[j] += A[kMaxEdges * i + j] * step;
      x[i] = best;
    }
    total += gain;
    if (!(gain > kSmall * total)) break;
  }
  double change = 0;
  for (int i = 0; i < n; ++i) change += 0.5 * (x[i] - force[row + i]) * (start[i] + g[i]);
  if (!(change < 0)) return 0;
  for (int i = 0; i < n; ++i) {
    follow(problem, row + i, x[i] - force[row + i]);
    force[row + i] = x[i];
  }
  return -change;
}

// The tangent forces of a cone for a normal force that is given in x.
TORSOR_INLINE void slide(const DualBlock& block, const Cone& cone, double* x) {
  double b[kMaxTangents];
  for (int i = 1; i < block.dim; ++i) b[i - 1] = block.c[i] + block.A[kMaxConeDim * i] * x[0];
  minimise_in_ellipsoid(block.dim - 1, block.A + kMaxConeDim + 1, kMaxConeDim, b, cone.friction, x[0], x + 1);
}

// A ray of the cone: through the present force, or if there is none along the edge that gains most.
TORSOR_INLINE void choose_ray(const DualBlock& block, const Cone& cone, const double* force, double* ray) {
  double slip = 0;
  for (int i = 1; i < cone.dim; ++i) slip += cone.friction[i - 1] * cone.friction[i - 1] * block.c[i] * block.c[i];
  const double scale = slip > 0 ? -1 / sqrt(slip) : 0;
  const bool pushes = force[0] > 1e-15;
  ray[0] = pushes ? force[0] : 1;
  for (int i = 1; i < cone.dim; ++i) {
    const double f = cone.friction[i - 1];
    ray[i] = pushes ? force[i] : scale * f * f * block.c[i];
  }
}

// The best force on a ray, then the best tangent forces. A force that neither changes is the best of the cone.
template <class Problem>
TORSOR_INLINE double improve_cone(const Problem& problem, const Cone& cone, double* force) {
  DualBlock block{};
  set_block(problem, force, cone.row, cone.dim, false, block);
  double x[kMaxConeDim] = {}, slope = 0, curvature = 0;
  choose_ray(block, cone, force + cone.row, x);
  for (int i = 0; i < cone.dim; ++i) {
    slope += x[i] * block.c[i];
    curvature += x[i] * (block_gradient(block, i, x) - block.c[i]);
  }
  const double factor = curvature > 0 && slope < 0 ? -slope / curvature : 0;
  for (int i = 0; i < cone.dim; ++i) x[i] *= factor;
  slide(block, cone, x);
  return accept(problem, block, x, force);
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
double sweep_all(const Problem& problem, double* force) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Rows& rows = problem.rows;
  double gain = 0;
  int r = 0, cone = 0, pyramid = 0;
  for (; r < rows.equality; ++r) gain += improve_row(problem, r, -kInfinity, kInfinity, false, force);
  for (; r < rows.equality + rows.friction; ++r) {
    gain += improve_row(problem, r, -rows.frictionloss[r], rows.frictionloss[r], false, force);
  }
  while (r < rows.count) {
    if (cone < rows.cone_count && rows.cones[cone].row == r) {
      gain += improve_cone(problem, rows.cones[cone], force);
      r += rows.cones[cone++].dim;
    } else if (pyramid < problem.pyramid_count && problem.pyramids[pyramid].row == r) {
      gain += improve_pyramid(problem, pyramid, force);
      r += problem.pyramids[pyramid++].count;
    } else {
      gain += improve_row(problem, r++, 0, kInfinity, false, force);
    }
  }
  return gain;
}

template <class Problem>
double sweep_friction(const Problem& problem, double* force) {
  const Rows& rows = problem.rows;
  double gain = 0;
  for (int r = rows.equality; r < rows.equality + rows.friction; ++r) {
    gain += improve_row(problem, r, -rows.frictionloss[r], rows.frictionloss[r], true, force);
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

template <class Sweep>
TORSOR_INLINE int repeat(const Options& options, Statistic* statistics, int capacity, const Sweep& sweep) {
  int count = 0;
  while (count < options.iterations) {
    const double improvement = options.scale * sweep();
    if (statistics && count < capacity) statistics[count] = {.improvement = improvement};
    ++count;
    if (!(improvement >= options.tolerance) || improvement == 0) break;
  }
  return count;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
