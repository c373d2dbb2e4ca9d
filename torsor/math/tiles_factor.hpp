// H = U' D^-1 U by tiles: U upper triangular with the pivots D on its diagonal. No square roots, because their latency
// would be half of the time. W = D^-1 U is kept beside U: one factor of each product comes from either.
#pragma once

#include <utility>

#include "torsor/math/tiles.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

struct TileFactor {
  double *U, *W;    // (8 tiles) x ld; of W's diagonal tiles only what is above the diagonal
  double* inverse;  // 8 tiles: 1 / D
};

template <int kLane>
TORSOR_INLINE Lanes broadcast(const Eight& x) {
  const auto v = x.part[kLane / kLaneCount].v;
  return [&]<int... k>(std::integer_sequence<int, k...>) __attribute__((always_inline)) {
    return Lanes::wrap(__builtin_shufflevector(v, v, (0 * k + kLane % kLaneCount)...));
  }
  (std::make_integer_sequence<int, kLaneCount>());
}

// x with its lanes before kFirst set to zero
template <int kFirst>
TORSOR_INLINE Lanes lanes_from(Lanes x) {
  const typename Lanes::Vector zero{};
  return [&]<int... k>(std::integer_sequence<int, k...>) __attribute__((always_inline)) {
    return Lanes::wrap(__builtin_shufflevector(x.v, zero, (k >= kFirst ? k : k + kLaneCount)...));
  }
  (std::make_integer_sequence<int, kLaneCount>());
}
template <int kFirst>
TORSOR_INLINE Eight lanes_from(const Eight& x) {
  return [&]<int... p>(std::integer_sequence<int, p...>) __attribute__((always_inline)) {
    return Eight{{lanes_from<kFirst - p * kLaneCount>(x.part[p])...}};
  }
  (std::make_integer_sequence<int, kParts>());
}

// Eliminates row kRow of a diagonal tile from those below it, then the next, for the first `count` rows.
template <int kRow>
TORSOR_INLINE void factor_diagonal(int count, double min_pivot, Eight (&rows)[kTile], double* U, double* W, int ld,
                                   double* inverse) {
  if constexpr (kRow < kTile) {
    if (kRow >= count) return;
    const double pivot = rows[kRow].part[kRow / kLaneCount].v[kRow % kLaneCount];
    inverse[kRow] = 1 / (pivot > min_pivot ? pivot : min_pivot);
    const Lanes scale(inverse[kRow]);
    Eight scaled;
    for (int p = 0; p < kParts; ++p) scaled.part[p] = scale * rows[kRow].part[p];
    [&]<int... k>(std::integer_sequence<int, k...>) __attribute__((always_inline)) {
      ((rows[kRow + 1 + k] = subtract_scaled(rows[kRow + 1 + k], broadcast<kRow + 1 + k>(scaled), rows[kRow])), ...);
    }
    (std::make_integer_sequence<int, kTile - 1 - kRow>());
    rows[kRow].store(U + kRow * ld);
    lanes_from<kRow + 1>(scaled).store(W + kRow * ld);
    factor_diagonal<kRow + 1>(count, min_pivot, rows, U, W, ld, inverse);
  }
}

// one register wide part of tile (k, j), less what the tiles above it take away
TORSOR_INLINE void reduced_tile(const TilePattern& pattern, int k, int j, int c, const double* H,
                                const TileFactor& factor, int ld, Lanes (&rows)[kTile]) {
  load_tile(rows, H + k * kTile * ld + c, ld);
  const std::uint64_t both = pattern.bit(k) | pattern.bit(j);
  for (int above = 0; above < k; ++above) {
    if ((pattern.rows[above] & both) != both) continue;
    const int begin = above * kTile * ld;
    accumulate<true>(rows, kTile, factor.W + begin + k * kTile, factor.U + begin + c, ld);
  }
}

