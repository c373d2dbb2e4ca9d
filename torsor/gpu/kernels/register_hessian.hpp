// H = M + J' K J with its rows in registers, row i in thread i % L, and its factor H = L D L'. What column k adds to a
// thread's rows it reads from shared memory, where all threads put their part of the column. The lower half is what
// counts; entries beyond it, and rows beyond the island's, are there since threads work alike, and nobody reads them.
// No branch may hold an access to an array of registers: compilers move it out of there to an address that varies.
#pragma once

#include "torsor/gpu/kernels/island_memory.hpp"

namespace torsor::gpu {

// Pivots as in solver/kernels/wide_tiles.hpp. In float a pivot can drown in the rounding of the number it comes from.
template <class S>
TORSOR_INLINE S least_pivot(S diagonal) {
  const S least(1e-15);
  return sizeof(S) == 4 ? max(S(1e-7) * diagonal, least) : least;
}

template <class S, int N, int L>
class RegisterHessian {
 public:
  static constexpr int kRows = (N + L - 1) / L;
  using Own = OwnNumbers<S, kRows, L>;

  TORSOR_INLINE RegisterHessian(const Group<L>& group, const IslandMemory<S>& memory, int n)
      : group_(group), memory_(memory), n_(n) {
    TORSOR_DEVICE_UNROLL
    for (int s = 0; s < kRows; ++s) {
      const S* M = memory_.matrix + at_most(row(s), N - 1) + 1;
      TORSOR_DEVICE_UNROLL
      for (int j = 0; j < N; ++j) {
        if (j < width(s)) h_[s][j] = M[j * kStride];
      }
    }
  }
  // adds a row of J times `scaled(i)`, that row of K J at dof i
  template <class F>
  TORSOR_INLINE void add_row(const S* J, F scaled) {
    S factor[kRows];
    TORSOR_DEVICE_UNROLL
    for (int s = 0; s < kRows; ++s) factor[s] = scaled(at_most(row(s), n_ - 1));
    TORSOR_DEVICE_UNROLL
    for (int q = 0; q < N / 4; ++q) {
      if (4 * q >= n_) break;
      const Four<S> four = load_four(J + 4 * q);
      TORSOR_DEVICE_UNROLL
      for (int e = 0; e < 4; ++e) {
        TORSOR_DEVICE_UNROLL
        for (int s = 0; s < kRows; ++s) {
          if (4 * q + e < width(s)) h_[s][4 * q + e] += factor[s] * four.of[e];
        }
      }
    }
  }
  // Adds the weights to the diagonal and solves H y' = y. Works on copies: long loops are unrolled too late for arrays
  // that are part of something larger to become registers.
  TORSOR_INLINE void solve(const Own& weights, Own& y) {
    S weight[kRows], right[kRows];
    TORSOR_DEVICE_UNROLL
    for (int s = 0; s < kRows; ++s) weight[s] = weights[s], right[s] = y[s];
    finish_diagonal(weight);
    factor(right);
    solve_back(right);
    TORSOR_DEVICE_UNROLL
    for (int s = 0; s < kRows; ++s) y[s] = right[s];
  }

 private:
  static constexpr int kStride = N + 1;
  static TORSOR_INLINE constexpr int width(int s) { return (s + 1) * L < N ? (s + 1) * L : N; }
  TORSOR_INLINE int row(int s) const { return s * L + group_.lane(); }

  // The least that a pivot may be waits in its place.
  TORSOR_INLINE void finish_diagonal(const S (&weights)[kRows]) {
    TORSOR_DEVICE_UNROLL
    for (int s = 0; s < kRows; ++s) {
      TORSOR_DEVICE_UNROLL
      for (int j = 0; j < N; ++j) {
        if (j < s * L || j >= width(s)) continue;
        const bool is_diagonal = j == row(s) && j < n_;
        const S h = h_[s][j] + (is_diagonal ? weights[s] : S(0));
        h_[s][j] = h;
        if (is_diagonal) memory_.matrix[j * kStride + j] = least_pivot(h);
      }
    }
  }
  // L and D^-1 to memory, and L y' = y on the way
  TORSOR_INLINE void factor(S (&y)[kRows]) {
    TORSOR_DEVICE_UNROLL
    for (int k = 0; k < N; ++k) {
      if (k >= n_) break;
      S* const column = memory_.column + k % 2 * (N + 4);
      put_column(k, column, y);
      group_.sync();
      const S inverse = reciprocal(column[k]), yk = column[N];
      S scaled[kRows];
      TORSOR_DEVICE_UNROLL
      for (int s = 0; s < kRows; ++s) {
        if (s < k / L) continue;
        const int i = row(s);
        scaled[s] = h_[s][k] * inverse;
        y[s] = i > k ? y[s] - scaled[s] * yk : y[s];
        if (i >= k && i < N) memory_.matrix[i * kStride + k] = i == k ? inverse : scaled[s];
      }
      TORSOR_DEVICE_UNROLL
      for (int q = 0; q < N / 4; ++q) {
        if (q < (k + 1) / 4) continue;
        const Four<S> four = load_four(column + 4 * q);
        TORSOR_DEVICE_UNROLL
        for (int e = 0; e < 4; ++e) {
          TORSOR_DEVICE_UNROLL
          for (int s = 0; s < kRows; ++s) {
            if (s >= k / L && 4 * q + e > k && 4 * q + e < width(s)) h_[s][4 * q + e] -= scaled[s] * four.of[e];
          }
        }
      }
    }
  }
  TORSOR_INLINE void put_column(int k, S* column, const S (&y)[kRows]) const {
    TORSOR_DEVICE_UNROLL
    for (int s = 0; s < kRows; ++s) {
      if (s < k / L) continue;
      const int i = row(s);
      const S h = h_[s][k];
      if (i == k) {
        column[k] = max(h, memory_.matrix[k * kStride + k]);
        column[N] = y[s];
      } else if (i > k && i < N) {
        column[i] = h;
      }
    }
  }
  // L' y' = D^-1 y
  TORSOR_INLINE void solve_back(S (&y)[kRows]) const {
    group_.sync();
    TORSOR_DEVICE_UNROLL
    for (int s = 0; s < kRows; ++s) y[s] *= memory_.matrix[at_most(row(s), n_ - 1) * (kStride + 1)];
    solve_back_from<kRows - 1>(y);
  }
  // by columns of thread rows `top` and before. No loop over them: it would be unrolled too late for registers.
  template <int top>
  TORSOR_INLINE void solve_back_from(S (&y)[kRows]) const {
    const int end = n_ < width(top) ? n_ : width(top);
    TORSOR_DEVICE_ROLL
    for (int k = end - 1; k >= top * L; --k) {
      const S yk = group_.broadcast(y[top], k - top * L);
      TORSOR_DEVICE_UNROLL
      for (int s = 0; s <= top; ++s) {
        const S product = memory_.matrix[k * kStride + at_most(row(s), k)] * yk;
        y[s] = row(s) < k ? y[s] - product : y[s];
      }
    }
    if constexpr (top > 0) solve_back_from<top - 1>(y);
  }

  const Group<L> group_;
  const IslandMemory<S> memory_;
  int n_;
  S h_[kRows][N];
};

}  // namespace torsor::gpu
