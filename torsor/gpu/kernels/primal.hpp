// Conjugate gradients for one island by a group of L threads: the loop of solver/kernels/wide_primal.hpp for one lane.
// M and its inverse are squares, so that a product with either is a sum for each thread, and nobody waits. Number i of
// a vector of dofs belongs to thread i % L.
#pragma once

#include "torsor/gpu/kernels/island_mass.hpp"
#include "torsor/gpu/kernels/island_units.hpp"
#include "torsor/gpu/kernels/memory_hessian.hpp"
#include "torsor/solver/kernels/line_search.hpp"
#include "torsor/solver/kernels/primal_rules.hpp"

namespace torsor::gpu {

struct PrimalSizes {
  int dofs = 0, mass = 0, rows = 0, curvatures = 0;
};

template <class S, bool kSap>
struct PrimalArrays {
  IslandMemory<S> island;                    // of rows, units and v; for SAP of the Hessian, too
  S *d, *Md, *p, *Mp, *qfrc, *g;             // [dof]
  S *z, *old_z, *inverse;                    // conjugate gradients; inverse: [dof][dof]
  S *weight, *momentum, *scale_of_momentum;  // SAP: second derivatives of unit rows; see WideProblem::momentum, weight
  S* M;                                      // [dof][dof]
  MassArrays<S> mass;

  TORSOR_INLINE void take(GroupMemory& memory, const PrimalSizes& sizes) {
    const std::ptrdiff_t n = sizes.dofs;
    island = {};
    island.columns = round_up_to_four(sizes.dofs);
    island.v = memory.take<S>(island.columns);
    for (S** array : {&d, &Md, &p, &Mp, &qfrc, &g}) *array = memory.take<S>(n);
    for (S** array : {kSap ? &weight : &z, kSap ? &momentum : &old_z}) *array = memory.take<S>(n);
    island.units = memory.take<S>(std::ptrdiff_t(kUnitNumbers) * island.columns);
    island.take_rows(memory.take<S>(3 * std::ptrdiff_t(sizes.rows) + sizes.curvatures), sizes.rows);
    if constexpr (kSap) {
      scale_of_momentum = memory.take<S>(n);
      island.column = memory.take<S>(2 * (island.columns + 4));
      island.matrix = memory.take<S>(std::ptrdiff_t(island.columns) * island.stride());
    } else {
      inverse = memory.take<S>(n * n);
    }
    M = memory.take<S>(n * n);
    mass.take(memory, sizes.dofs, sizes.mass);
  }
};

template <class S, int L, bool kElliptic, bool kSap>
class IslandPrimal {
 public:
  TORSOR_INLINE IslandPrimal(const ConstraintArrays<S>& arrays, const Island& island, GroupMemory memory)
      : arrays_(arrays),
        island_(island),
        mass_(arrays, island),
        at_(take(arrays, island, mass_, memory)),
        rows_(arrays, island, at_.island),
        units_(at_.island),
        lane_(group_.lane()),
        n_(island.dofs),
        dofs_(arrays.dofs + std::ptrdiff_t(island.world) * arrays.nv + island.first_dof) {}

  TORSOR_HD void run(int number) {
    load();
    start();
    compute_gradient();
    int iterations = 0;
    while (!is_small() && iterations < arrays_.options.iterations) {
      kSap ? compute_newton_direction() : compute_direction();
      if (may_stop_by_prediction<kSap>(S(iterations)) && predicts_little(arrays_.options, scale_, slope_)) break;
      const S step = slope_ < S(0) ? search() : S(0);
      if (step > S(0)) {
        ++iterations;
        if (move(step)) break;
      } else {  // rounding can spoil a conjugate direction, but not the steepest one
        if (!is_conjugate_) break;
        gz_ = S(0);
      }
    }
    write_results(number, iterations);
  }

  // of the cost along d + step p, first and second derivative
  TORSOR_INLINE SlopeOf<S> slope(S step) const {
    SlopeOf<S> sum = rows_.slope(step, lane_, L);
    for_own([&](int i) {
      const S p = at_.p[i];
      units_.for_each(i, fma(step, p, at_.d[i]), [&](int, S J, S, S D, const HeldPull<S>& at) {
        sum.first = fma(J * p, at.held, sum.first);
        if (at.curved) sum.second = fma(p * p, D, sum.second);
      });
    });
    return {group_.sum(sum.first) + fma(step, second_, first_), group_.sum(sum.second) + second_};
  }

