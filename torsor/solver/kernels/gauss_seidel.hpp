// Projected Gauss-Seidel with momentum. A sweep starts from forces that went on a little in the direction of the last
// change [Nesterov 1983], and visits rows and cones in a new random order. Where a sweep turns back what the momentum
// did, momentum starts again from none [O'Donoghue and Candes 2015]. The coefficients and the test are those of MuJoCo,
// found by experiment: docs/decisions/0072.
#pragma once

#include "torsor/solver/kernels/dual.hpp"
#include "torsor/solver/kernels/sweep_order.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// What follows from the forces and is linear in them, now and before the last sweep.
struct Following {
  int count;
  double *now, *before;
};
TORSOR_INLINE Following following(const DenseDual& problem) { return {problem.ld, problem.gradient, problem.before}; }
TORSOR_INLINE Following following(const SparseDual& problem) {
  return {problem.primal.tiles * kTile, problem.v, problem.before};
}

// x goes on in the direction of its last change; count is a multiple of 8.
TORSOR_INLINE void go_on(const Following& x, double share) {
  for (int i = 0; i < x.count; i += kLaneCount) {
    const Lanes now = Lanes::load(x.now + i);
    fma(Lanes(share), now - Lanes::load(x.before + i), now).store(x.now + i);
    now.store(x.before + i);
  }
}

// What follows from the forces, made anew.
TORSOR_LOCAL void renew(const DenseDual& problem, const double* force, double* gradient) {
  DenseDual other = problem;
  other.gradient = gradient;
  copy(problem.b, problem.rows.count, gradient);
  fill(gradient + problem.rows.count, problem.ld - problem.rows.count, 0);
  for (int r = 0; r < problem.rows.count; ++r) {
    if (force[r] != 0) follow(other, r, force[r]);
  }
}
TORSOR_LOCAL void renew(const SparseDual& problem, const double* force, double* v) {
  SparseDual other = problem;
  other.v = v;
  fill(v, problem.primal.tiles * kTile, 0);
  for (int r = 0; r < problem.rows.count; ++r) {
    if (force[r] != 0) follow(other, r, force[r]);
  }
}

template <class Problem>
class GaussSeidel {
 public:
  GaussSeidel(const Problem& problem, Scratch& scratch) : p_(problem), size_(problem.size()) {
    units_ = scratch.take<SweepUnit>(p_.rows.count);
    force_ = scratch.take<double>(size_);
    last_ = scratch.take<double>(size_);
    start_ = scratch.take<double>(size_);
    if (scratch.full()) return;
    int cone = 0;
    for (int r = 0; r < p_.rows.count;) {
      const bool is_cone = cone < p_.rows.cone_count && p_.rows.cones[cone].row == r;
      units_[unit_count_++] = {r, is_cone ? cone : -1};
      r += is_cone ? p_.rows.cones[cone++].dim : 1;
    }
  }

  // From the solution's forces, or from none where those cost more, to better ones.
  void run(const Options& options, Solution& solution);

 private:
  void start(const double* force);
  void begin_sweep();
  double sweep();
  bool turns_back() const;
  bool stays() const;
  void project_rows();
  void project(const Cone& cone);
  void set_force(int row, double value) {
    follow(p_, row, value - force_[row]);
    force_[row] = value;
  }

  const Problem& p_;
  int size_;
  SweepUnit* units_ = nullptr;
  int unit_count_ = 0, count_ = 0;  // count: sweeps since momentum started
  double* force_ = nullptr;
  double *last_ = nullptr, *start_ = nullptr;  // forces before the sweep, without and with momentum
  bool has_momentum_ = false;
  SweepRandom random_;
};

template <class Problem>
void GaussSeidel<Problem>::start(const double* force) {
  const int m = p_.rows.count;
  copy(force, m, force_);
  fill(force_ + m, size_ - m, 0);
  renew(p_, force_, following(p_).now);
  double cost = 0;
  for (int r = 0; r < m; ++r) cost += force_[r] * (gradient_of(p_, force_, r) + p_.b[r]);
  if (cost <= 0) return;
  fill(force_, m, 0);
  renew(p_, force_, following(p_).now);
}

