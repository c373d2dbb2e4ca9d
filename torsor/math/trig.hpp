// sincos and atan2 without branches, for numbers and packs alike.
#pragma once

#include "torsor/math/trig_polynomials.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// Up to here the product of a quadrant number and a piece of pi/2 is exact.
template <class T>
inline constexpr ScalarOf<T> kSincosLimit = ScalarOf<T>(sizeof(ScalarOf<T>) == 8 ? 1e5 : 8192.0);

// sine and cosine by the C library, one lane after the other; for huge angles, infinities and NaN
template <class T>
TORSOR_LOCAL void sincos_by_library(const T& x, MaskOf<T> where, T& s, T& c) {
  T picked = select(where, x, T(0));
  for (int i = 0; i < kLanes<T>; ++i) {
    const double angle = double(lane(picked, i));
    if (angle == 0) continue;
    set_lane(s, i, ScalarOf<T>(__builtin_sin(angle)));
    set_lane(c, i, ScalarOf<T>(__builtin_cos(angle)));
  }
}

// Reduce to [-pi/4, pi/4] by subtracting k pi/2 in three pieces, two polynomials, then sort by quadrant.
template <class T>
TORSOR_INLINE void sincos(T x, T& s, T& c) {
  const T k = round_small(x * T(0.63661977236758134));  // 2 / pi
  T lost;
  const T r = minus_quadrants(x, k, lost), z = r * r;
  const T sin_r = r + fma(r * z, sin_polynomial(z), lost);
  const T cos_r = fma(z, T(-0.5), T(1)) + fma(z * z, cos_polynomial(z), -r * lost);

  // q = k modulo 4, as one of -2 -1 0 1 2
  const T q = k - T(4) * round_small(k * T(0.25));
  const MaskOf<T> odd = abs(q) == T(1), half_turn = abs(q) == T(2);
  const T sin_q = select(odd, cos_r, sin_r), cos_q = select(odd, sin_r, cos_r);
  s = select(half_turn | (q == T(-1)), -sin_q, sin_q);
  c = select(half_turn | (q == T(1)), -cos_q, cos_q);

  const MaskOf<T> beyond = !(abs(x) < T(kSincosLimit<T>));
  if (any(beyond)) [[unlikely]]
    sincos_by_library(x, beyond, s, c);
}

// Fold into the first octant, take the arc tangent of a ratio below tan(1/2), unfold by adding multiples of pi/4.
// Signed zeros and infinities as in the C library.
template <class T>
TORSOR_INLINE T atan2(T y, std::type_identity_t<T> x) {
  using S = ScalarOf<T>;
  const T infinity = T(S(__builtin_inf()));
  T ax = abs(x), ay = abs(y);
  const MaskOf<T> infinite = (ax == infinity) | (ay == infinity);
  ax = select(infinite, select(ax == infinity, T(1), ax * T(0)), ax);
  ay = select(infinite, select(ay == infinity, T(1), ay * T(0)), ay);

  const MaskOf<T> flat = ay <= ax;                               // angle to the nearer axis
  const T scale = select(ax + ay > T(1), T(0x1p-2), T(0x1p64));  // away from overflow, and from too few digits
  const T small = select(flat, ay, ax) * scale, large = select(flat, ax, ay) * scale;
  const MaskOf<T> near_diagonal = small > large * T(0.5463024898437905);  // then their difference is exact
  const T numerator = select(near_diagonal, small - large, small);
  const T denominator = select(near_diagonal, small + large, large);
  const T t = numerator / select(denominator == T(0), T(1), denominator);
  const T z = t * t;
  T angle = fma(t * z, atan_polynomial(z), t);

  // angle + eighths pi/4 so far; each mirror turns both around
  T eighths = select(near_diagonal, T(1), T(0));
  angle = select(flat, angle, -angle);
  eighths = select(flat, eighths, T(2) - eighths);
  const MaskOf<T> backward = copysign(T(1), x) < T(0);
  angle = select(backward, -angle, angle);
  eighths = select(backward, T(4) - eighths, eighths);
  return copysign(plus_eighths(angle, eighths), y);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
