// Cost and force of the rows that are no part of an elliptic cone. They are one kind with different bounds: the force
// is -D x held between two numbers, and beyond them the cost goes on as a straight line.
#pragma once

#include <limits>

#include "torsor/solver/kernels/row_formulas.hpp"
#include "torsor/solver/kernels/scratch.hpp"
#include "torsor/solver/problem.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

using namespace solver;  // the types of problem.hpp and solver.hpp

// Copies of the rows' numbers, padded to whole registers by rows without force.
struct RowArrays {
  int count = 0, size = 0;  // size: with padding
  double *D, *R, *aref;
  double *lower, *upper;  // bounds of D x: of minus the force
};

// What the rows do at one x.
struct RowPoint {
  double* x;
  double* force;
  double* weight;  // second derivative of the cost: D, or 0 on a straight line and in cones
};

TORSOR_INLINE RowPoint take_point(Scratch& scratch, int size) {
  return {scratch.take<double>(size), scratch.take<double>(size), scratch.take<double>(size)};
}

TORSOR_INLINE RowArrays take_rows(Scratch& scratch, int count) {
  RowArrays rows;
  rows.count = count;
  rows.size = padded_size(count);
  rows.D = scratch.take<double>(rows.size);
  rows.R = scratch.take<double>(rows.size);
  rows.aref = scratch.take<double>(rows.size);
  rows.lower = scratch.take<double>(rows.size);
  rows.upper = scratch.take<double>(rows.size);
  return rows;
}

// Bounds of minus the force of a row that is in no cone.
struct Bounds {
  double lower, upper;
};
TORSOR_INLINE Bounds bounds_of_row(const Rows& rows, int r) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (r < rows.equality) return {-kInfinity, kInfinity};
  if (r < rows.equality + rows.friction) return {-rows.frictionloss[r], rows.frictionloss[r]};
  return {-kInfinity, 0};
}

TORSOR_LOCAL void copy_rows(const Rows& from, RowArrays& to) {
  copy(from.D, from.count, to.D);
  copy(from.R, from.count, to.R);
  copy(from.aref, from.count, to.aref);
  for (int r = 0; r < from.count; ++r) {
    const Bounds bounds = bounds_of_row(from, r);
    to.lower[r] = bounds.lower;
    to.upper[r] = bounds.upper;
  }
  for (int r = from.count; r < to.size; ++r) to.D[r] = to.R[r] = to.aref[r] = to.lower[r] = to.upper[r] = 0;
  for (int c = 0; c < from.cone_count; ++c) fill(to.lower + from.cones[c].row, from.cones[c].dim, 0);
}

struct RowSums {
  double cost = 0;
  int active = 0, changed = 0;  // rows that are curved, and that were not so before or the other way round
};

// Moves x by step times `along`, and finds force, weight and cost there.
TORSOR_LOCAL RowSums evaluate_rows(const RowArrays& rows, double step, const double* along, const RowPoint& at) {
  const Lanes zero(0), one(1), half(0.5), s(step);
  Lanes cost = zero, active = zero, changed = zero;
  for (int r = 0; r < rows.size; r += kLaneCount) {
    const Lanes D = Lanes::load(rows.D + r);
    const Lanes lower = Lanes::load(rows.lower + r), upper = Lanes::load(rows.upper + r);
    const Lanes x = fma(s, Lanes::load(along + r), Lanes::load(at.x + r));
    const auto [held, curved] = hold(D, x, lower, upper);
    const Lanes weight = select(curved, D, zero);
    active += select(curved, one, zero);
    changed += select(weight != Lanes::load(at.weight + r), one, zero);
    cost = fma(held, x - half * held * Lanes::load(rows.R + r), cost);
    x.store(at.x + r);
    weight.store(at.weight + r);
    (zero - held).store(at.force + r);  // never -0
  }
  return {sum_of_lanes(cost), int(sum_of_lanes(active)), int(sum_of_lanes(changed))};
}

// of the rows at x + step along
TORSOR_INLINE Slope slope_of_rows(const RowArrays& rows, const double* x, const double* along, double step) {
  const Lanes zero(0), s(step);
  Lanes first = zero, second = zero;
  for (int r = 0; r < rows.size; r += kLaneCount) {
    const Lanes p = Lanes::load(along + r), D = Lanes::load(rows.D + r);
    const Lanes lower = Lanes::load(rows.lower + r), upper = Lanes::load(rows.upper + r);
    const auto [held, curved] = hold(D, fma(s, p, Lanes::load(x + r)), lower, upper);
    first = fma(p, held, first);
    second = fma(p * p, select(curved, D, zero), second);
  }
  return {sum_of_lanes(first), sum_of_lanes(second)};
}

// State of row r, which is in no cone, at force and weight.
TORSOR_INLINE RowState state_of_row(const Rows& rows, int r, double force, double weight) {
  if (weight != 0) return RowState::kQuadratic;
  if (r < rows.equality || r >= rows.equality + rows.friction) return RowState::kSatisfied;
  return force > 0 ? RowState::kLinearNegative : RowState::kLinearPositive;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