// Factors the n x n matrix in the upper tiles of H: 8 tiles rows, the columns from n on zero, the rows from n on
// anything. A pivot below min_pivot is replaced by it. The pattern must include the fill.
TORSOR_LOCAL void factor_tiles(int n, const TilePattern& pattern, const double* H, int ld, const TileFactor& factor,
                               double min_pivot = 1e-15) {
  for (int k = 0; k < pattern.tiles; ++k) {
    const int first = k * kTile, count = n - first < kTile ? n - first : kTile;
    double *U = factor.U + first * ld, *W = factor.W + first * ld, *inverse = factor.inverse + first;
    Eight diagonal[kTile];
    for (int p = 0; p < kParts; ++p) {
      Lanes rows[kTile];
      reduced_tile(pattern, k, k, first + p * kLaneCount, H, factor, ld, rows);
      for (int i = 0; i < kTile; ++i) diagonal[i].part[p] = rows[i];
    }
    factor_diagonal<0>(count, min_pivot, diagonal, U + first, W + first, ld, inverse);
    for (int i = count; i < kTile; ++i) {  // the padding solves to zero
      inverse[i] = 0;
      for (int c = 0; c < kTile; c += kLaneCount) Lanes(0).store(W + i * ld + first + c);
    }

    for (int j = k + 1; j < pattern.tiles; ++j) {
      if (!pattern.has(k, j)) continue;
      for (int c = j * kTile; c < (j + 1) * kTile; c += kLaneCount) {
        Lanes rows[kTile];
        reduced_tile(pattern, k, j, c, H, factor, ld, rows);
#pragma GCC unroll 8
        for (int l = 0; l < kTile; ++l) {
#pragma GCC unroll 8
          for (int i = l + 1; i < kTile; ++i) rows[i] -= Lanes(W[l * ld + first + i]) * rows[l];
        }
        store_tile(rows, U + c, ld);
#pragma GCC unroll 8
        for (int i = 0; i < kTile; ++i) (rows[i] * Lanes(inverse[i])).store(W + i * ld + c);
      }
    }
  }
}

// x -= the rows of the strictly upper triangle W, one after the other, each times its own number of x
template <int kRow>
TORSOR_INLINE void substitute_forward(Eight& x, int count, const double* W, int ld) {
  if constexpr (kRow < kTile - 1) {
    if (kRow >= count) return;
    x = subtract_scaled(x, broadcast<kRow>(x), Eight::load(W + kRow * ld));
    substitute_forward<kRow + 1>(x, count, W, ld);
  }
}

// solves (1 + W) x = x for the strictly upper triangle W: number by number, each waits for the one after it
TORSOR_INLINE Eight substitute_backward(const Eight& x, const double* W, int ld) {
  double t[kTile];
#pragma GCC unroll 8
  for (int i = 0; i < kTile; ++i) t[i] = x.part[i / kLaneCount].v[i % kLaneCount];
#pragma GCC unroll 8
  for (int l = kTile - 2; l >= 0; --l) {
#pragma GCC unroll 8
    for (int i = kTile - 1; i > l; --i) t[l] -= W[l * ld + i] * t[i];
  }
  Eight y;
  [&]<int... k>(std::integer_sequence<int, k...>) __attribute__((always_inline)) {
    for (int p = 0; p < kParts; ++p) y.part[p] = Lanes::wrap(typename Lanes::Vector{t[p * kLaneCount + k]...});
  }
  (std::make_integer_sequence<int, kLaneCount>());
  return y;
}

// x = H^-1 x from factor_tiles(); the padding of x must be zero and stays so
TORSOR_LOCAL void solve_tiles(int n, const TilePattern& pattern, const TileFactor& factor, int ld, double* x) {
  for (int k = 0; k < pattern.tiles; ++k) {
    const int first = k * kTile, count = n - first < kTile ? n - first : kTile;
    const double* W = factor.W + first * ld;
    Eight xk = Eight::load(x + first);
    substitute_forward<0>(xk, count, W + first, ld);
    xk.store(x + first);
    for (int j = k + 1; j < pattern.tiles; ++j) {
      if (!pattern.has(k, j)) continue;
      Eight xj = Eight::load(x + j * kTile);
#pragma GCC unroll 8
      for (int i = 0; i < kTile; ++i) xj = subtract_scaled(xj, Lanes(x[first + i]), Eight::load(W + i * ld + j * kTile));
      xj.store(x + j * kTile);
    }
  }
  for (int k = pattern.tiles - 1; k >= 0; --k) {
    const int first = k * kTile;
    const double* W = factor.W + first * ld;
    Lanes sum[kTile];
    for (int i = 0; i < kTile; ++i) sum[i] = Lanes(0);
    for (int j = k + 1; j < pattern.tiles; ++j) {
      if (!pattern.has(k, j)) continue;
      for (int c = j * kTile; c < (j + 1) * kTile; c += kLaneCount) {
        const Lanes xc = Lanes::load(x + c);
#pragma GCC unroll 8
        for (int i = 0; i < kTile; ++i) sum[i] = fma(Lanes::load(W + i * ld + c), xc, sum[i]);
      }
    }
    Eight xk = times(Eight::load(x + first), Eight::load(factor.inverse + first));
    const Eight above = sums_of_eight(sum);
    for (int p = 0; p < kParts; ++p) xk.part[p] -= above.part[p];
    substitute_backward(xk, W + first, ld).store(x + first);
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
