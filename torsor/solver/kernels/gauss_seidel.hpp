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

// x goes on in the direction of its last change.
TORSOR_INLINE void go_on(const Following& x, double share) {
  for (int i = 0; i < x.count; ++i) {
    const double now = x.now[i];
    x.now[i] = now + share * (now - x.before[i]);
    x.before[i] = now;
  }
}

// What follows from the forces, made anew.
TORSOR_LOCAL void renew(const DenseDual& problem, const double* force, double* gradient) {
  copy(problem.b, problem.rows.count, gradient);
  for (int r = problem.rows.count; r < problem.ld; ++r) gradient[r] = 0;
  for (int r = 0; r < problem.rows.count; ++r) {
    if (force[r] != 0) axpy(problem.ld, force[r], problem.row(r), gradient);
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
  GaussSeidel(const Problem& problem, Scratch& scratch, double* force) : p_(problem), force_(force) {
    const int m = p_.rows.count;
    units_ = scratch.take<SweepUnit>(m);
    last_ = scratch.take<double>(m);
    start_ = scratch.take<double>(m);
    if (scratch.full()) return;
    int cone = 0;
    for (int r = 0; r < m;) {
      const bool is_cone = cone < p_.rows.cone_count && p_.rows.cones[cone].row == r;
      units_[unit_count_++] = {r, is_cone ? cone : -1};
      r += is_cone ? p_.rows.cones[cone++].dim : 1;
    }
  }

  // From `force`, with all that follows from it up to date.
  void run(const Options& options, Solution& solution);

 private:
  double momentum() const { return count_ < 2 ? 0 : (count_ - 1.0) / (count_ + 2.0); }
  void begin_sweep();
  double sweep();
  bool turns_back() const;
  bool stays() const;
  void project(int row);
  void project(const Cone& cone);
  void set_force(int row, double value) {
    follow(p_, row, value - force_[row]);
    force_[row] = value;
  }

  const Problem& p_;
  double* force_;
  SweepUnit* units_ = nullptr;
  int unit_count_ = 0, count_ = 0;             // count: sweeps since momentum started
  double *last_ = nullptr, *start_ = nullptr;  // forces before the sweep, without and with momentum
  bool has_momentum_ = false;
  SweepRandom random_;
};

template <class Problem>
void GaussSeidel<Problem>::project(int r) {
  const double inside = max(min(force_[r], p_.upper[r]), p_.lower[r]);
  if (inside != force_[r]) set_force(r, inside);
}

// Into the cone with the normal force kept, or to its tip.
template <class Problem>
void GaussSeidel<Problem>::project(const Cone& cone) {
  double length = 0;
  for (int i = 1; i < cone.dim; ++i) {
    const double scaled = force_[cone.row + i] / cone.friction[i - 1];
    length += scaled * scaled;
  }
  const double normal = force_[cone.row];
  length = sqrt(length);
  if (normal > 0 && length <= normal) return;
  const double factor = normal > 0 ? normal / length : 0;
  if (!(normal > 0) && normal != 0) set_force(cone.row, 0);
  for (int i = 1; i < cone.dim; ++i) {
    if (force_[cone.row + i] != 0) set_force(cone.row + i, factor * force_[cone.row + i]);
  }
}

template <class Problem>
void GaussSeidel<Problem>::begin_sweep() {
  const int m = p_.rows.count;
  const double share = momentum();
  has_momentum_ = share > 0;
  if (!has_momentum_) {
    copy(force_, m, last_);
    return copy(following(p_).now, following(p_).count, following(p_).before);
  }
  go_on({m, force_, last_}, share);
  go_on(following(p_), share);
  for (int k = 0; k < unit_count_; ++k) {
    const SweepUnit& unit = units_[k];
    if (unit.cone >= 0) {
      project(p_.rows.cones[unit.cone]);
    } else if (force_[unit.row] != last_[unit.row]) {
      project(unit.row);
    }
  }
  copy(force_, m, start_);
}

template <class Problem>
double GaussSeidel<Problem>::sweep() {
  double gain = 0;
  shuffle(random_, unit_count_, units_);
  for (int k = 0; k < unit_count_; ++k) {
    const SweepUnit unit = units_[k];
    gain += unit.cone >= 0 ? improve_cone(p_, p_.rows.cones[unit.cone], force_)
                           : improve_row(p_, unit.row, false, force_);
  }
  return gain;
}

template <class Problem>
bool GaussSeidel<Problem>::turns_back() const {
  double along = 0;
  for (int r = 0; r < p_.rows.count; ++r) along += (force_[r] - start_[r]) * (start_[r] - last_[r]);
  return along < 0;
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
  constexpr int kRenewal = 64;  // sweeps after which rounding errors of what follows are removed
  int sweeps = 0;
  bool has_ended = false;
  for (; sweeps < options.iterations && !has_ended; ++sweeps) {
    if (sweeps % kRenewal == kRenewal - 1) {
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
  solution.iterations = sweeps;
  solution.converged = has_ended;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