// Most rows are inside their bounds: eight are looked at together.
template <class Problem>
void GaussSeidel<Problem>::project_rows() {
  for (int r = 0; r < size_; r += kLaneCount) {
    const Lanes force = Lanes::load(force_ + r);
    const Lanes inside = max(min(force, Lanes::load(p_.upper + r)), Lanes::load(p_.lower + r));
    if (!any(inside != force)) continue;
    for (int k = r; k < r + kLaneCount; ++k) {
      const double bounded = max(min(force_[k], p_.upper[k]), p_.lower[k]);
      if (bounded != force_[k]) set_force(k, bounded);
    }
  }
}

template <class Problem>
void GaussSeidel<Problem>::project(const Cone& cone) {
  project_into_cone(cone, force_, [this](int row, double force) { set_force(row, force); });
}

template <class Problem>
void GaussSeidel<Problem>::begin_sweep() {
  const Following all = following(p_);
  const double share = momentum_after(count_);
  has_momentum_ = share > 0;
  if (!has_momentum_) {
    copy(force_, size_, last_);
    return copy(all.now, all.count, all.before);
  }
  go_on({size_, force_, last_}, share);
  go_on(all, share);
  project_rows();
  for (int c = 0; c < p_.rows.cone_count; ++c) project(p_.rows.cones[c]);
  copy(force_, size_, start_);
}

template <class Problem>
double GaussSeidel<Problem>::sweep() {
  double gain = 0;
  shuffle(random_, unit_count_, units_);
  for (int k = 0; k < unit_count_; ++k) {
    const SweepUnit unit = units_[k];
    gain += unit.cone < 0 ? improve_row(p_, unit.row, force_) : improve_cone(p_, p_.rows.cones[unit.cone], force_);
  }
  return gain;
}

template <class Problem>
bool GaussSeidel<Problem>::turns_back() const {
  Lanes along(0);
  for (int r = 0; r < size_; r += kLaneCount) {
    const Lanes start = Lanes::load(start_ + r);
    along = fma(Lanes::load(force_ + r) - start, start - Lanes::load(last_ + r), along);
  }
  return sum_of_lanes(along) < 0;
}

// Whether the forces are those from before the sweep. Then no later one changes them.
template <class Problem>
bool GaussSeidel<Problem>::stays() const {
  int r = 0;
  while (r < p_.rows.count && force_[r] == last_[r]) ++r;
  return r == p_.rows.count;
}

template <class Problem>
void GaussSeidel<Problem>::run(const Options& options, Solution& solution) {
  int sweeps = 0;
  bool has_ended = false;
  start(solution.force);
  for (; sweeps < options.iterations && !has_ended; ++sweeps) {
    if (sweeps % kSweepsToRenewal == kSweepsToRenewal - 1) {
      renew(p_, force_, following(p_).now);
      renew(p_, last_, following(p_).before);
    }
    begin_sweep();
    const double improvement = options.scale * sweep();
    if (sweeps < solution.statistics_capacity) solution.statistics[sweeps] = {.improvement = improvement};
    count_ = has_momentum_ && turns_back() ? 0 : count_ + 1;
    has_ended = !(improvement >= options.tolerance);
    if (improvement == 0 && !has_ended && stays()) {
      for (int k = sweeps + 1; k < options.iterations && k < solution.statistics_capacity; ++k) {
        solution.statistics[k] = {};
      }
      sweeps = options.iterations - 1;
      has_ended = true;
    }
  }
  copy(force_, p_.rows.count, solution.force);
  solution.iterations = sweeps;
  solution.converged = has_ended;
}

// False when scratch ran out.
TORSOR_LOCAL bool set_dual(const DualProblem& problem, Scratch& scratch, DenseDual& dual) {
  dual.rows = problem.rows;
  dual.b = problem.b;
  dual.pyramids = problem.pyramids;
  dual.pyramid_count = problem.pyramid_count;
  dual.ld = padded_size(problem.rows.count);
  dual.AR = problem.AR;
  dual.gradient = scratch.take<double>(dual.ld);
  dual.before = scratch.take<double>(dual.ld);
  dual.take(scratch);
  if (scratch.full()) return false;
  dual.set_bounds([&](int r) { return dual.row(r)[r]; });
  return true;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
