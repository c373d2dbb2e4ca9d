// Formulas of rows and cones that one world (T = double, or a pack of its rows) and worlds in lanes share.
#pragma once

#include "torsor/math/scalar.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

inline constexpr int kMaxConeDim = 6;

// A row at x: what is held of the pull D x, and whether the cost is curved there.
template <class T>
struct HeldPull {
  T held;
  MaskOf<T> curved;
};
template <class T>
TORSOR_INLINE HeldPull<T> hold(T D, T x, T lower, T upper) {
  const T pull = D * x;
  return {min(max(pull, lower), upper), MaskOf<T>((pull > lower) & (pull < upper))};
}

// First and second derivative of a cost along a line.
template <class T>
struct SlopeOf {
  T first, second;
};
using Slope = SlopeOf<double>;

// Derivatives of a cone's cost along a line, at N with the derivative N1, and T^2 = square with half of its derivative
// and of its second derivative T11; in the quadratic zone they are given.
template <class T>
TORSOR_INLINE SlopeOf<T> slope_of_cone(T mu, T k, T N, T N1, T square, T half_derivative, T T11,
                                       const SlopeOf<T>& quadratic) {
  const T zero(0), tiny(sizeof(ScalarOf<T>) == 8 ? 1e-150 : 1e-18);
  const T length = sqrt(max(square, zero)), inverse = T(1) / max(length, tiny);
  const T T1 = half_derivative * inverse, T2 = (T11 - T1 * T1) * inverse;
  const T gap = N - mu * length, gap1 = N1 - mu * T1;
  const auto outside = gap >= zero, bottom = fma(mu, N, length) <= zero;
  const T first = select(bottom, quadratic.first, k * gap * gap1);
  const T second = select(bottom, quadratic.second, k * (gap1 * gap1 - gap * mu * T2));
  return {select(outside, zero, first), select(outside, zero, second)};
}

}  // namespace TORSOR_ISA
}  // namespace torsor
