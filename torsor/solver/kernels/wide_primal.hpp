// The loop of primal.hpp with one world per lane. Start, rules of stopping and line search are those of one world, lane
// by lane. A lane that is done moves by steps of zero: what its neighbours do changes no bit of it, and a NaN stays in
// its lane. Numbers of different lanes meet only in the question whether any lane still needs something.
#pragma once

#include "torsor/solver/kernels/line_search.hpp"
#include "torsor/solver/kernels/primal_rules.hpp"
#include "torsor/solver/kernels/wide_operator.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class P, bool kNewton>
class WidePrimal {
 public:
  using Mask = MaskOf<P>;

  WidePrimal(const WideProblem<P>& problem, const Options& options, WideScratch<P>& scratch, WideSolution<P>& out)
      : problem_(problem), options_(options), s_(scratch), out_(out), op_(problem, scratch), n_(problem.dofs()) {}
  // Solves the lanes of the mask.
  void run(Mask lanes);

  // of the cost along d + step p, first and second derivative
  __attribute__((noinline)) SlopeOf<P> slope(P step) const;

 private:
  TORSOR_INLINE P dot(const P* a, const P* b) const;
  TORSOR_INLINE const WideRows<P>& rows(int kind) const { return kind == 0 ? out_.singles : out_.contacts[kind - 1]; }
  TORSOR_INLINE ConeNumbers<P> cone(int kind, int c) const {
    const WideContacts<P>& slots = problem_.contacts[kind - 1];
    return {slots.D[c], slots.mu[c], s_.cone[kind][2 * c], s_.cone[kind][2 * c + 1]};
  }
  P evaluate(P step, Mask watched);
  template <int kDim, bool kElliptic>
  P evaluate_contacts(int kind, P step, Mask watched);
  template <int kDim, bool kElliptic>
  TORSOR_INLINE SlopeOf<P> slope_of_contacts(int kind, P step) const;
  void compute_cone_numbers();
  void set_rows_to_b(Mask lanes);
  void clear_along();
  void start();
  void compute_gradient();
  Mask is_small();
  void compute_direction(Mask active);
  void keep_direction(Mask lanes);
  P rounding_of_slope() const;
  LineMinimumOf<P> search(Mask lanes);
  Mask move(P step, Mask lanes);
  void write_result();

  const WideProblem<P>& problem_;
  const Options& options_;
  WideScratch<P>& s_;
  WideSolution<P>& out_;
  WideOperator<P> op_;
  int n_;
  P cost_, gradient_, slope_, stalls_, iterations_, gz_;
  P first_, second_;  // of the smooth cost along p
  Mask converged_, conjugate_;
};

// in three sums, to hide the latency of fma
template <class P, bool kNewton>
TORSOR_INLINE P WidePrimal<P, kNewton>::dot(const P* a, const P* b) const {
  P sum[kWideTile];
  zero_packs(sum, kWideTile);
  for (int i = 0; i < n_; i += kWideTile) {
    TORSOR_UNROLL
    for (int k = 0; k < kWideTile; ++k) sum[k] = fma(a[i + k], b[i + k], sum[k]);
  }
  return sum[0] + sum[1] + sum[2];
}

// Moves the rows of contacts by step times along; twice their cost there.
template <class P, bool kNewton>
template <int kDim, bool kElliptic>
P WidePrimal<P, kNewton>::evaluate_contacts(int kind, P step, Mask watched) {
  constexpr int kCount = kCurvatures<kDim, kElliptic>;
  const WideSlots<P>& slots = slots_of(problem_, kind);
  P twice(0);
  for (int c = 0; c < slots.count; ++c) {
    P *x = rows(kind).x + kDim * c, *force = rows(kind).force + kDim * c, at[kDim], f[kDim], K[kCount];
    TORSOR_UNROLL
    for (int a = 0; a < kDim; ++a) x[a] = at[a] = fma(step, s_.along[kind][kDim * c + a], x[a]);
    if constexpr (kElliptic) {
      twice += evaluate_wide_cone<kDim>(cone(kind, c), at, f, K);
    } else {
      twice += evaluate_pyramid<kDim>(slots.D[c], at, f, K);
    }
    copy_packs(f, kDim, force);
    if constexpr (kNewton) {
      P* kept = s_.K[kind] + kCount * c;
      Mask differs(false);
      TORSOR_UNROLL
      for (int k = 0; k < kCount; ++k) differs = differs | (K[k] != kept[k]);
      if (!any(differs & watched)) continue;
      op_.mark_slot(kind, c);
      copy_packs(K, kCount, kept);
    }
  }
  return twice;
}