 private:
  static TORSOR_INLINE PrimalArrays<S, kSap> take(const ConstraintArrays<S>& arrays, const Island& island,
                                                  const IslandMass<S, L>& mass, GroupMemory& memory) {
    const int rows = rows_of(island);
    PrimalArrays<S, kSap> at;
    at.take(memory, {island.dofs, mass.count_numbers(), rows, row_numbers(island, arrays.elliptic) - 3 * rows});
    return at;
  }
  template <class F>
  TORSOR_INLINE void for_own(F f) const {
    for_own_dofs<0, L>(lane_, n_, [&](int, int i) { f(i); });
  }
  TORSOR_INLINE S dot(const S* a, const S* b) const {
    S sum(0);
    for_own([&](int i) { sum = fma(a[i], b[i], sum); });
    return group_.sum(sum);
  }
  // All threads read what each has of x.
  TORSOR_INLINE void share(const S* x) const {
    S* const v = at_.island.v;
    group_.sync();
    for_own([&](int i) { v[i] = x[i]; });
    for (int i = n_ + lane_; i < at_.island.columns; i += L) v[i] = S(0);
    group_.sync();
  }
  // y = factor A v for a symmetric square and the v that is shared
  TORSOR_INLINE void multiply(const S* A, S factor, S* y) const {
    for_own([&](int i) {
      S sum(0);
      for (int j = 0; j < n_; ++j) sum = fma(A[std::ptrdiff_t(j) * n_ + i], at_.island.v[j], sum);
      y[i] = factor * sum;
    });
  }
  // Mp = M p, and J p of all rows
  TORSOR_INLINE void multiply_direction() const {
    share(at_.p);
    multiply(at_.M, S(1), at_.Mp);
    rows_.template multiply<0>(n_, lane_, L);
    group_.sync();
  }

  TORSOR_INLINE void load();
  TORSOR_INLINE void start();
  TORSOR_INLINE void set_to_smooth();
  TORSOR_INLINE void advance(S step);
  TORSOR_INLINE S evaluate();
  TORSOR_INLINE void compute_gradient();
  TORSOR_INLINE bool is_small() const;
  TORSOR_INLINE void load_momentum();
  TORSOR_INLINE void compute_direction();
  TORSOR_INLINE void compute_newton_direction();
  TORSOR_INLINE S rounding_of_slope() const;
  TORSOR_INLINE S search();
  TORSOR_INLINE bool move(S step);
  TORSOR_INLINE void write_results(int number, int iterations) const;
  TORSOR_INLINE void write_forces() const;

