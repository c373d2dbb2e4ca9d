// Small dense linear algebra on plain arrays: rows contiguous, ld numbers from one row to the next. SIMD within one
// world lives here: for double and float the loops run on whole registers. Nothing here allocates.
#pragma once

#include "torsor/math/pack.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// T is one number, or as many as the pack T has lanes.
template <class T>
TORSOR_INLINE T load_as(const ScalarOf<T>* p) {
  if constexpr (Real<T>) {
    return *p;
  } else {
    return T::load(p);
  }
}
template <Real S>
TORSOR_INLINE void store_to(S* p, S x) {
  *p = x;
}
template <class S, int N>
TORSOR_INLINE void store_to(S* p, const Pack<S, N>& x) {
  x.store(p);
}

// Calls f.template operator()<P>(i) for the indices i to n of an array of S, where P takes kWidth elements at once, then
// half as many, and so on down to one.
template <class S, int kWidth, class F>
TORSOR_INLINE void in_chunks(int i, int n, F f) {
  using P = std::conditional_t<kWidth == 1, S, Pack<S, kWidth>>;
  for (; i + kWidth <= n; i += kWidth) f.template operator()<P>(i);
  if constexpr (kWidth > 1) in_chunks<S, kWidth / 2>(i, n, f);
}
// x *= s
template <class T>
TORSOR_INLINE void scale(int n, std::type_identity_t<T> s, T* x) {
  for (int i = 0; i < n; ++i) x[i] = x[i] * s;
}

// y = A x
template <class T>
TORSOR_LOCAL void matvec(int rows, int cols, const T* A, int ld, const T* x, T* y) {
  for (int r = 0; r < rows; ++r) y[r] = dot(cols, A + r * ld, x);
}

// y = A' x
template <class T>
TORSOR_LOCAL void matvec_transposed(int rows, int cols, const T* A, int ld, const T* x, T* y) {
  for (int c = 0; c < cols; ++c) y[c] = T(0);
  for (int r = 0; r < rows; ++r) axpy(cols, x[r], A + r * ld, y);
}

// A = L' L in place, from the last row to the first: only the lower triangle is read and written, along its rows, and
// with parents numbered before children the zeros between branches of a tree stay zero. A pivot below min_pivot is
// replaced by it. Returns how many pivots were good (in every lane): n if A is positive definite.
template <class T>
TORSOR_LOCAL int cholesky(int n, T* A, int ld, ScalarOf<T> min_pivot = ScalarOf<T>(1e-15)) {
  int rank = n;
  for (int k = n - 1; k >= 0; --k) {
    T* row = A + k * ld;
    const MaskOf<T> good = row[k] >= T(min_pivot);
    if (!all(good)) --rank;
    row[k] = sqrt(select(good, row[k], T(min_pivot)));
    scale(k, T(1) / row[k], row);
    for (int i = 0; i < k; ++i) axpy(i + 1, -row[i], row, A + i * ld);
  }
  return rank;
}

// x = A^-1 x from the factor that cholesky() left in L
template <class T>
TORSOR_LOCAL void cholesky_solve(int n, const T* L, int ld, T* x) {
  for (int k = n - 1; k >= 0; --k) {
    x[k] = x[k] / L[k * ld + k];
    axpy(k, -x[k], L + k * ld, x);
  }
  for (int k = 0; k < n; ++k) x[k] = (x[k] - dot(k, L + k * ld, x)) / L[k * ld + k];
}

// P A = L U in place with partial pivoting, L with ones on its diagonal; row k was swapped with row pivots[k] >= k.
// Returns false if A is singular: a pivot is zero or not a number.
template <Real S>
TORSOR_LOCAL bool lu_factor(int n, S* A, int ld, int* pivots) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int r = k + 1; r < n; ++r) {
      if (abs(A[r * ld + k]) > abs(A[pivot * ld + k])) pivot = r;
    }
    pivots[k] = pivot;
    S *row = A + k * ld, *other = A + pivot * ld;
    for (int c = 0; c < n && pivot != k; ++c) {
      const S kept = row[c];
      row[c] = other[c];
      other[c] = kept;
    }
    if (!(abs(row[k]) > S(0))) return false;
    for (int r = k + 1; r < n; ++r) {
      S* below = A + r * ld;
      below[k] /= row[k];
      axpy(n - k - 1, -below[k], row + k + 1, below + k + 1);
    }
  }
  return true;
}

// x = A^-1 x from what lu_factor() left
template <Real S>
TORSOR_LOCAL void lu_solve(int n, const S* LU, int ld, const int* pivots, S* x) {
  for (int k = 0; k < n; ++k) {
    const S kept = x[pivots[k]];
    x[pivots[k]] = x[k];
    x[k] = kept;
  }
  for (int k = 1; k < n; ++k) x[k] -= dot(k, LU + k * ld, x);
  for (int k = n - 1; k >= 0; --k) {
    x[k] = (x[k] - dot(n - k - 1, LU + k * ld + k + 1, x + k + 1)) / LU[k * ld + k];
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
