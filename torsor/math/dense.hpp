// Small dense linear algebra on plain arrays: rows contiguous, ld numbers from one row to the next. SIMD within one
// world lives here: for double and float the loops run on whole registers. Nothing here allocates.
#pragma once

#include "torsor/math/pack.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// how many elements of an array of T are processed together: a register of numbers, or one pack
template <class T>
inline constexpr int kChunk = 1;
template <Real T>
inline constexpr int kChunk<T> = kNativeLanes<T>;

// one element of an array of E, or the several that a pack P takes
template <class P, class E>
TORSOR_INLINE P load_as(const E* p) {
  if constexpr (std::is_same_v<P, E>) {
    return *p;
  } else {
    return P::load(p);
  }
}
template <class P, class E>
TORSOR_INLINE void store_as(E* p, const P& x) {
  if constexpr (std::is_same_v<P, E>) {
    *p = x;
  } else {
    x.store(p);
  }
}

// f.template operator()<P>(i) for the elements i to n of an array of E: N at once, then half as many, down to one
template <class E, int N, class F>
TORSOR_INLINE void for_chunks(int i, int n, const F& f) {
  using P = std::conditional_t<N == 1, E, Pack<ScalarOf<E>, N>>;
  for (; i + N <= n; i += N) f.template operator()<P>(i);
  if constexpr (N > 1) for_chunks<E, N / 2>(i, n, f);
}

// sum of a[i] b[i]. The last few one by one: in a triangular solve they were just stored one by one, and a wide load
// would have to wait for them.
template <class T>
TORSOR_INLINE T dot(int n, const T* a, const T* b) {
  T sum = T(0);
  int i = 0;
  if constexpr (Real<T>) {
    using P = NativePack<T>;
    P even = P(0), odd = P(0);  // two chains hide the latency of adding
    for (; i + 2 * kChunk<T> <= n; i += 2 * kChunk<T>) {
      even = fma(P::load(a + i), P::load(b + i), even);
      odd = fma(P::load(a + i + kChunk<T>), P::load(b + i + kChunk<T>), odd);
    }
    if (i + kChunk<T> <= n) {
      even = fma(P::load(a + i), P::load(b + i), even);
      i += kChunk<T>;
    }
    sum = horizontal_sum(even + odd);
  }
  for (; i < n; ++i) sum = fma(a[i], b[i], sum);
  return sum;
}

// y += s x
template <class T>
TORSOR_INLINE void axpy(int n, std::type_identity_t<T> s, const T* x, std::type_identity_t<T>* y) {
  for_chunks<T, kChunk<T>>(
      0, n, [&]<class P>(int i) __attribute__((always_inline)) {
        store_as<P>(y + i, fma(P(s), load_as<P>(x + i), load_as<P>(y + i)));
      });
}

// y -= s[0] x + s[ld] (x + ld) + ...: four rows of x in one pass over y
template <class T>
TORSOR_INLINE void subtract_four_rows(int n, const T* s, const T* x, int ld, T* y) {
  const T a = -s[0], b = -s[ld], c = -s[2 * ld], d = -s[3 * ld];
  for_chunks<T, kChunk<T>>(
      0, n, [&]<class P>(int i) __attribute__((always_inline)) {
        P sum = fma(P(a), load_as<P>(x + i), load_as<P>(y + i));
        sum = fma(P(b), load_as<P>(x + ld + i), sum);
        sum = fma(P(c), load_as<P>(x + 2 * ld + i), sum);
        store_as<P>(y + i, fma(P(d), load_as<P>(x + 3 * ld + i), sum));
      });
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
  constexpr int kBlock = 4;
  int rank = n;
  for (int end = n; end > 0; end -= kBlock) {
    const int begin = end > kBlock ? end - kBlock : 0;
    for (int k = end - 1; k >= begin; --k) {  // rows of the block, each freed from those below it in the block
      T* row = A + k * ld;
      const MaskOf<T> good = row[k] >= T(min_pivot);
      if (!all(good)) --rank;
      row[k] = sqrt(select(good, row[k], T(min_pivot)));
      scale(k, T(1) / row[k], row);
      for (int i = begin; i < k; ++i) axpy(i + 1, -row[i], row, A + i * ld);
    }
    const T* block = A + begin * ld;
    for (int i = 0; i < begin; ++i) subtract_four_rows(i + 1, block + i, block, ld, A + i * ld);
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
