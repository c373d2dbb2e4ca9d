// H = M + J' K J, or M alone, with its rows in registers, row i in thread i % L, and its factor H = L D L'. What column
// k adds to a thread's rows it reads from shared memory, where all threads put their part of the column. The lower half
// is what counts; entries beyond it, and rows beyond the island's, are there since threads work alike, and nobody reads
// them. No branch may hold an access to an array of registers: compilers move it out of there to an address that
// varies.
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
    for (int s = 0; s < kRows; ++s) load_row(s, at_most(row(s), N - 1));
  }
  // M waits in the lower half of the matrix, zeros in the upper one.
  struct InPlace {};
  TORSOR_INLINE RegisterHessian(InPlace, const Group<L>& group, const IslandMemory<S>& memory, int n)
      : group_(group), memory_(memory), n_(n) {
    TORSOR_DEVICE_UNROLL
    for (int s = 0; s < kRows; ++s) {
      const int i = at_most(row(s), N - 1);
      TORSOR_DEVICE_UNROLL
      for (int j = 0; j < N; ++j) {
        if (j < width(s)) h_[s][j] = at(i, j);
      }
      diagonal_[s] = at(i, i);
      if (row(s) < N) at(i, i) = S(0);
    }
  }
  // Adds a row of J times `scaled(i)`, that row of K J at dof i. Columns of J that are zero are passed over, four at a
  // time: a contact moves few of the dofs.
  template <class F>
  TORSOR_INLINE void add_row(const S* J, F scaled) {
    S factor[kRows];
    unsigned is_set[kRows];  // columns of J that are not zero
    TORSOR_DEVICE_UNROLL
    for (int s = 0; s < kRows; ++s) {
      const int i = at_most(row(s), n_ - 1);
      factor[s] = scaled(i);
      const S number = J[i];
      diagonal_[s] = fma(factor[s], number, diagonal_[s]);
      is_set[s] = group_.ballot(row(s) < n_ && number != S(0));
    }
    TORSOR_DEVICE_UNROLL
    for (int q = 0; q < N / 4; ++q) {
      if (!has_four(is_set, q)) continue;
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
    S weight[kRows], least[kRows], inverse[kRows], right[kRows];
    TORSOR_DEVICE_UNROLL
    for (int s = 0; s < kRows; ++s) {
      weight[s] = weights[s];
      least[s] = least_pivot(diagonal_[s] + weight[s]);
      inverse[s] = S(0);
      right[s] = y[s];
    }
    factor(weight, least, inverse, right);
    group_.sync();
    TORSOR_DEVICE_UNROLL
    for (int s = 0; s < kRows; ++s) right[s] *= inverse[s];
    solve_back_from<kRows - 1>(right);
    TORSOR_DEVICE_UNROLL
    for (int s = 0; s < kRows; ++s) y[s] = right[s];
  }

 private:
  static constexpr Layout kLayout = layout_of(N);
  static constexpr int kBuffer = N + 4;
  static TORSOR_INLINE constexpr int width(int s) { return (s + 1) * L < N ? (s + 1) * L : N; }
  TORSOR_INLINE int row(int s) const { return s * L + group_.lane(); }
  TORSOR_INLINE S& at(int i, int j) const { return memory_.matrix[factor_place<N>(i, j)]; }

  // Of the columns, whose bits are those of the threads with these rows.
  static TORSOR_INLINE bool has_four(const unsigned (&is_set)[kRows], int q) {
    if constexpr (L == 1) return (is_set[4 * q] | is_set[4 * q + 1] | is_set[4 * q + 2] | is_set[4 * q + 3]) != 0;
    return (is_set[4 * q / L] >> 4 * q % L & 15) != 0;
  }
  TORSOR_INLINE void load_row(int s, int i) {
    if constexpr (kLayout == Layout::kTwoSquares) {
      const S* const M = memory_.mass + i * mass_stride(N);
      TORSOR_DEVICE_UNROLL
      for (int q = 0; q < N / 4; ++q) {
        if (4 * q >= width(s)) continue;
        const Four<S> four = load_four(M + 4 * q);
        TORSOR_DEVICE_UNROLL
        for (int e = 0; e < 4; ++e) h_[s][4 * q + e] = four.of[e];
      }
      diagonal_[s] = M[i];
    } else if constexpr (kLayout == Layout::kMassApart) {
      const S* const M = memory_.mass + i;
      TORSOR_DEVICE_UNROLL
      for (int j = 0; j < N; ++j) {
        if (j < width(s)) h_[s][j] = M[j * N];
      }
      diagonal_[s] = M[i * N];
    } else {
      TORSOR_DEVICE_UNROLL
      for (int j = 0; j < N; ++j) {
        if (j < width(s)) h_[s][j] = at(j, i + 1);
      }
      diagonal_[s] = at(i, i + 1);
    }
  }

  // L to memory, D^-1 to its threads, and L y' = y on the way: columns from kBegin on, of which the first is number 0
  // in registers. Each column that is done moves the others one to the left, so that one loop does several. As straight
  // code, all columns would fill the instruction cache.
  template <int kBegin = 0>
  TORSOR_INLINE void factor(const S (&weight)[kRows], const S (&least)[kRows], S (&inverse)[kRows], S (&y)[kRows]) {
    constexpr int kEnd = end_of_columns(kBegin);
    TORSOR_DEVICE_ROLL
    for (int k = kBegin; k < kEnd; ++k) {
      if (k >= n_) return;
      eliminate<kBegin>(k, weight, least, inverse, y);
    }
    if constexpr (kEnd < N) factor<kEnd>(weight, least, inverse, y);
  }
  // Fewer columns at a time spare products with what is no longer needed. Where a thread has several rows, the row of
  // the pivots must be one for all columns of a loop.
  static TORSOR_INLINE constexpr int end_of_columns(int begin) {
    constexpr int kAtOnce = N <= 32 ? 8 : 16;
    const int end = N - begin < 2 * kAtOnce ? N : begin + kAtOnce, end_of_row = L == 1 ? N : (begin / L + 1) * L;
    return end < end_of_row ? end : end_of_row;
  }
  // All threads put their number of column k where all can read it, after that of row k; its thread has the pivot.
  template <int kBegin>
  TORSOR_INLINE void eliminate(int k, const S (&weight)[kRows], const S (&least)[kRows], S (&inverse)[kRows],
                               S (&y)[kRows]) {
    S* const column = memory_.column + k % 2 * kBuffer;
    const int of_row = L == 1 ? k : kBegin / L, lane = k % L;
    TORSOR_DEVICE_UNROLL
    for (int s = 0; s < kRows; ++s) {
      if (s >= of_row && row(s) >= k && ((s + 1) * L <= kBuffer || row(s) < N)) column[row(s) - k] = h_[s][0];
    }
    const S pivot = group_.broadcast(reciprocal(max(h_[of_row][0] + weight[of_row], least[of_row])), lane),
            yk = group_.broadcast(y[of_row], lane);
    group_.sync();
    S scaled[kRows];
    TORSOR_DEVICE_UNROLL
    for (int s = 0; s < kRows; ++s) {
      if (s < of_row) continue;
      scaled[s] = h_[s][0] * pivot;
      if (row(s) == k) inverse[s] = pivot;
      if (row(s) > k) {
        y[s] -= scaled[s] * yk;
        if ((s + 1) * L <= N || row(s) < N) at(row(s), k) = scaled[s];
      }
    }
    TORSOR_DEVICE_UNROLL
    for (int q = 0; 4 * q < N - kBegin; ++q) {
      const Four<S> four = load_four(column + 4 * q);
      TORSOR_DEVICE_UNROLL
      for (int e = 0; e < 4; ++e) {
        const int j = 4 * q + e;
        TORSOR_DEVICE_UNROLL
        for (int s = 0; s < kRows; ++s) {
          if (s >= of_row && j > 0 && j < width(s) - kBegin) h_[s][j - 1] = h_[s][j] - scaled[s] * four.of[e];
        }
      }
    }
  }
  // L' y' = y by columns of thread rows `top` and before. No loop over them: it would be unrolled too late for
  // registers.
  template <int top>
  TORSOR_INLINE void solve_back_from(S (&y)[kRows]) const {
    const int end = n_ < width(top) ? n_ : width(top);
    TORSOR_DEVICE_UNROLL_FOUR
    for (int k = end - 1; k >= top * L; --k) {
      const S yk = group_.broadcast(y[top], k - top * L);
      TORSOR_DEVICE_UNROLL
      for (int s = 0; s <= top; ++s) {
        const S product = at(k, at_most(row(s), kLayout == Layout::kTwoSquares ? N - 1 : k)) * yk;
        if (kLayout == Layout::kTwoSquares || row(s) < k) y[s] -= product;
      }
    }
    if constexpr (top > 0) solve_back_from<top - 1>(y);
  }

  const Group<L> group_;
  const IslandMemory<S> memory_;
  int n_;
  S h_[kRows][N], diagonal_[kRows];  // the diagonal before anything is eliminated
};

}  // namespace torsor::gpu