// Moves all rows by step times along, and finds force, curvature and cost there. Changes of curvature are noticed in
// the lanes that are watched.
template <class P, bool kNewton>
P WidePrimal<P, kNewton>::evaluate(P step, Mask watched) {
  const WideUnits<P>& units = problem_.units;
  const WideSingles<P>& singles = problem_.singles;
  P cost(0);
  for (int u = 0; u < units.count; ++u) {
    const P x = fma(step, s_.unit_along[u], out_.units.x[u]), D = units.D[u];
    const auto [held, curved] = hold(D, x, units.lower[u], units.upper[u]);
    cost = fma(held, x - P(0.5) * held * units.R[u], cost);
    out_.units.x[u] = x;
    out_.units.force[u] = P(0) - held;  // never -0
    if constexpr (kNewton) {
      const P weight = select(curved, D, P(0));
      if (any((weight != s_.unit_weight[u]) & watched)) op_.mark_unit(u);
      s_.unit_weight[u] = weight;
    }
  }
  for (int r = 0; r < singles.count; ++r) {
    const P x = fma(step, s_.along[0][r], out_.singles.x[r]), D = singles.D[r];
    const auto [held, curved] = hold(D, x, singles.lower[r], singles.upper[r]);
    cost = fma(held, x - P(0.5) * held * singles.R[r], cost);
    out_.singles.x[r] = x;
    out_.singles.force[r] = P(0) - held;
    if constexpr (kNewton) {
      const P weight = select(curved, D, P(0));
      if (any((weight != s_.K[0][r]) & watched)) op_.mark_slot(0, r);
      s_.K[0][r] = weight;
    }
  }
  P twice(0);
  for_slot_kinds([&](int kind, auto dim) __attribute__((always_inline)) {
    if constexpr (dim() > 1) {
      if (slots_of(problem_, kind).count == 0) return;
      twice += problem_.elliptic ? evaluate_contacts<dim(), true>(kind, step, watched)
                                 : evaluate_contacts<dim(), false>(kind, step, watched);
    }
  });
  return fma(P(0.5), twice, cost);
}

template <class P, bool kNewton>
template <int kDim, bool kElliptic>
TORSOR_INLINE SlopeOf<P> WidePrimal<P, kNewton>::slope_of_contacts(int kind, P step) const {
  const WideSlots<P>& slots = slots_of(problem_, kind);
  SlopeOf<P> sum{P(0), P(0)};
  for (int c = 0; c < slots.count; ++c) {
    const P *x = rows(kind).x + kDim * c, *along = s_.along[kind] + kDim * c;
    SlopeOf<P> here;
    if constexpr (kElliptic) {
      here = slope_of_wide_cone<kDim>(cone(kind, c), x, along, step);
    } else {
      here = slope_of_pyramid<kDim>(slots.D[c], x, along, step);
    }
    sum.first += here.first;
    sum.second += here.second;
  }
  return sum;
}

template <class P, bool kNewton>
SlopeOf<P> WidePrimal<P, kNewton>::slope(P step) const {
  const WideUnits<P>& units = problem_.units;
  const WideSingles<P>& singles = problem_.singles;
  SlopeOf<P> sum{fma(step, second_, first_), second_};
  const auto add = [&](P x, P p, P D, P lower, P upper) __attribute__((always_inline)) {
    const auto [held, curved] = hold(D, fma(step, p, x), lower, upper);
    sum.first = fma(p, held, sum.first);
    sum.second = fma(p * p, select(curved, D, P(0)), sum.second);
  };
  for (int u = 0; u < units.count; ++u) {
    add(out_.units.x[u], s_.unit_along[u], units.D[u], units.lower[u], units.upper[u]);
  }
  for (int r = 0; r < singles.count; ++r) {
    add(out_.singles.x[r], s_.along[0][r], singles.D[r], singles.lower[r], singles.upper[r]);
  }
  for_slot_kinds([&](int kind, auto dim) __attribute__((always_inline)) {
    if constexpr (dim() > 1) {
      if (slots_of(problem_, kind).count == 0) return;
      const SlopeOf<P> here =
          problem_.elliptic ? slope_of_contacts<dim(), true>(kind, step) : slope_of_contacts<dim(), false>(kind, step);
      sum.first += here.first;
      sum.second += here.second;
    }
  });
  return sum;
}

template <class P, bool kNewton>
void WidePrimal<P, kNewton>::compute_cone_numbers() {
  if (!problem_.elliptic) return;
  for (int kind = 1; kind < kSlotKinds; ++kind) {
    const WideContacts<P>& slots = problem_.contacts[kind - 1];
    for (int c = 0; c < slots.count; ++c) {
      const ConeNumbers<P> numbers = cone_numbers(slots.D[c], slots.mu[c]);
      s_.cone[kind][2 * c] = numbers.k;
      s_.cone[kind][2 * c + 1] = numbers.tangent_D;
    }
  }
}

