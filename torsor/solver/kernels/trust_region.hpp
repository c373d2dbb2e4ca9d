// The smallest quadratic programs of friction: minimise 1/2 x' A x + b' x over the ellipsoid sum (x_j / s_j)^2 <= r^2,
// for at most 5 numbers. In y = x / s it is a ball, and the minimum is y = -(A + l)^-1 b with l = 0, or with the l > 0
// that makes |y| = r.
#pragma once

#include "torsor/math/scalar.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

inline constexpr int kMaxTangents = 5;

// L L' = A + shift, rows of kMaxTangents
TORSOR_INLINE void factor_shifted(int n, const double* A, double shift, double* L) {
  constexpr double least = 1e-300;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = i == j ? A[kMaxTangents * i + j] + shift : A[kMaxTangents * i + j];
      for (int k = 0; k < j; ++k) sum -= L[kMaxTangents * i + k] * L[kMaxTangents * j + k];
      if (i == j) {
        L[kMaxTangents * i + i] = sqrt(max(sum, least));
      } else {
        L[kMaxTangents * i + j] = sum / L[kMaxTangents * j + j];
      }
    }
  }
}
TORSOR_INLINE void solve_lower(int n, const double* L, double* x) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= L[kMaxTangents * i + k] * x[k];
    x[i] = x[i] / L[kMaxTangents * i + i];
  }
}
TORSOR_INLINE void solve_upper(int n, const double* L, double* x) {
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[i] -= L[kMaxTangents * k + i] * x[k];
    x[i] = x[i] / L[kMaxTangents * i + i];
  }
}
TORSOR_INLINE double square(int n, const double* x) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return sum;
}

// Over the ball |y| <= r; A in rows of kMaxTangents. The search ends as MuJoCo's does (docs/decisions/0072): plain
// Newton steps for the zero of |y|^2 - r^2 until that is below 1e-10, then y is scaled to the boundary. For a small r
// 1e-10 is much: then a millionth of r^2 has to do. Far from the boundary those steps are slow: after 20 they go to the
// zero of 1/r - 1/|y|, which is nearly straight in l [Moré and Sorensen 1983].
TORSOR_LOCAL void minimise_in_ball(int n, const double* A, const double* b, double r, double* y) {
  constexpr int kPlainSteps = 20, kMaxSteps = 60;
  double L[kMaxTangents * kMaxTangents], half[kMaxTangents], largest = 0;
  for (int i = 0; i < n; ++i) largest = max(largest, A[kMaxTangents * i + i]);
  const double enough = min(1e-10, 1e-6 * r * r),
               least = 1e-15 * largest;  // a flat A has no minimum without a boundary
  double shift = least;
  for (int step = 0; step < kMaxSteps; ++step) {
    factor_shifted(n, A, shift, L);
    for (int i = 0; i < n; ++i) y[i] = -b[i];
    solve_lower(n, L, y);
    solve_upper(n, L, y);
    const double length2 = square(n, y), excess = length2 - r * r;
    if (!(excess >= enough)) break;
    for (int i = 0; i < n; ++i) half[i] = y[i];
    solve_lower(n, L, half);
    const double length = sqrt(length2);
    const double more =
        step < kPlainSteps ? 0.5 * excess / square(n, half) : length2 / square(n, half) * (length - r) / r;
    if (!(more >= 1e-10) && excess < 1e-6 * r * r) break;  // a flat A has small steps far from the boundary
    shift += more;
  }
  const double length = sqrt(square(n, y));
  if (!(shift > least || length > r)) return;
  for (int i = 0; i < n; ++i) y[i] *= length > 0 ? r / length : 0;
}

// over the ellipsoid; A in rows of ld
TORSOR_INLINE void minimise_in_ellipsoid(int n, const double* A, int ld, const double* b, const double* s, double r,
                                         double* x) {
  double scaled[kMaxTangents * kMaxTangents] = {}, c[kMaxTangents] = {};
  if (!(r > 0)) {
    for (int i = 0; i < n; ++i) x[i] = 0;
    return;
  }
  for (int i = 0; i < n; ++i) {
    c[i] = s[i] * b[i];
    for (int j = 0; j < n; ++j) scaled[kMaxTangents * i + j] = s[i] * A[ld * i + j] * s[j];
  }
  minimise_in_ball(n, scaled, c, r, x);
  for (int i = 0; i < n; ++i) x[i] *= s[i];
}

}  // namespace TORSOR_ISA
}  // namespace torsor
