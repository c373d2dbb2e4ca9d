// The polynomials behind sincos and atan2: minimax fits of the relative error by Remez exchange, each good to a
// fraction of a rounding error of its number type on the interval that trig.hpp reduces to.
#pragma once

#include "torsor/math/scalar.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// c0 + c1 z + c2 z^2 + ...
template <class T>
TORSOR_INLINE T horner(T, ScalarOf<T> c0) {
  return T(c0);
}
template <class T, class... More>
TORSOR_INLINE T horner(T z, ScalarOf<T> c0, More... more) {
  return fma(horner(z, ScalarOf<T>(more)...), z, T(c0));
}

template <class T>
inline constexpr bool kIsDouble = sizeof(ScalarOf<T>) == 8;

// (sin r - r) / r^3 with z = r^2, for |r| <= pi/4; relative error of the sine 1e-17 (float 8e-9)
template <class T>
TORSOR_INLINE T sin_polynomial(T z) {
  if constexpr (kIsDouble<T>) {
    return horner(z, -0.1666666666666663, 0.0083333333333221078, -0.00019841269829580234, 2.7557313618034487e-06,
                  -2.5050747220107847e-08, 1.5896197712199157e-10);
  } else {
    return horner(z, -0.166666552f, 0.0083321603f, -0.000195152184f);
  }
}

// (cos r - 1 + r^2 / 2) / r^4, likewise; error 1e-18 (2e-10)
template <class T>
TORSOR_INLINE T cos_polynomial(T z) {
  if constexpr (kIsDouble<T>) {
    return horner(z, 0.041666666666666595, -0.0013888888888873041, 2.4801587288841451e-05, -2.755731417625541e-07,
                  2.0875700418199208e-09, -1.1358514060814301e-11);
  } else {
    return horner(z, 0.0416666456f, -0.00138873153f, 2.44330822e-05f);
  }
}

// (atan t - t) / t^3 with z = t^2, for |t| <= tan(1/2); error 1e-17 (2e-9)
template <class T>
TORSOR_INLINE T atan_polynomial(T z) {
  if constexpr (kIsDouble<T>) {
    return horner(z, -0.33333333333333171, 0.19999999999957005, -0.14285714281674158, 0.11111110919449362,
                  -0.090909037109093926, 0.076922102315657714, -0.066654667965169737, 0.058719984765260705,
                  -0.051994729149828001, 0.044811999730537552, -0.034645466412611861, 0.020364963833493909,
                  -0.0064293024220111513);
  } else {
    return horner(z, -0.333333164f, 0.199989095f, -0.142611638f, 0.108522572f, -0.0765921324f, 0.0343248658f);
  }
}

// x - k pi/2 for integers k, and what is lost in rounding it. pi/2 comes in pieces so short (33 bits, float 11) that
// all products but the last are exact.
template <class T>
TORSOR_INLINE T minus_quadrants(T x, T k, T& lost) {
  if constexpr (kIsDouble<T>) {
    const T a = x - k * T(1.5707963267341256), r = a - k * T(6.077100506303966e-11);
    lost = (a - r) - k * T(6.077100506303966e-11) - k * T(2.0222662487959506e-21);
    return r;
  } else {
    const T a = x - k * T(1.5703125f) - k * T(0.000483751297f), r = a - k * T(7.54953362e-08f);
    lost = (a - r) - k * T(7.54953362e-08f) - k * T(2.56334407e-12f);
    return r;
  }
}

// angle + k pi/4 for integers 0 <= k <= 4: the first piece of pi/4 ends two bits early, so that its product is exact
template <class T>
TORSOR_INLINE T plus_eighths(T angle, T k) {
  if constexpr (kIsDouble<T>) {
    return k * T(0.78539816339744828) + (k * T(3.061616997868383e-17) + angle);
  } else {
    return k * T(0.785398006f) + (k * T(1.56958237e-07f) + angle);
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