template <class P, bool kNewton>
void WidePrimal<P, kNewton>::set_rows_to_b(Mask lanes) {
  const auto set = [&](const P* b, int count, P* x) __attribute__((always_inline)) {
    for (int r = 0; r < count; ++r) x[r] = select(lanes, b[r], x[r]);
  };
  set(problem_.units.b, problem_.units.count, out_.units.x);
  for (int kind = 0; kind < kSlotKinds; ++kind) {
    const WideSlots<P>& slots = slots_of(problem_, kind);
    set(slots.b, slots.count * slots.dim, rows(kind).x);
  }
}

template <class P, bool kNewton>
void WidePrimal<P, kNewton>::clear_along() {
  zero_packs(s_.unit_along, problem_.units.count);
  for (int kind = 0; kind < kSlotKinds; ++kind) {
    const WideSlots<P>& slots = slots_of(problem_, kind);
    zero_packs(s_.along[kind], slots.count * slots.dim);
  }
}

// Everything at the given start, or at d = 0 in lanes where that costs less.
template <class P, bool kNewton>
void WidePrimal<P, kNewton>::start() {
  set_rows_to_b(Mask(true));
  clear_along();
  const P smooth_cost = evaluate(P(0), Mask(false));
  copy_packs(problem_.start, n_, out_.d);
  multiply_mass(problem_, out_.d, s_.Md);
  op_.multiply_jacobian(out_.d);
  cost_ = P(0.5) * dot(out_.d, s_.Md) + evaluate(P(1), Mask(true));
  const Mask back = smooth_cost < cost_;
  if (any(back)) {
    for (int i = 0; i < n_; ++i) {
      out_.d[i] = select(back, P(0), out_.d[i]);
      s_.Md[i] = select(back, P(0), s_.Md[i]);
    }
    set_rows_to_b(back);
    clear_along();
    evaluate(P(0), Mask(true));
    cost_ = select(back, smooth_cost, cost_);
  }
}

// g = M d - J' force
template <class P, bool kNewton>
void WidePrimal<P, kNewton>::compute_gradient() {
  op_.multiply_jacobian_transposed(out_, out_.qfrc);
  for (int i = 0; i < n_; ++i) s_.g[i] = s_.Md[i] - out_.qfrc[i];
  gradient_ = problem_.scale[0] * sqrt(dot(s_.g, s_.g));
}

template <class P, bool kNewton>
typename WidePrimal<P, kNewton>::Mask WidePrimal<P, kNewton>::is_small() {
  if (options_.relative < 0) return gradient_ < P(options_.tolerance);
  P gradient(0), momentum(0), force(0);
  for (int i = 0; i < n_; ++i) {
    const P weight = problem_.weight[i], g = s_.g[i], f = out_.qfrc[i], p = s_.Md[i] + problem_.momentum[i];
    gradient = fma(weight * g, g, gradient);
    momentum = fma(weight * p, p, momentum);
    force = fma(weight * f, f, force);
  }
  return is_small_beside(options_, gradient, momentum, force);
}

// p as in primal.hpp, and its slope
template <class P, bool kNewton>
void WidePrimal<P, kNewton>::compute_direction(Mask active) {
  if constexpr (kNewton) {
    op_.factor_hessian(active);
    s_.factor.solve(s_.g, s_.p);
  } else {
    P* const kept = s_.old_z;
    s_.old_z = s_.z;
    s_.z = kept;
    s_.factor.solve(s_.g, s_.z);  // -M^-1 g
    const P old_gz = gz_;
    gz_ = -dot(s_.g, s_.z);
    P beta = select(old_gz > P(0), (gz_ + dot(s_.g, s_.old_z)) / old_gz, P(0));
    conjugate_ = beta > P(0);
    beta = select(conjugate_, beta, P(0));
    for (int i = 0; i < n_; ++i) s_.p[i] = beta * s_.p[i] + s_.z[i];
  }
  slope_ = dot(s_.g, s_.p);
}

// Zeros in other lanes: numbers there need not be finite, and a step of zero must not move them.
template <class P, bool kNewton>
void WidePrimal<P, kNewton>::keep_direction(Mask lanes) {
  for (int i = 0; i < n_; ++i) s_.p[i] = select(lanes, s_.p[i], P(0));
}

// In float the sum of the slope's parts is rounded by more than what the tolerance asks for.
template <class P, bool kNewton>
P WidePrimal<P, kNewton>::rounding_of_slope() const {
  P sum(0);
  const auto add = [&](const P* a, const P* b, int count) __attribute__((always_inline)) {
    for (int k = 0; k < count; ++k) sum += abs(a[k] * b[k]);
  };
  add(s_.p, s_.Md, n_);
  add(s_.unit_along, out_.units.force, problem_.units.count);
  for (int kind = 0; kind < kSlotKinds; ++kind) {
    const WideSlots<P>& slots = slots_of(problem_, kind);
    add(s_.along[kind], rows(kind).force, slots.count * slots.dim);
  }
  return P(2 * std::numeric_limits<ScalarOf<P>>::epsilon()) * sum;
}

