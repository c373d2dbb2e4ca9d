// Dense matrices in tiles of 8 x 8, for one world: rows contiguous, ld numbers apart, ld a multiple of 8, 64-byte
// aligned, the padding zero. A tile is worked on as 8 rows of one register each, so that 8 sums run side by side.
#pragma once

#include <cstdint>

#include "torsor/math/pack.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

inline constexpr int kTile = 8;
using Lanes = NativePack<double>;
inline constexpr int kLaneCount = kNativeLanes<double>;
inline constexpr int kParts = kTile / kLaneCount;  // registers that hold 8 numbers

// the next multiple of a tile
TORSOR_INLINE int padded_size(int n) { return (n + kTile - 1) / kTile * kTile; }

// 8 numbers: a row of a tile
struct Eight {
  Lanes part[kParts];

  static TORSOR_INLINE Eight load(const double* p) {
    Eight x;
    for (int k = 0; k < kParts; ++k) x.part[k] = Lanes::load(p + k * kLaneCount);
    return x;
  }
  TORSOR_INLINE void store(double* p) const {
    for (int k = 0; k < kParts; ++k) part[k].store(p + k * kLaneCount);
  }
};
// y + s x and y - s x
TORSOR_INLINE Eight add_scaled(const Eight& y, Lanes s, const Eight& x) {
  Eight z;
  for (int k = 0; k < kParts; ++k) z.part[k] = fma(s, x.part[k], y.part[k]);
  return z;
}
TORSOR_INLINE Eight subtract_scaled(const Eight& y, Lanes s, const Eight& x) {
  Eight z;
  for (int k = 0; k < kParts; ++k) z.part[k] = y.part[k] - s * x.part[k];
  return z;
}
TORSOR_INLINE Eight times(const Eight& x, const Eight& y) {
  Eight z;
  for (int k = 0; k < kParts; ++k) z.part[k] = x.part[k] * y.part[k];
  return z;
}

// whether 8 numbers have a nonzero among them
TORSOR_INLINE bool any_nonzero(const double* numbers) {
  auto nonzero = typename Lanes::Mask(false);
  for (int c = 0; c < kTile; c += kLaneCount) nonzero = nonzero | (Lanes::load(numbers + c) != Lanes(0));
  return any(nonzero);
}

// a and b interleaved by pairs of lanes, each pair added: two steps of several sums at once
TORSOR_INLINE Pack<double, 2> add_pairs(Pack<double, 2> a, Pack<double, 2> b) {
  return Pack<double, 2>::wrap(__builtin_shufflevector(a.v, b.v, 0, 2) + __builtin_shufflevector(a.v, b.v, 1, 3));
}
TORSOR_INLINE Pack<double, 4> add_pairs(Pack<double, 4> a, Pack<double, 4> b) {
  return Pack<double, 4>::wrap(__builtin_shufflevector(a.v, b.v, 0, 4, 2, 6) +
                               __builtin_shufflevector(a.v, b.v, 1, 5, 3, 7));
}
TORSOR_INLINE Pack<double, 8> add_pairs(Pack<double, 8> a, Pack<double, 8> b) {
  return Pack<double, 8>::wrap(__builtin_shufflevector(a.v, b.v, 0, 8, 2, 10, 4, 12, 6, 14) +
                               __builtin_shufflevector(a.v, b.v, 1, 9, 3, 11, 5, 13, 7, 15));
}
TORSOR_INLINE Pack<double, 4> add_pairs_of_two(Pack<double, 4> a, Pack<double, 4> b) {
  return Pack<double, 4>::wrap(__builtin_shufflevector(a.v, b.v, 0, 1, 4, 5) +
                               __builtin_shufflevector(a.v, b.v, 2, 3, 6, 7));
}
TORSOR_INLINE Pack<double, 8> add_pairs_of_two(Pack<double, 8> a, Pack<double, 8> b) {
  return Pack<double, 8>::wrap(__builtin_shufflevector(a.v, b.v, 0, 1, 4, 5, 8, 9, 12, 13) +
                               __builtin_shufflevector(a.v, b.v, 2, 3, 6, 7, 10, 11, 14, 15));
}