  const ConstraintArrays<S>& arrays_;
  const Island island_;
  const Group<L> group_{};
  IslandMass<S, L> mass_;
  const PrimalArrays<S, kSap> at_;
  const IslandRows<S, kElliptic> rows_;
  const IslandUnits<S> units_;
  const int lane_, n_;
  const int* const dofs_;
  S scale_, cost_ = S(0), gradient_ = S(0), slope_ = S(0), gz_ = S(0);
  S first_ = S(0), second_ = S(0);  // of the smooth cost along p
  int stalls_ = 0;
  bool is_conjugate_ = false;
};

template <class S, int L, bool kElliptic, bool kSap>
TORSOR_INLINE void IslandPrimal<S, L, kElliptic, kSap>::load() {
  scale_ = S(1) / mass_.load(at_.mass);
  group_.sync();
  mass_.write_square(at_.M);
  if constexpr (kSap) {
    load_momentum();
  } else {
    mass_.factor();
    for (int c = lane_; c < n_; c += L) {
      for (int i = 0; i < n_; ++i) at_.inverse[std::ptrdiff_t(i) * n_ + c] = S(i == c);
      mass_.solve_alone(at_.inverse + c, n_);
    }
    for_own([&](int i) { at_.z[i] = S(0); });
  }
  for_own([&](int i) {
    units_.load(arrays_, island_.world, dofs_[i], i);
    const S smooth = arrays_.qacc_smooth.at(island_.world, dofs_[i]);
    at_.p[i] = arrays_.cold ? S(0) : arrays_.qacc_warmstart.at(island_.world, dofs_[i]) - smooth;
  });
  rows_.compute_cone_numbers(lane_, L);
  group_.sync();
}

template <class S, int L, bool kElliptic, bool kSap>
TORSOR_INLINE void IslandPrimal<S, L, kElliptic, kSap>::set_to_smooth() {
  for_own([&](int i) { at_.d[i] = at_.Md[i] = S(0); });
  rows_.set_to_b(lane_, L);
}

// At the warm start, or at d = 0 where that costs less
template <class S, int L, bool kElliptic, bool kSap>
TORSOR_INLINE void IslandPrimal<S, L, kElliptic, kSap>::start() {
  multiply_direction();
  set_to_smooth();
  const S smooth_cost = evaluate();
  advance(S(1));
  cost_ = evaluate();
  if (smooth_cost < cost_) {
    set_to_smooth();
    cost_ = evaluate();
  }
  for_own([&](int i) { at_.p[i] = S(0); });
}

template <class S, int L, bool kElliptic, bool kSap>
TORSOR_INLINE void IslandPrimal<S, L, kElliptic, kSap>::advance(S step) {
  for_own([&](int i) {
    at_.d[i] = fma(step, at_.p[i], at_.d[i]);
    at_.Md[i] = fma(step, at_.Mp[i], at_.Md[i]);
  });
  rows_.move(step, lane_, L);
}

// Forces and cost at d and x; qfrc gets the forces of unit rows.
template <class S, int L, bool kElliptic, bool kSap>
TORSOR_INLINE S IslandPrimal<S, L, kElliptic, kSap>::evaluate() {
  group_.sync();
  S cost = rows_.evaluate(lane_, L);
  for_own([&](int i) {
    S force(0), weight(0);
    units_.for_each(i, at_.d[i], [&](int, S J, S x, S D, const HeldPull<S>& at) {
      cost += cost_of_held(D, x, at);
      force -= J * at.held;
      weight += select(at.curved, D, S(0));
    });
    at_.qfrc[i] = force;
    if constexpr (kSap) at_.weight[i] = weight;
    cost = fma(S(0.5) * at_.d[i], at_.Md[i], cost);
  });
  cost = group_.sum(cost);
  group_.sync();
  return cost;
}

// g = M d - J' force, and its size
template <class S, int L, bool kElliptic, bool kSap>
TORSOR_INLINE void IslandPrimal<S, L, kElliptic, kSap>::compute_gradient() {
  for_own([&](int i) {
    S force[1];
    rows_.template multiply_transposed<1, L>(n_, i, force);
    at_.qfrc[i] += force[0];
    at_.g[i] = at_.Md[i] - at_.qfrc[i];
  });
  gradient_ = scale_ * sqrt(dot(at_.g, at_.g));
}

template <class S, int L, bool kElliptic, bool kSap>
TORSOR_INLINE bool IslandPrimal<S, L, kElliptic, kSap>::is_small() const {
  if constexpr (!kSap) return gradient_ < S(arrays_.options.tolerance);
  S gradient(0), momentum(0), force(0);
  for_own([&](int i) {
    const S weight = at_.scale_of_momentum[i], g = at_.g[i], f = at_.qfrc[i], p = at_.Md[i] + at_.momentum[i];
    gradient = fma(weight * g, g, gradient);
    momentum = fma(weight * p, p, momentum);
    force = fma(weight * f, f, force);
  });
  return is_small_beside(arrays_.options, group_.sum(gradient), group_.sum(momentum), group_.sum(force));
}

// A (a_smooth + v / h) and 1 / diag(A), and M where the Hessian begins with it
template <class S, int L, bool kElliptic, bool kSap>
TORSOR_INLINE void IslandPrimal<S, L, kElliptic, kSap>::load_momentum() {
  const S rate = S(1 / arrays_.timestep);
  for_own([&](int i) {
    const int dof = dofs_[i];
    at_.scale_of_momentum[i] = arrays_.inverse.at(island_.world, dof);
    at_.p[i] = arrays_.qacc_smooth.at(island_.world, dof) + rate * arrays_.qvel.at(island_.world, dof);
    for (int j = i; j < n_; ++j)
      at_.island.matrix[std::ptrdiff_t(i) * at_.island.stride() + j + 1] = at_.M[std::ptrdiff_t(j) * n_ + i];
  });
  share(at_.p);
  multiply(at_.M, S(1), at_.momentum);
}

// p = -(M + J' K J)^-1 g
template <class S, int L, bool kElliptic, bool kSap>
TORSOR_INLINE void IslandPrimal<S, L, kElliptic, kSap>::compute_newton_direction() {
  if constexpr (kSap) {
    for_own([&](int i) { at_.p[i] = S(0) - at_.g[i]; });
    group_.sync();
    MemoryHessian<S, L> H(group_, at_.island, n_);
    rows_.add_to(H);
    typename MemoryHessian<S, L>::Own weight(at_.weight, lane_), p(at_.p, lane_);
    H.solve(weight, p);
    group_.sync();
    slope_ = dot(at_.g, at_.p);
  }
}

// p goes on from the last one as far as both are conjugate [Polak and Ribiere 1969, with M as the metric].
template <class S, int L, bool kElliptic, bool kSap>
TORSOR_INLINE void IslandPrimal<S, L, kElliptic, kSap>::compute_direction() {
  if constexpr (kSap) return;
  for_own([&](int i) { at_.old_z[i] = at_.z[i]; });
  share(at_.g);
  multiply(at_.inverse, S(-1), at_.z);
  const S old_gz = gz_;
  gz_ = S(0) - dot(at_.g, at_.z);
  const S beta = old_gz > S(0) ? (gz_ + dot(at_.g, at_.old_z)) / old_gz : S(0);
  is_conjugate_ = beta > S(0);
  for_own([&](int i) { at_.p[i] = is_conjugate_ ? beta * at_.p[i] + at_.z[i] : at_.z[i]; });
  slope_ = dot(at_.g, at_.p);
}

// In float the sum of the slope's parts is rounded by more than what the tolerance asks for.
template <class S, int L, bool kElliptic, bool kSap>
TORSOR_INLINE S IslandPrimal<S, L, kElliptic, kSap>::rounding_of_slope() const {
  S sum(0);
  for_own([&](int i) {
    const S p = at_.p[i];
    sum += abs(p * at_.Md[i]);
    units_.for_each(i, at_.d[i], [&](int, S, S, S, const HeldPull<S>& at) { sum += abs(p * at.held); });
  });
  for (int r = lane_; r < rows_.rows(); r += L) sum += abs(at_.island.along[r] * at_.island.force[r]);
  return S(2 * std::numeric_limits<S>::epsilon()) * group_.sum(sum);
}

// The step along p to the least cost, 0 if there is none
template <class S, int L, bool kElliptic, bool kSap>
TORSOR_INLINE S IslandPrimal<S, L, kElliptic, kSap>::search() {
  multiply_direction();
  first_ = dot(at_.p, at_.Md);
  second_ = dot(at_.p, at_.Mp);
  S flat = flat_slope(arrays_.options, scale_, slope_, dot(at_.p, at_.p));
  // in float the direction is no better than this, whatever the step
  if constexpr (sizeof(S) == 4) flat = max(max(flat, rounding_of_slope()), S(-1e-3) * slope_);
  const S guess = kSap ? S(1) : -slope_ / slope(S(0)).second;
  return search_line(*this, slope_, guess, flat, arrays_.options.ls_iterations, true).step;
}

// Returns whether this was the last step.
template <class S, int L, bool kElliptic, bool kSap>
TORSOR_INLINE bool IslandPrimal<S, L, kElliptic, kSap>::move(S step) {
  const S cost_before = cost_, gradient_before = gradient_;
  advance(step);
  cost_ = evaluate();
  compute_gradient();
  const S improvement = scale_ * (cost_before - cost_), slope_gain = S(-0.5) * scale_ * step * slope_;
  stalls_ = gains_nothing(improvement, scale_ * cost_, gradient_, gradient_before) ? stalls_ + 1 : 0;
  return stalls_ > kMostStalls<kSap> || gains_little(arrays_.options, improvement, slope_gain) ||
         leaves_little<kSap>(arrays_.options, slope_gain, gradient_, gradient_before);
}

// A result that is not finite is marked: it is invalid.
template <class S, int L, bool kElliptic, bool kSap>
TORSOR_INLINE void IslandPrimal<S, L, kElliptic, kSap>::write_results(int number, int iterations) const {
  const S mark = is_finite_result(gradient_, cost_) ? S(0) : std::numeric_limits<S>::quiet_NaN();
  for_own([&](int i) {
    const S d = at_.d[i] + mark;  // and -0 becomes 0
    arrays_.qacc.at(island_.world, dofs_[i]) = arrays_.qacc_smooth.at(island_.world, dofs_[i]) + d;
    arrays_.qfrc_constraint.at(island_.world, dofs_[i]) = at_.qfrc[i];
  });
  if (lane_ == 0 && arrays_.iterations) arrays_.iterations[number] = iterations;
  write_forces();
}

template <class S, int L, bool kElliptic, bool kSap>
TORSOR_INLINE void IslandPrimal<S, L, kElliptic, kSap>::write_forces() const {
  if (arrays_.force) {
    S* const to = arrays_.force + std::ptrdiff_t(island_.world) * arrays_.row_capacity + island_.first_row;
    for (int r = lane_; r < rows_.rows(); r += L) to[r] = at_.island.force[r];
  }
  if (!arrays_.unit_force) return;
  for_own([&](int i) {
    S* const to = arrays_.unit_force + std::ptrdiff_t(island_.world) * kUnitKinds * arrays_.nv + dofs_[i];
    for (int kind = 0; kind < kUnitKinds; ++kind) to[kind * arrays_.nv] = S(0);
    units_.for_each(i, at_.d[i],
                    [&](int kind, S, S, S, const HeldPull<S>& at) { to[kind * arrays_.nv] = S(0) - at.held; });
  });
}

}  // namespace torsor::gpu
