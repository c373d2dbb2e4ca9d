// Newton's method for one island by a group of L threads. Dof i belongs to thread i % L, and so does row i of H: in
// registers for at most N dofs, in memory for N = 0. Everything that is decided is decided by sums over the group,
// which are the same bits in all of its threads.
//
// The loop is that of solver/kernels/wide_primal.hpp, turned so that products with p, evaluation, gradient and factor
// stand in the code once: on a GPU the instruction cache limits this kernel.
#pragma once

#include "torsor/gpu/kernels/island_units.hpp"
#include "torsor/gpu/kernels/memory_hessian.hpp"
#include "torsor/solver/kernels/line_search.hpp"
#include "torsor/solver/kernels/primal_rules.hpp"

namespace torsor::gpu {

template <class S, int N, int L, bool kElliptic>
class IslandNewton {
  static constexpr int kOwn = (N + L - 1) / L;
  static constexpr Layout kLayout = layout_of(N);
  using Own = OwnNumbers<S, kOwn, L>;

 public:
  TORSOR_INLINE IslandNewton(const ConstraintArrays<S>& arrays, const Island& island, const IslandMemory<S>& memory)
      : arrays_(arrays),
        island_(island),
        memory_(memory),
        rows_(arrays, island, memory),
        units_(memory),
        lane_(group_.lane()),
        n_(island.dofs),
        dofs_(arrays.dofs + std::ptrdiff_t(island.world) * arrays.nv + island.first_dof),
        d_(memory.own, lane_),
        Md_(memory.own + memory.columns, lane_),
        p_(memory.own + 2 * memory.columns, lane_),
        Mp_(memory.own + 3 * memory.columns, lane_),
        qfrc_(memory.own + 4 * memory.columns, lane_),
        weight_(memory.own + 5 * memory.columns, lane_) {}

  TORSOR_INLINE void run(int number) {
    load();
    int iterations = 0;
    for (bool starting = true;; starting = false) {
      multiply_direction();
      const S step = starting ? S(1) : search();
      if (!(step > S(0))) break;
      const S cost_before = cost_, gradient_before = gradient_;
      advance(step, starting);
      compute_gradient();
      iterations += !starting;
      if (!starting && is_last(step, cost_before, gradient_before)) break;
      if (gradient_ < S(arrays_.options.tolerance) || iterations >= arrays_.options.iterations) break;
      compute_direction();
      if (may_stop_by_prediction<true>(S(iterations)) && predicts_little(arrays_.options, scale_, slope_)) break;
      if (!(slope_ < S(0))) break;
    }
    write_results(number, iterations);
  }

  // of the cost along d + step p, first and second derivative
  TORSOR_INLINE SlopeOf<S> slope(S step) const {
    SlopeOf<S> sum = rows_.slope(step, lane_, L);
    for_own([&](int s, int i) {
      const S p = p_[s];
      units_.for_each(i, fma(step, p, d_[s]), [&](int, S J, S, S D, const HeldPull<S>& at) {
        sum.first = fma(J * p, at.held, sum.first);
        if (at.curved) sum.second = fma(p * p, D, sum.second);
      });
    });
    return {group_.sum(sum.first) + fma(step, second_, first_), group_.sum(sum.second) + second_};
  }

 private:
  template <class F>
  TORSOR_INLINE void for_own(F f) const {
    for_own_dofs<kOwn, L>(lane_, n_, f);
  }
  TORSOR_INLINE S dot(const Own& a, const Own& b) const {
    S sum(0);
    for_own([&](int s, int) { sum = fma(a[s], b[s], sum); });
    return group_.sum(sum);
  }