// lane i of the result: the sum of the lanes of x[i], for as many x as there are lanes
TORSOR_INLINE Pack<double, 2> horizontal_sums(const Pack<double, 2>* x) { return add_pairs(x[0], x[1]); }
TORSOR_INLINE Pack<double, 4> horizontal_sums(const Pack<double, 4>* x) {
  return add_pairs_of_two(add_pairs(x[0], x[1]), add_pairs(x[2], x[3]));
}
TORSOR_INLINE Pack<double, 8> horizontal_sums(const Pack<double, 8>* x) {
  return add_pairs_of_two(add_pairs_of_two(add_pairs(x[0], x[1]), add_pairs(x[2], x[3])),
                          add_pairs_of_two(add_pairs(x[4], x[5]), add_pairs(x[6], x[7])));
}
TORSOR_INLINE Eight sums_of_eight(const Lanes* x) {
  Eight sums;
  for (int k = 0; k < kParts; ++k) sums.part[k] = horizontal_sums(x + k * kLaneCount);
  return sums;
}

// K registers of y = A' x, from column c on
template <int K>
TORSOR_INLINE void multiply_columns(int rows, const double* A, int ld, const double* x, double* y, int c) {
  Lanes sum[K];
  for (int k = 0; k < K; ++k) sum[k] = Lanes(0);
  for (int r = 0; r < rows; ++r) {
    const Lanes s(x[r]);
    const double* row = A + std::int64_t(r) * ld + c;
    for (int k = 0; k < K; ++k) sum[k] = fma(s, Lanes::load(row + k * kLaneCount), sum[k]);
  }
  for (int k = 0; k < K; ++k) sum[k].store(y + c + k * kLaneCount);
}

// y = A' x, all ld numbers of it; for a symmetric A also A x, and cheaper than by rows
TORSOR_LOCAL void multiply_transposed(int rows, const double* A, int ld, const double* x, double* y) {
  int c = 0;
  for (; c + 4 * kLaneCount <= ld; c += 4 * kLaneCount) multiply_columns<4>(rows, A, ld, x, y, c);
  for (; c + 2 * kLaneCount <= ld; c += 2 * kLaneCount) multiply_columns<2>(rows, A, ld, x, y, c);
  if (c < ld) multiply_columns<1>(rows, A, ld, x, y, c);
}

// 8 numbers of y = A x: rows first to first + 8, of which those from `rows` on repeat the last one
TORSOR_INLINE Eight multiply_eight_rows(int first, int rows, const double* A, int ld, const double* x) {
  const double* row[kTile];
  Lanes sum[kTile];
  for (int i = 0; i < kTile; ++i) {
    const std::int64_t r = first + i < rows ? first + i : rows - 1;
    row[i] = A + r * ld;
    sum[i] = Lanes(0);
  }
  for (int c = 0; c < ld; c += kLaneCount) {
    const Lanes xc = Lanes::load(x + c);
#pragma GCC unroll 8
    for (int i = 0; i < kTile; ++i) sum[i] = fma(Lanes::load(row[i] + c), xc, sum[i]);
  }
  return sums_of_eight(sum);
}

// y = A x; y has room for padded_size(rows) numbers, the last of which become zero
TORSOR_LOCAL void multiply_rows(int rows, const double* A, int ld, const double* x, double* y) {
  for (int r = 0; r < rows; r += kTile) multiply_eight_rows(r, rows, A, ld, x).store(y + r);
  for (int r = rows; r < padded_size(rows); ++r) y[r] = 0;
}

// sum[i] += or -= the sum over r of W[r][i] X[r], for the 8 columns of W and one register of X
template <bool kSubtract>
TORSOR_INLINE void accumulate_row(Lanes (&sum)[kTile], const double* W, const double* X) {
  const Lanes x = Lanes::load(X);
#pragma GCC unroll 8
  for (int i = 0; i < kTile; ++i) sum[i] = kSubtract ? sum[i] - Lanes(W[i]) * x : fma(Lanes(W[i]), x, sum[i]);
}
template <bool kSubtract>
TORSOR_INLINE void accumulate(Lanes (&sum)[kTile], int count, const double* W, const double* X, int ld) {
  for (int r = 0; r < count; ++r, W += ld, X += ld) accumulate_row<kSubtract>(sum, W, X);
}

// one register of each row of a tile
TORSOR_INLINE void load_tile(Lanes (&tile)[kTile], const double* A, int ld = kTile) {
#pragma GCC unroll 8
  for (int i = 0; i < kTile; ++i) tile[i] = Lanes::load(A + i * ld);
}
TORSOR_INLINE void store_tile(const Lanes (&tile)[kTile], double* A) {
#pragma GCC unroll 8
  for (int i = 0; i < kTile; ++i) tile[i].store(A + i * kTile);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
