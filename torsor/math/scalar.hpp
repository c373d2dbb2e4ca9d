// Elementary functions of one number, for double and float; pack.hpp has the same functions for many lanes.
#pragma once

#include <type_traits>

#include "torsor/math/config.hpp"

#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
#include <immintrin.h>
#endif

namespace torsor {
inline namespace TORSOR_ISA {

template <class T>
struct ScalarTraits {
  using Scalar = T;
  using Mask = bool;
  static constexpr int kLanes = 1;
};

template <class T>
using ScalarOf = typename ScalarTraits<T>::Scalar;
template <class T>
using MaskOf = typename ScalarTraits<T>::Mask;
template <class T>
inline constexpr int kLanes = ScalarTraits<T>::kLanes;

// double or float, the numbers of one world
template <class T>
concept Real = std::is_same_v<T, double> || std::is_same_v<T, float>;

template <Real S>
TORSOR_INLINE S select(bool mask, S a, std::type_identity_t<S> b) {
  return mask ? a : b;
}
TORSOR_INLINE bool any(bool mask) { return mask; }
TORSOR_INLINE bool all(bool mask) { return mask; }

// The machine instruction where there is one: the library function also has to maintain errno.
TORSOR_INLINE double sqrt(double x) {
#if defined(__CUDA_ARCH__)
  return ::sqrt(x);
#elif defined(__SSE2__)
  return _mm_cvtsd_f64(_mm_sqrt_pd(_mm_set1_pd(x)));
#else
  return __builtin_sqrt(x);
#endif
}
TORSOR_INLINE float sqrt(float x) {
#if defined(__CUDA_ARCH__)
  return ::sqrtf(x);
#elif defined(__SSE2__)
  return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x)));
#else
  return __builtin_sqrtf(x);
#endif
}

#if defined(__CUDA_ARCH__)
TORSOR_INLINE double abs(double x) { return ::fabs(x); }
TORSOR_INLINE float abs(float x) { return ::fabsf(x); }
TORSOR_INLINE double copysign(double magnitude, double sign) { return ::copysign(magnitude, sign); }
TORSOR_INLINE float copysign(float magnitude, float sign) { return ::copysignf(magnitude, sign); }
#else
TORSOR_INLINE double abs(double x) { return __builtin_fabs(x); }
TORSOR_INLINE float abs(float x) { return __builtin_fabsf(x); }
TORSOR_INLINE double copysign(double magnitude, double sign) { return __builtin_copysign(magnitude, sign); }
TORSOR_INLINE float copysign(float magnitude, float sign) { return __builtin_copysignf(magnitude, sign); }
#endif

// Both return b when either is NaN, as the machine instructions do.
template <Real S>
TORSOR_INLINE S min(S a, std::type_identity_t<S> b) {
  return a < b ? a : b;
}
template <Real S>
TORSOR_INLINE S max(S a, std::type_identity_t<S> b) {
  return a > b ? a : b;
}

// a * b + c, rounded once where the machine has the instruction, twice elsewhere; never a slow emulation.
template <Real S>
TORSOR_INLINE S fma(S a, std::type_identity_t<S> b, std::type_identity_t<S> c) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(S) == 8) {
    return ::fma(a, b, c);
  } else {
    return ::fmaf(a, b, c);
  }
#elif defined(__FMA__)
  if constexpr (sizeof(S) == 8) {
    return __builtin_fma(a, b, c);
  } else {
    return __builtin_fmaf(a, b, c);
  }
#else
  return a * b + c;
#endif
}

template <Real S>
TORSOR_INLINE S lane(S x, int) {
  return x;
}
template <Real S>
TORSOR_INLINE void set_lane(S& x, int, std::type_identity_t<S> value) {
  x = value;
}

// The rest is written once for numbers and packs.

// The smallest number with no fraction bits: adding and subtracting it rounds smaller numbers to integers.
template <class T>
inline constexpr ScalarOf<T> kNoFraction = ScalarOf<T>(sizeof(ScalarOf<T>) == 8 ? 4503599627370496.0 : 8388608.0);

// nearest integer, ties to even, for |x| below half of kNoFraction
template <class T>
TORSOR_INLINE T round_small(T x) {
  const T rounder = T(kNoFraction<T> * ScalarOf<T>(1.5));
  return (x + rounder) - rounder;
}

// nearest integer, ties to even
template <class T>
TORSOR_INLINE T round_nearest(T x) {
  const T rounder = copysign(T(kNoFraction<T>), x);
  return select(abs(x) < T(kNoFraction<T>), (x + rounder) - rounder, x);
}

template <class T>
TORSOR_INLINE T floor(T x) {
  const T rounded = round_nearest(x);
  return rounded - select(rounded > x, T(1), T(0));
}

// where x is NaN, infinite or larger than limit
template <class T>
TORSOR_INLINE MaskOf<T> is_bad(T x, std::type_identity_t<T> limit) {
  return !(abs(x) <= limit);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
