// The rules that end the primal loop and its line searches, for one world (T = double) and for worlds in lanes.
#pragma once

#include <limits>

#include "torsor/math/scalar.hpp"
#include "torsor/solver/problem.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// |g| against the larger of |M a + momentum| and |J' force|, given as weighed squares; kNothing is no gradient at all.
template <class T>
TORSOR_INLINE MaskOf<T> is_small_beside(const solver::Options& options, T gradient, T momentum, T force) {
  constexpr double kNothing = sizeof(ScalarOf<T>) == 8 ? 1e-14 : 1e-7;
  return sqrt(gradient) <= T(kNothing) + T(options.relative) * sqrt(max(momentum, force));
}

// What the next step would gain if no row changed its zone (Newton), or can gain at most, since the Hessian is no
// smaller than M (conjugate gradients).
template <class T>
TORSOR_INLINE MaskOf<T> predicts_little(const solver::Options& options, T scale, T slope) {
  const double tolerance = options.relative >= 0 ? 0 : options.tolerance;
  return T(-0.5) * scale * slope < T(tolerance);
}

// When that is asked, as in MuJoCo: by Newton's method before every step but the first, by conjugate gradients before
// the first alone.
template <bool kNewton, class T>
TORSOR_INLINE MaskOf<T> may_stop_by_prediction(T iterations) {
  return kNewton ? iterations > T(0) : iterations <= T(0);
}

// The slope at which a line search ends: `slope` is the one at its start, `square` is |p|^2.
template <class T>
TORSOR_INLINE T flat_slope(const solver::Options& options, T scale, T slope, T square) {
  constexpr double kExact = 1e-8;  // of the slope at the start
  if (options.relative >= 0) return T(-kExact) * slope;
  return T(options.tolerance * options.ls_tolerance) * sqrt(square) / scale;
}

// Without a tolerance: until rounding is all that is left. The cost shows gains down to the root of its precision, and
// conjugate directions go on lowering the gradient for a while after that. In float the rounding of the cost (here
// scaled) looks like gains often enough to go on for ever.
template <class T>
TORSOR_INLINE MaskOf<T> gains_nothing(T improvement, T cost, T gradient, T gradient_before) {
  constexpr bool kIsFloat = sizeof(ScalarOf<T>) == 4;
  const T rounding = kIsFloat ? T(2 * std::numeric_limits<ScalarOf<T>>::epsilon()) * abs(cost) : T(0);
  return !((improvement > rounding) | (gradient < T(0.5) * gradient_before));
}
template <bool kNewton>
inline constexpr int kMostStalls = kNewton ? 0 : 20;  // iterations in a row that gain nothing

// `slope_gain` is what a straight slope from the one at the start of the line to zero at its end gains (scaled). In
// float it counts too: the difference of two costs is lost in their rounding long before the solution is as good as it
// can be.
template <class T>
TORSOR_INLINE MaskOf<T> gains_little(const solver::Options& options, T improvement, T slope_gain) {
  constexpr bool kIsFloat = sizeof(ScalarOf<T>) == 4;
  const bool is_asked = options.relative < 0 && options.tolerance > 0;
  const T gain = kIsFloat ? max(improvement, slope_gain) : improvement;
  return MaskOf<T>(is_asked) & (gain < T(options.tolerance));
}

// In float, whether the next step of Newton's method would gain little, judged by the part of the gradient that this
// one has left. One factor of the Hessian less: the rounding of a gradient in float is seldom as small as the
// tolerance. `kDoubt` allows for a remainder that points where the Hessian is softer.
template <bool kNewton, class T>
TORSOR_INLINE MaskOf<T> leaves_little(const solver::Options& options, T slope_gain, T gradient, T gradient_before) {
  constexpr bool kIsFloat = sizeof(ScalarOf<T>) == 4;
  constexpr double kDoubt = 1e3;
  if constexpr (!kNewton || !kIsFloat) return MaskOf<T>(false);
  if (options.relative >= 0) return MaskOf<T>(false);
  const T left = gradient / gradient_before;
  return T(kDoubt) * slope_gain * left * left < T(options.tolerance);
}

// A friction row hides a NaN from the gradient, but not from the cost.
template <class T>
TORSOR_INLINE MaskOf<T> is_finite_result(T gradient, T cost) {
  const T infinity(std::numeric_limits<ScalarOf<T>>::infinity());
  return (gradient < infinity) & (abs(cost) < infinity);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