  TORSOR_INLINE void load();
  TORSOR_INLINE void load_mass();
  TORSOR_INLINE void multiply_direction();
  TORSOR_INLINE void multiply_mass();
  // in layouts but two squares
  TORSOR_INLINE S mass(int i, int j) const {
    if constexpr (kLayout == Layout::kMassApart) return memory_.mass[j * N + i];
    const std::ptrdiff_t stride = N > 0 ? N + 1 : memory_.stride();
    return memory_.matrix[j < i ? j * stride + i + 1 : i * stride + j + 1];
  }
  TORSOR_INLINE void clear_squares() const;
  TORSOR_INLINE void put_mass(int i, int j, S number) const {
    if constexpr (kLayout == Layout::kTwoSquares) {
      memory_.mass[i * mass_stride(N) + j] = memory_.mass[j * mass_stride(N) + i] = number;
    } else if constexpr (kLayout == Layout::kMassApart) {
      memory_.mass[i * N + j] = memory_.mass[j * N + i] = number;
    } else {
      memory_.matrix[std::ptrdiff_t(j) * memory_.stride() + i + 1] = number;
    }
  }
  TORSOR_INLINE void advance(S step, bool starting);
  TORSOR_INLINE void evaluate();
  TORSOR_INLINE void compute_gradient();
  TORSOR_INLINE void compute_direction();
  TORSOR_INLINE S rounding_of_slope() const;
  TORSOR_INLINE S search();
  TORSOR_INLINE bool is_last(S step, S cost_before, S gradient_before) const;
  TORSOR_INLINE void write_results(int number, int iterations) const;
  TORSOR_INLINE void write_forces() const;

