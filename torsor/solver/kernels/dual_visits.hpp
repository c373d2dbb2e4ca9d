// A visit of Gauss-Seidel: a row, or the rows of a cone, get the forces that are best while all others stay. For one
// world and for groups of threads on a device, which have dual problems of their own. A Problem has the arrays `lower`,
// `upper`, `diagonal` and `inverse` of DualRows, and
//     gradient_of(problem, force, row)                              (A + R) force + b of a row
//     set_block(problem, force, row, dim, without_R, block)         what a few rows see
//     follow(problem, row, change)                                  after the force of a row changes
#pragma once

#include "torsor/solver/kernels/row_formulas.hpp"
#include "torsor/solver/kernels/trust_region.hpp"
#include "torsor/solver/problem.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// The part of the dual problem that a few rows see: with x their forces, the cost changes as 1/2 x' A x + c' x.
struct DualBlock {
  int row, dim;
  double A[kMaxConeDim * kMaxConeDim];  // rows of kMaxConeDim
  double c[kMaxConeDim];                // so that A x + c is the gradient
};

TORSOR_INLINE double block_gradient(const DualBlock& block, int i, const double* x) {
  double sum = block.c[i];
  for (int j = 0; j < block.dim; ++j) sum += block.A[kMaxConeDim * i + j] * x[j];
  return sum;
}

// By how much the cost changes when x replaces the block's forces.
TORSOR_INLINE double change_by(const DualBlock& block, const double* x, const double* old) {
  double change = 0;
  for (int i = 0; i < block.dim; ++i) {
    change += 0.5 * (x[i] - old[i]) * (block_gradient(block, i, x) + block_gradient(block, i, old));
  }
  return change;
}

// Replaces the forces of `dim` rows by x, unless the cost would rise by more than rounding may. Returns by how much it
// falls. That bound and what follows from it are MuJoCo's.
template <class Problem>
TORSOR_INLINE double accept(const Problem& problem, int row, int dim, double change, const double* x, double* force) {
  if (!(change <= 1e-10)) return 0;
  for (int i = 0; i < dim; ++i) {
    follow(problem, row + i, x[i] - force[row + i]);
    force[row + i] = x[i];
  }
  return -change;
}
template <class Problem>
TORSOR_INLINE double accept(const Problem& problem, const DualBlock& block, const double* x, double* force) {
  return accept(problem, block.row, block.dim, change_by(block, x, force + block.row), x, force);
}

// One force, between its bounds.
template <class Problem>
TORSOR_INLINE double improve_row(const Problem& problem, int row, double* force) {
  const double gradient = gradient_of(problem, force, row), inverse = problem.inverse[row];
  const double best = max(min(force[row] - gradient * inverse, problem.upper[row]), problem.lower[row]);
  const double step = best - force[row], change = step * (gradient + 0.5 * problem.diagonal[row] * step);
  if (!(change < 0)) return 0;
  follow(problem, row, step);
  force[row] = best;
  return -change;
}

// The tangent forces of a cone for a normal force that is given in x.
TORSOR_INLINE void slide(const DualBlock& block, const solver::Cone& cone, double* x) {
  double b[kMaxTangents];
  for (int i = 1; i < block.dim; ++i) b[i - 1] = block.c[i] + block.A[kMaxConeDim * i] * x[0];
  minimise_in_ellipsoid(block.dim - 1, block.A + kMaxConeDim + 1, kMaxConeDim, b, cone.friction, x[0], x + 1);
}

// A ray of the cone to search: through the present force. From no force along the normal, or where that gains nothing
// along the edge that gains most.
TORSOR_INLINE void choose_ray(const DualBlock& block, const solver::Cone& cone, const double* force, double* ray) {
  if (force[0] > 1e-15) {
    for (int i = 0; i < cone.dim; ++i) ray[i] = force[i];
    return;
  }
  double slip = 0;
  for (int i = 1; i < cone.dim; ++i) slip += cone.friction[i - 1] * cone.friction[i - 1] * block.c[i] * block.c[i];
  const double scale = slip > 0 && !(block.c[0] < 0) ? -1 / sqrt(slip) : 0;
  ray[0] = 1;
  for (int i = 1; i < cone.dim; ++i) ray[i] = scale * cone.friction[i - 1] * cone.friction[i - 1] * block.c[i];
}

// The best force on a ray, then the best tangent forces. A force that neither changes is the best of the cone.
TORSOR_LOCAL void find_in_cone(const DualBlock& block, const solver::Cone& cone, const double* force, double* x) {
  double slope = 0, curvature = 0;
  choose_ray(block, cone, force, x);
  for (int i = 0; i < cone.dim; ++i) {
    slope += x[i] * block.c[i];
    curvature += x[i] * (block_gradient(block, i, x) - block.c[i]);
  }
  const double factor = curvature > 0 && slope < 0 ? -slope / curvature : 0;
  for (int i = 0; i < cone.dim; ++i) x[i] *= factor;
  slide(block, cone, x);
}
template <class Problem>
TORSOR_LOCAL double improve_cone(const Problem& problem, const solver::Cone& cone, double* force) {
  DualBlock block{};
  set_block(problem, force, cone.row, cone.dim, false, block);
  double x[kMaxConeDim] = {};
  find_in_cone(block, cone, force + cone.row, x);
  return accept(problem, block, x, force);
}

// Forces that momentum has carried out of a cone: into it, with the normal force kept, or to its tip. set(row, force)
// changes one of them.
template <class Set>
TORSOR_INLINE void project_into_cone(const solver::Cone& cone, const double* force, Set set) {
  double length = 0;
  for (int i = 1; i < cone.dim; ++i) {
    const double scaled = force[cone.row + i] / cone.friction[i - 1];
    length += scaled * scaled;
  }
  const double normal = force[cone.row];
  length = sqrt(length);
  if (normal > 0 && length <= normal) return;
  const double factor = normal > 0 ? normal / length : 0;
  if (!(normal > 0) && normal != 0) set(cone.row, 0);
  for (int i = 1; i < cone.dim; ++i) {
    if (force[cone.row + i] != 0) set(cone.row + i, factor * force[cone.row + i]);
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
