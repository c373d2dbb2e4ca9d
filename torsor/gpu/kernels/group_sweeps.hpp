// Projected Gauss-Seidel with momentum by a group of threads: the sweeps of solver/kernels/gauss_seidel.hpp, in the
// same order, with the same momentum, restarts and end. Visits follow one another; in each, the threads share the
// gradient.
#pragma once

#include "torsor/gpu/kernels/group_dual.hpp"

namespace torsor::gpu {

template <int L>
class GroupSweeps {
 public:
  TORSOR_INLINE explicit GroupSweeps(const GroupDual<L>& problem)
      : p_(problem), group_(problem.group), force_(problem.force) {}
  // From the forces that are there, or from none where those cost more. Returns the number of sweeps.
  TORSOR_INLINE int run(const solver::Options& options, double scale) {
    start();
    int sweeps = 0;
    for (bool has_ended = false; sweeps < options.iterations && !has_ended; ++sweeps) {
      if (sweeps % kSweepsToRenewal == kSweepsToRenewal - 1) {
        renew(force_, p_.gradient);
        renew(p_.last, p_.before);
      }
      begin_sweep();
      const double improvement = scale * sweep();
      count_ = has_momentum_ && turns_back() ? 0 : count_ + 1;
      has_ended = !(improvement >= options.tolerance);
      if (improvement == 0 && !has_ended && stays()) {
        sweeps = options.iterations - 1;
        has_ended = true;
      }
    }
    group_.sync();
    return sweeps;
  }

 private:
  // What follows from the forces, made anew
  TORSOR_INLINE void renew(const double* force, double* gradient) const {
    group_.sync();
    p_.for_own([&](int i) { gradient[i] = p_.b[i]; });
    for (int r = 0; r < p_.count; ++r) {
      if (force[r] != 0) p_.add_row(r, force[r], gradient);
    }
    group_.sync();
  }
  TORSOR_INLINE void start() const {
    renew(force_, p_.gradient);
    double cost = 0;
    p_.for_own([&](int r) { cost += force_[r] * (p_.gradient[r] + p_.b[r]); });
    if (group_.sum(cost) <= 0) return;
    p_.for_own([&](int r) { force_[r] = 0; });
    renew(force_, p_.gradient);
  }
  TORSOR_INLINE void begin_sweep() {
    const double share = momentum_after(count_);
    has_momentum_ = share > 0;
    group_.sync();
    const auto go_on = [&](double& now, double& before) {
      const double from = now;
      if (has_momentum_) now = fma(share, from - before, from);
      before = from;
    };
    p_.for_own([&](int i) {
      go_on(force_[i], p_.last[i]);
      go_on(p_.gradient[i], p_.before[i]);
    });
    if (!has_momentum_) return group_.sync();
    project_rows();
    for (int c = 0; c < p_.cone_count; ++c) project(p_.cones[c]);
    group_.sync();
    p_.for_own([&](int i) { p_.start[i] = force_[i]; });
  }
  // Each thread looks at rows of its own; all follow what one has found.
  TORSOR_INLINE void project_rows() const {
    for (int first = 0; first < p_.count; first += L) {
      const int r = first + group_.lane();
      double change = 0;
      if (r < p_.count) {
        const double bounded = max(min(force_[r], p_.upper[r]), p_.lower[r]);
        if (bounded != force_[r]) {
          change = bounded - force_[r];
          force_[r] = bounded;
        }
      }
      for (unsigned left = group_.ballot(change != 0); left != 0; left &= left - 1) {
        const int from = lowest_bit(left);
        p_.add_row(first + from, group_.broadcast(change, from), p_.gradient);
      }
    }
    group_.sync();
  }
  TORSOR_INLINE void project(const solver::Cone& cone) const {
    project_into_cone(cone, force_, [this](int row, double force) { set_force(row, force); });
  }
  TORSOR_INLINE void set_force(int row, double value) const {
    follow(p_, row, value - force_[row]);
    force_[row] = value;
  }
  // Returns what it gains.
  TORSOR_INLINE double sweep() {
    group_.sync();
    if (group_.lane() == 0) shuffle(random_, p_.unit_count, p_.units);
    group_.sync();
    double gain = 0;
    TORSOR_DEVICE_ROLL
    for (int k = 0; k < p_.unit_count; ++k) {
      const SweepUnit unit = p_.units[k];
      gain += unit.cone < 0 ? improve_row(p_, unit.row, force_) : improve_group_cone(p_, p_.cones[unit.cone], force_);
    }
    group_.sync();
    return gain;
  }
  TORSOR_INLINE bool turns_back() const {
    double along = 0;
    p_.for_own([&](int r) { along = fma(force_[r] - p_.start[r], p_.start[r] - p_.last[r], along); });
    return group_.sum(along) < 0;
  }
  TORSOR_INLINE bool stays() const {
    bool has_moved = false;
    p_.for_own([&](int r) { has_moved = has_moved || !(force_[r] == p_.last[r]); });
    return group_.ballot(has_moved) == 0;
  }

  const GroupDual<L>& p_;
  const Group<L> group_;
  double* const force_;
  int count_ = 0;  // sweeps since momentum started
  bool has_momentum_ = false;
  SweepRandom random_;  // of the first thread
};

}  // namespace torsor::gpu