  const ConstraintArrays<S>& arrays_;
  const Island island_;
  const IslandMemory<S> memory_;
  const Group<L> group_{};
  const IslandRows<S, kElliptic> rows_;
  const IslandUnits<S> units_;
  const int lane_, n_;
  const int* const dofs_;
  Own d_, Md_, p_, Mp_, qfrc_, weight_;  // weight_: second derivatives of unit rows
  S scale_, cost_ = S(0), gradient_ = S(0), slope_ = S(0);
  S first_, second_;  // of the smooth cost along p
};

template <class S, int N, int L, bool kElliptic>
TORSOR_INLINE void IslandNewton<S, N, L, kElliptic>::clear_squares() const {
  if constexpr (kLayout == Layout::kMassApart) {
    TORSOR_DEVICE_ROLL
    for (int at = 4 * lane_; at < N * round_up_to_four(n_); at += 4 * L) clear_four(memory_.mass + at);
  } else if constexpr (kLayout == Layout::kTwoSquares) {
    constexpr int kNumbers = N * (mass_stride(N) + N + 1);
    TORSOR_DEVICE_UNROLL
    for (int k = 0; k < kNumbers; k += 4 * L) {
      const int at = k + 4 * lane_;
      if (k + 4 * L <= kNumbers || at < kNumbers) clear_four(memory_.mass + at);
    }
  } else {
    const int stride = memory_.stride();
    for_own([&](int, int i) {
      for (int j = i; j < round_up_to_four(n_); ++j) memory_.matrix[std::ptrdiff_t(i) * stride + j + 1] = S(0);
    });
  }
  group_.sync();
}

// M as a square, and the scale of what the rules of stopping look at. The dofs of a tree follow each other in the model
// and in the island: an ancestor is as far away here as there.
template <class S, int N, int L, bool kElliptic>
TORSOR_INLINE void IslandNewton<S, N, L, kElliptic>::load_mass() {
  clear_squares();
  S trace(0);
  for_own([&](int, int i) {
    const int dof = dofs_[i], begin = arrays_.M_rowadr[dof], end = begin + arrays_.M_rownnz[dof];
    for (int k = begin; k < end; ++k) {
      const int column = arrays_.M_colind[k];
      const S number = arrays_.M.at(island_.world, k);
      put_mass(i, i + column - dof, number);
      if (column == dof) trace += number;
    }
  });
  scale_ = S(1) / group_.sum(trace);
}

template <class S, int N, int L, bool kElliptic>
TORSOR_INLINE void IslandNewton<S, N, L, kElliptic>::load() {
  load_mass();
  for_own([&](int s, int i) {
    units_.load(arrays_, island_.world, dofs_[i], i);
    const S smooth = arrays_.qacc_smooth.at(island_.world, dofs_[i]);
    p_[s] = arrays_.cold ? S(0) : arrays_.qacc_warmstart.at(island_.world, dofs_[i]) - smooth;
  });
  rows_.compute_cone_numbers(lane_, L);
}

// Mp = M v for v in memory
template <class S, int N, int L, bool kElliptic>
TORSOR_INLINE void IslandNewton<S, N, L, kElliptic>::multiply_mass() {
  if constexpr (N > 0) {
    S sum[kOwn] = {};
    TORSOR_DEVICE_UNROLL
    for (int q = 0; q < N / 4; ++q) {
      if (4 * q >= n_) break;
      const Four<S> v = load_four(memory_.v + 4 * q);
      TORSOR_DEVICE_UNROLL
      for (int s = 0; s < kOwn; ++s) {
        const int i = at_most(s * L + lane_, N - 1);
        Four<S> M;
        if constexpr (kLayout == Layout::kTwoSquares) {
          M = load_four(memory_.mass + i * mass_stride(N) + 4 * q);
        } else {
          TORSOR_DEVICE_UNROLL
          for (int e = 0; e < 4; ++e) M.of[e] = mass(i, 4 * q + e);
        }
        TORSOR_DEVICE_UNROLL
        for (int e = 0; e < 4; ++e) sum[s] = fma(M.of[e], v.of[e], sum[s]);
      }
    }
    for_own([&](int s, int) { Mp_[s] = sum[s]; });
  } else {
    for_own([&](int s, int i) {
      S sum(0);
      for (int j = 0; j < n_; ++j) sum = fma(mass(i, j), memory_.v[j], sum);
      Mp_[s] = sum;
    });
  }
}

// M p and J p
template <class S, int N, int L, bool kElliptic>
TORSOR_INLINE void IslandNewton<S, N, L, kElliptic>::multiply_direction() {
  group_.sync();
  for_own([&](int s, int i) { memory_.v[i] = p_[s]; });
  TORSOR_DEVICE_ROLL
  for (int i = n_ + lane_; i < round_up_to_four(n_); i += L) memory_.v[i] = S(0);
  group_.sync();
  multiply_mass();
  rows_.template multiply<N>(n_, lane_, L);
  group_.sync();
}

// Moves by step times p. At the start: to p, or to d = 0 where that costs less.
template <class S, int N, int L, bool kElliptic>
TORSOR_INLINE void IslandNewton<S, N, L, kElliptic>::advance(S step, bool starting) {
  enum { kSmooth, kWarm, kBack } attempt = starting ? kSmooth : kWarm;
  S smooth_cost(0);
  TORSOR_DEVICE_ROLL
  for (;;) {
    if (attempt != kWarm) {
      for_own([&](int s, int) { d_[s] = Md_[s] = S(0); });
      rows_.set_to_b(lane_, L);
    } else {
      for_own([&](int s, int) {
        d_[s] = fma(step, p_[s], d_[s]);
        Md_[s] = fma(step, Mp_[s], Md_[s]);
      });
      rows_.move(step, lane_, L);
    }
    group_.sync();
    evaluate();
    if (!starting || attempt == kBack) return;
    if (attempt == kSmooth) {
      smooth_cost = cost_;
      attempt = kWarm;
    } else if (smooth_cost < cost_) {
      attempt = kBack;
    } else {
      return;
    }
  }
}

// Forces, curvature and cost at d and x; qfrc_ gets the forces of unit rows.
template <class S, int N, int L, bool kElliptic>
TORSOR_INLINE void IslandNewton<S, N, L, kElliptic>::evaluate() {
  S cost = rows_.evaluate(lane_, L);
  for_own([&](int s, int i) {
    S force(0), weight(0);
    units_.for_each(i, d_[s], [&](int, S J, S x, S D, const HeldPull<S>& at) {
      cost += cost_of_held(D, x, at);
      force -= J * at.held;
      weight += select(at.curved, D, S(0));
    });
    qfrc_[s] = force;
    weight_[s] = weight;
    cost = fma(S(0.5) * d_[s], Md_[s], cost);
  });
  cost_ = group_.sum(cost);
  group_.sync();
}

// J' force, and the size of g = M d - J' force
template <class S, int N, int L, bool kElliptic>
TORSOR_INLINE void IslandNewton<S, N, L, kElliptic>::compute_gradient() {
  if constexpr (N > 0) {
    S force[kOwn];
    rows_.template multiply_transposed<kOwn, L>(n_, lane_, force);
    for_own([&](int s, int) { qfrc_[s] += force[s]; });
  } else {
    for_own([&](int s, int i) {
      S force[1];
      rows_.template multiply_transposed<1, L>(n_, i, force);
      qfrc_[s] += force[0];
    });
  }
  S square(0);
  for_own([&](int s, int) {
    const S g = Md_[s] - qfrc_[s];
    square = fma(g, g, square);
  });
  gradient_ = scale_ * sqrt(group_.sum(square));
}

template <class S, int N, int L, bool kElliptic>
TORSOR_INLINE void IslandNewton<S, N, L, kElliptic>::compute_direction() {
  for_own([&](int s, int) { p_[s] = qfrc_[s] - Md_[s]; });
  if constexpr (N > 0) {
    RegisterHessian<S, N, L> H(group_, memory_, n_);
    rows_.add_to(H);
    H.solve(weight_, p_);
  } else {
    MemoryHessian<S, L> H(group_, memory_, n_);
    rows_.add_to(H);
    H.solve(weight_, p_);
  }
  S slope(0);
  for_own([&](int s, int) { slope = fma(Md_[s] - qfrc_[s], p_[s], slope); });
  slope_ = group_.sum(slope);
}

// In float the sum of the slope's parts is rounded by more than what the tolerance asks for.
template <class S, int N, int L, bool kElliptic>
TORSOR_INLINE S IslandNewton<S, N, L, kElliptic>::rounding_of_slope() const {
  S sum(0);
  for_own([&](int s, int i) {
    const S p = p_[s];
    sum += abs(p * Md_[s]);
    units_.for_each(i, d_[s], [&](int, S, S, S, const HeldPull<S>& at) { sum += abs(p * at.held); });
  });
  TORSOR_DEVICE_ROLL
  for (int r = lane_; r < rows_.rows(); r += L) sum += abs(memory_.along[r] * memory_.force[r]);
  return S(2 * std::numeric_limits<S>::epsilon()) * group_.sum(sum);
}

// The step along p to the least cost, 0 if there is none
template <class S, int N, int L, bool kElliptic>
TORSOR_INLINE S IslandNewton<S, N, L, kElliptic>::search() {
  first_ = dot(p_, Md_);
  second_ = dot(p_, Mp_);
  S flat = flat_slope(arrays_.options, scale_, slope_, dot(p_, p_));
  // in float the direction is no better than this, whatever the step
  if constexpr (sizeof(S) == 4) flat = max(max(flat, rounding_of_slope()), S(-1e-3) * slope_);
  return search_line(*this, slope_, S(1), flat, arrays_.options.ls_iterations, true).step;
}

template <class S, int N, int L, bool kElliptic>
TORSOR_INLINE bool IslandNewton<S, N, L, kElliptic>::is_last(S step, S cost_before, S gradient_before) const {
  const S improvement = scale_ * (cost_before - cost_), slope_gain = S(-0.5) * scale_ * step * slope_;
  static_assert(kMostStalls<true> == 0, "the first iteration that gains nothing is the last");
  return gains_nothing(improvement, scale_ * cost_, gradient_, gradient_before) ||
         gains_little(arrays_.options, improvement, slope_gain) ||
         leaves_little<true>(arrays_.options, slope_gain, gradient_, gradient_before);
}

// A result that is not finite is marked: it is invalid.
template <class S, int N, int L, bool kElliptic>
TORSOR_INLINE void IslandNewton<S, N, L, kElliptic>::write_results(int number, int iterations) const {
  const S mark = is_finite_result(gradient_, cost_) ? S(0) : std::numeric_limits<S>::quiet_NaN();
  for_own([&](int s, int i) {
    const int dof = dofs_[i];
    const S d = d_[s] + mark;  // and -0 becomes 0
    arrays_.qacc.at(island_.world, dof) = arrays_.qacc_smooth.at(island_.world, dof) + d;
    arrays_.qfrc_constraint.at(island_.world, dof) = qfrc_[s];
  });
  if (lane_ == 0 && arrays_.iterations) arrays_.iterations[number] = iterations;
  write_forces();
}

template <class S, int N, int L, bool kElliptic>
TORSOR_INLINE void IslandNewton<S, N, L, kElliptic>::write_forces() const {
  if (arrays_.force) {
    S* const to = arrays_.force + std::ptrdiff_t(island_.world) * arrays_.row_capacity + island_.first_row;
    TORSOR_DEVICE_ROLL
    for (int r = lane_; r < rows_.rows(); r += L) to[r] = memory_.force[r];
  }
  if (arrays_.unit_force) {
    for_own([&](int s, int i) {
      S* const to = arrays_.unit_force + std::ptrdiff_t(island_.world) * kUnitKinds * arrays_.nv + dofs_[i];
      for (int kind = 0; kind < kUnitKinds; ++kind) to[kind * arrays_.nv] = S(0);
      units_.for_each(i, d_[s],
                      [&](int kind, S, S, S, const HeldPull<S>& at) { to[kind * arrays_.nv] = S(0) - at.held; });
    });
  }
}

}  // namespace torsor::gpu
