// Products with short contiguous rows (a few to a few dozen numbers), where loop overhead would outweigh arithmetic.
// For double and pairs of doubles they run on registers of 32 bytes with an exact tail; for packs of worlds they are
// plain loops. Wider registers with masked tails are slower here: a masked store cannot be forwarded to the next load.
#pragma once

#include "torsor/math/pointer.hpp"
#ifndef __CUDACC__
#include "torsor/math/pack.hpp"
#endif

namespace torsor {
inline namespace TORSOR_ISA {

// y -= s x. Rows may touch but not overlap: nothing beyond the n numbers is read or written.
template <class T>
TORSOR_INLINE void subtract_scaled(int n, const T& s, const T* x, T* y) {
  for (int i = 0; i < n; ++i) y[i] -= s * x[i];
}

// y -= s1 x1 + s2 x2
template <class T>
TORSOR_INLINE void subtract_scaled2(int n, const T& s1, const T* x1, const T& s2, const T* x2, T* y) {
  for (int i = 0; i < n; ++i) y[i] = y[i] - s1 * x1[i] - s2 * x2[i];
}

// sum of x[i] y[i]
template <class T>
TORSOR_INLINE T short_dot(int n, const T* x, const T* y) {
  T sum = T(0);
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

#if defined(__AVX2__) && defined(__FMA__)

template <>
TORSOR_INLINE void subtract_scaled<double>(int n, const double& s, const double* x, double* y) {
  const __m256d wide = _mm256_set1_pd(s);
  for (; n >= 4; n -= 4, x += 4, y += 4)
    _mm256_storeu_pd(y, _mm256_fnmadd_pd(wide, _mm256_loadu_pd(x), _mm256_loadu_pd(y)));
  if (n & 2) {
    _mm_storeu_pd(y, _mm_fnmadd_pd(_mm256_castpd256_pd128(wide), _mm_loadu_pd(x), _mm_loadu_pd(y)));
    x += 2;
    y += 2;
  }
  if (n & 1) *y -= s * *x;
}

// Two numbers at a time, each in two variants.
template <>
TORSOR_INLINE void subtract_scaled<Pack<double, 2>>(int n, const Pack<double, 2>& s, const Pack<double, 2>* x,
                                                    Pack<double, 2>* y) {
  const __m256d wide = _mm256_set_m128d((__m128d)s.v, (__m128d)s.v);
  const double* from = reinterpret_cast<const double*>(x);
  double* to = reinterpret_cast<double*>(y);
  int i = 0;
  for (; i + 4 <= 2 * n; i += 4)
    _mm256_storeu_pd(to + i, _mm256_fnmadd_pd(wide, _mm256_loadu_pd(from + i), _mm256_loadu_pd(to + i)));
  if (n & 1) _mm_storeu_pd(to + i, _mm_fnmadd_pd((__m128d)s.v, _mm_loadu_pd(from + i), _mm_loadu_pd(to + i)));
}

template <>
TORSOR_INLINE void subtract_scaled2<double>(int n, const double& s1, const double* x1, const double& s2,
                                            const double* x2, double* y) {
  const __m256d wide1 = _mm256_set1_pd(s1), wide2 = _mm256_set1_pd(s2);
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const __m256d once = _mm256_fnmadd_pd(wide1, _mm256_loadu_pd(x1 + i), _mm256_loadu_pd(y + i));
    _mm256_storeu_pd(y + i, _mm256_fnmadd_pd(wide2, _mm256_loadu_pd(x2 + i), once));
  }
  if (n & 2) {
    const __m128d half1 = _mm256_castpd256_pd128(wide1), half2 = _mm256_castpd256_pd128(wide2);
    const __m128d once = _mm_fnmadd_pd(half1, _mm_loadu_pd(x1 + i), _mm_loadu_pd(y + i));
    _mm_storeu_pd(y + i, _mm_fnmadd_pd(half2, _mm_loadu_pd(x2 + i), once));
    i += 2;
  }
  if (n & 1) y[i] = y[i] - s1 * x1[i] - s2 * x2[i];
}

template <>
TORSOR_INLINE void subtract_scaled2<Pack<double, 2>>(int n, const Pack<double, 2>& s1, const Pack<double, 2>* x1,
                                                     const Pack<double, 2>& s2, const Pack<double, 2>* x2,
                                                     Pack<double, 2>* y) {
  const __m256d wide1 = _mm256_set_m128d((__m128d)s1.v, (__m128d)s1.v),
                wide2 = _mm256_set_m128d((__m128d)s2.v, (__m128d)s2.v);
  const double *from1 = reinterpret_cast<const double*>(x1), *from2 = reinterpret_cast<const double*>(x2);
  double* to = reinterpret_cast<double*>(y);
  int i = 0;
  for (; i + 4 <= 2 * n; i += 4) {
    const __m256d once = _mm256_fnmadd_pd(wide1, _mm256_loadu_pd(from1 + i), _mm256_loadu_pd(to + i));
    _mm256_storeu_pd(to + i, _mm256_fnmadd_pd(wide2, _mm256_loadu_pd(from2 + i), once));
  }
  if (n & 1) {
    const __m128d once = _mm_fnmadd_pd((__m128d)s1.v, _mm_loadu_pd(from1 + i), _mm_loadu_pd(to + i));
    _mm_storeu_pd(to + i, _mm_fnmadd_pd((__m128d)s2.v, _mm_loadu_pd(from2 + i), once));
  }
}

template <>
TORSOR_INLINE double short_dot<double>(int n, const double* x, const double* y) {
  __m256d sum = _mm256_setzero_pd();
  for (; n >= 4; n -= 4, x += 4, y += 4) sum = _mm256_fmadd_pd(_mm256_loadu_pd(x), _mm256_loadu_pd(y), sum);
  __m128d half = _mm_add_pd(_mm256_castpd256_pd128(sum), _mm256_extractf128_pd(sum, 1));
  if (n & 2) {
    half = _mm_fmadd_pd(_mm_loadu_pd(x), _mm_loadu_pd(y), half);
    x += 2;
    y += 2;
  }
  double total = _mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
  if (n & 1) total += *x * *y;
  return total;
}

#endif

}  // namespace TORSOR_ISA
}  // namespace torsor