template <class P, bool kNewton>
LineMinimumOf<P> WidePrimal<P, kNewton>::search(Mask lanes) {
  multiply_mass(problem_, s_.p, s_.Mp);
  op_.multiply_jacobian(s_.p);
  first_ = dot(s_.p, s_.Md);
  second_ = dot(s_.p, s_.Mp);
  P flat = flat_slope(options_, problem_.scale[0], slope_, dot(s_.p, s_.p));
  // in float the direction is no better than this, whatever the step
  if constexpr (sizeof(ScalarOf<P>) == 4) flat = max(max(flat, rounding_of_slope()), P(-1e-3) * slope_);
  P guess(1);
  if constexpr (!kNewton) guess = -slope_ / slope(P(0)).second;
  return search_line(*this, slope_, guess, flat, options_.ls_iterations, lanes);
}

// Moves the lanes of the mask, the step of others is zero; returns those that this step was the last of.
template <class P, bool kNewton>
typename WidePrimal<P, kNewton>::Mask WidePrimal<P, kNewton>::move(P step, Mask lanes) {
  for (int i = 0; i < n_; ++i) {
    out_.d[i] = fma(step, s_.p[i], out_.d[i]);
    s_.Md[i] = fma(step, s_.Mp[i], s_.Md[i]);
  }
  const P cost_before = cost_, gradient_before = gradient_;
  const P of_rows = evaluate(step, lanes);
  cost_ = P(0.5) * dot(out_.d, s_.Md) + of_rows;
  compute_gradient();
  iterations_ += select(lanes, P(1), P(0));
  const P scale = problem_.scale[0], improvement = scale * (cost_before - cost_);
  const Mask stalls = gains_nothing(improvement, scale * cost_, gradient_, gradient_before);
  stalls_ = select(lanes, select(stalls, stalls_ + P(1), P(0)), stalls_);
  const P slope_gain = P(-0.5) * scale * step * slope_;
  return lanes & ((stalls_ > P(kMostStalls<kNewton>)) | gains_little(options_, improvement, slope_gain) |
                  leaves_little<kNewton>(options_, slope_gain, gradient_, gradient_before));
}

// A lane that is not finite is marked: its result is invalid.
template <class P, bool kNewton>
void WidePrimal<P, kNewton>::write_result() {
  const Mask finite = is_finite_result(gradient_, cost_);
  out_.iterations[0] = iterations_;
  out_.converged[0] = select(converged_ & finite, P(1), P(0));
  const P mark = select(finite, P(0), P(std::numeric_limits<ScalarOf<P>>::quiet_NaN()));
  for (int i = 0; i < n_; ++i) out_.d[i] += mark;  // and -0 becomes 0
}

template <class P, bool kNewton>
void WidePrimal<P, kNewton>::run(Mask lanes) {
  compute_cone_numbers();
  if constexpr (kNewton) {
    op_.begin_hessian();
  } else {
    op_.factor_mass();
    zero_packs(s_.p, n_);
    zero_packs(s_.z, n_);
  }
  start();
  compute_gradient();
  iterations_ = stalls_ = gz_ = P(0);
  converged_ = Mask(true);
  conjugate_ = Mask(false);
  for (Mask active = lanes;;) {
    active = active & !is_small();
    const Mask out_of_time = active & (iterations_ >= P(options_.iterations));
    converged_ = converged_ & !out_of_time;
    active = active & !out_of_time;
    if (!any(active)) break;
    compute_direction(active);
    active =
        active & !(may_stop_by_prediction<kNewton>(iterations_) & predicts_little(options_, problem_.scale[0], slope_));
    const Mask descending = active & (slope_ < P(0));
    Mask moving = descending;
    if (any(descending)) {
      keep_direction(descending);
      const LineMinimumOf<P> line = search(descending);
      moving = descending & (line.step > P(0));
      if (any(descending & !moving)) {  // rare: their directions must not reach the rows
        keep_direction(moving);
        multiply_mass(problem_, s_.p, s_.Mp);
        op_.multiply_jacobian(s_.p);
      }
      active = active & !move(line.step, moving);
    }
    // rounding can spoil a conjugate direction, but not the steepest one
    const Mask stuck = active & !moving;
    active = active & !(stuck & !conjugate_);
    gz_ = select(stuck, P(0), gz_);
  }
  write_result();
}

}  // namespace TORSOR_ISA
}  // namespace torsor
