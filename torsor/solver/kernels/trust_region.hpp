// The smallest quadratic programs of friction: minimise 1/2 x' A x + b' x over the ellipsoid sum (x_j / s_j)^2 <= r^2,
// for at most 5 numbers. In y = x / s it is a ball, and the minimum is y = -(A + l)^-1 b with l = 0, or with the l > 0
// that makes |y| = r. The zero of 1/r - 1/|y|, which is nearly straight in l, is found by Newton's method [Moré and
// Sorensen 1983].
#pragma once

#include "torsor/math/dense.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

inline constexpr int kMaxTangents = 5;

// L L' = A + shift, rows of kMaxTangents
TORSOR_INLINE void factor_shifted(int n, const double* A, double shift, double* L) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = A[kMaxTangents * i + j] + (i == j ? shift : 0);
      for (int k = 0; k < j; ++k) sum -= L[kMaxTangents * i + k] * L[kMaxTangents * j + k];
      if (i == j) {
        L[kMaxTangents * i + i] = sqrt(max(sum, 1e-300));
      } else {
        L[kMaxTangents * i + j] = sum / L[kMaxTangents * j + j];
      }
    }
  }
}
TORSOR_INLINE void solve_lower(int n, const double* L, double* x) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= L[kMaxTangents * i + k] * x[k];
    x[i] /= L[kMaxTangents * i + i];
  }
}
TORSOR_INLINE void solve_upper(int n, const double* L, double* x) {
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[i] -= L[kMaxTangents * k + i] * x[k];
    x[i] /= L[kMaxTangents * i + i];
  }
}
TORSOR_INLINE double square(int n, const double* x) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return sum;
}

// over the ball |y| <= r; A in rows of kMaxTangents
TORSOR_LOCAL void minimise_in_ball(int n, const double* A, const double* b, double r, double* y) {
  constexpr int kMaxIterations = 40;
  constexpr double kEnough = 1e-14;
  double L[kMaxTangents * kMaxTangents], largest = 0;
  for (int i = 0; i < n; ++i) largest = max(largest, A[kMaxTangents * i + i]);
  const double least = 1e-15 * largest;  // a flat A has no minimum without a boundary
  double shift = least;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    factor_shifted(n, A, shift, L);
    for (int i = 0; i < n; ++i) y[i] = -b[i];
    solve_lower(n, L, y);
    solve_upper(n, L, y);
    const double length = sqrt(square(n, y));
    if (length <= r && iteration == 0) return;
    if (!(abs(length - r) > kEnough * r)) break;
    double z[kMaxTangents];
    for (int i = 0; i < n; ++i) z[i] = y[i];
    solve_lower(n, L, z);
    shift = max(shift + length * length / square(n, z) * (length - r) / r, least);
  }
  const double length = sqrt(square(n, y)), scale = length > 0 ? r / length : 0;
  for (int i = 0; i < n; ++i) y[i] *= scale;
}

// over the ellipsoid; A in rows of ld
TORSOR_LOCAL void minimise_in_ellipsoid(int n, const double* A, int ld, const double* b, const double* s, double r,
                                        double* x) {
  double scaled[kMaxTangents * kMaxTangents], c[kMaxTangents];
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
