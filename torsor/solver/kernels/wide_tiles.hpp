// Matrices of 3 x 3 tiles with one world per lane: products with M, and the factor H = L D L' that skips tiles which
// are zero in all lanes. No square roots, because their latency would be a good part of the time.
#pragma once

#include "torsor/math/scalar.hpp"
#include "torsor/solver/wide_problem.hpp"

// Small arrays stay in registers only when loops over them are unrolled.
#ifdef __CUDACC__
#define TORSOR_UNROLL _Pragma("unroll")
#else
#define TORSOR_UNROLL _Pragma("GCC unroll 18")
#endif

namespace torsor {
inline namespace TORSOR_ISA {

using namespace solver;

template <class P>
TORSOR_INLINE void copy_packs(const P* from, int count, P* to) {
  TORSOR_UNROLL
  for (int k = 0; k < count; ++k) to[k] = from[k];
}
template <class P>
TORSOR_INLINE void zero_packs(P* x, int count) {
  TORSOR_UNROLL
  for (int k = 0; k < count; ++k) x[k] = P(0);
}

// c - a b, in one instruction where there is one
template <class P>
TORSOR_INLINE P subtract_product(P c, P a, P b) {
  return c - a * b;
}

// bits below bit i
TORSOR_INLINE std::uint64_t below(int i) { return (std::uint64_t{1} << i) - 1; }

// y = M v
template <class P>
TORSOR_LOCAL void multiply_mass(const WideProblem<P>& problem, const P* v, P* y) {
  for (int i = 0; i < problem.tiles; ++i) {
    const P* M = problem.M + wide_tile(i, i);
    P sum[kWideTile], vi[kWideTile];
    copy_packs(v + kWideTile * i, kWideTile, vi);
    TORSOR_UNROLL
    for (int a = 0; a < kWideTile; ++a) {
      sum[a] = M[3 * a] * vi[0];
      TORSOR_UNROLL
      for (int b = 1; b < kWideTile; ++b) sum[a] = fma(M[a >= b ? 3 * a + b : 3 * b + a], vi[b], sum[a]);
    }
    for (const int j : bits_of(problem.mass_tiles[i] & below(i))) {
      const P* T = problem.M + wide_tile(i, j);
      P yj[kWideTile], vj[kWideTile];
      copy_packs(y + kWideTile * j, kWideTile, yj);
      copy_packs(v + kWideTile * j, kWideTile, vj);
      TORSOR_UNROLL
      for (int a = 0; a < kWideTile; ++a) {
        TORSOR_UNROLL
        for (int b = 0; b < kWideTile; ++b) {
          sum[a] = fma(T[3 * a + b], vj[b], sum[a]);
          yj[b] = fma(T[3 * a + b], vi[a], yj[b]);
        }
      }
      copy_packs(yj, kWideTile, y + kWideTile * j);
    }
    copy_packs(sum, kWideTile, y + kWideTile * i);
  }
}

// A symmetric matrix H in tiles, and its factor.
template <class P>
class WideFactor {
 public:
  TORSOR_INLINE void take(int tiles, WideMemory& memory) {
    const std::size_t numbers = wide_tile(tiles, 0);
    H_ = memory.take<P>(numbers);
    L_ = memory.take<P>(numbers);
    row_ = memory.take<P>(kWideTileSize * tiles);
    pivot_ = memory.take<P>(kWideTile * tiles);
    inverse_ = memory.take<P>(kWideTile * tiles);
  }
  // pattern[i], bit j <= i: tile (i, j) of H may be nonzero
  TORSOR_INLINE void set_pattern(int tiles, const std::uint64_t* pattern, const std::uint64_t* more);

  TORSOR_INLINE std::uint64_t pattern(int i) const { return pattern_[i]; }
  TORSOR_INLINE P* H(int i, int j) const { return H_ + wide_tile(i, j); }
  // Factors again what depends on columns of tiles that changed. What does not change keeps its bits.
  void factor(std::uint64_t changed_columns);
  void solve(const P* g, P* x) const;       // x = -H^-1 g
  void half_solve(const P* g, P* x) const;  // x' x = g' H^-1 g

 private:
  TORSOR_INLINE void solve_forward(const P* g, P* x) const;
  TORSOR_INLINE void reduce(int i, int j, P (&sum)[kWideTileSize]) const;
  TORSOR_INLINE void scale_row(int j);
  TORSOR_INLINE void factor_diagonal(int j);
  TORSOR_INLINE void factor_below(int i, int j);

  int tiles_ = 0;
  std::uint64_t pattern_[kMaxWideTiles], rows_[kMaxWideTiles];  // of H and L: bit j of i
  std::uint64_t columns_[kMaxWideTiles];                        // of L: bit i > j of j
  P *H_, *L_;
  P* row_;               // L D of the row j whose column is computed
  P *pivot_, *inverse_;  // D, and its inverse
};

template <class P>
TORSOR_INLINE void WideFactor<P>::set_pattern(int tiles, const std::uint64_t* pattern, const std::uint64_t* more) {
  tiles_ = tiles;
  for (int i = 0; i < tiles; ++i) {
    pattern_[i] = rows_[i] = pattern[i] | (more ? more[i] : 0) | std::uint64_t{1} << i;
    columns_[i] = 0;
  }
  for (int i = 0; i < tiles; ++i)
    for (const int j : bits_of(rows_[i] & below(i))) columns_[j] |= std::uint64_t{1} << i;
  for (int j = 0; j < tiles; ++j) {  // eliminating j couples all that are below it
    for (const int i : bits_of(columns_[j])) {
      for (const int k : bits_of(columns_[j] & below(i) & ~rows_[i])) columns_[k] |= std::uint64_t{1} << i;
      rows_[i] |= columns_[j] & below(i);
    }
  }
}

template <class P>
TORSOR_INLINE void WideFactor<P>::scale_row(int j) {
  for (const int k : bits_of(rows_[j] & below(j))) {
    const P *L = L_ + wide_tile(j, k), *pivot = pivot_ + kWideTile * k;
    TORSOR_UNROLL
    for (int e = 0; e < kWideTileSize; ++e) row_[kWideTileSize * k + e] = L[e] * pivot[e % kWideTile];
  }
}

// sum = H(i, j) less what the columns before j take away
template <class P>
TORSOR_INLINE void WideFactor<P>::reduce(int i, int j, P (&sum)[kWideTileSize]) const {
  if (pattern_[i] >> j & 1) {
    copy_packs(H(i, j), kWideTileSize, sum);
  } else {
    zero_packs(sum, kWideTileSize);
  }
  for (const int k : bits_of(rows_[i] & rows_[j] & below(j))) {
    const P *x = L_ + wide_tile(i, k), *y = row_ + kWideTileSize * k;
    TORSOR_UNROLL
    for (int m = 0; m < kWideTile; ++m) {
      TORSOR_UNROLL
      for (int a = 0; a < kWideTile; ++a) {
        TORSOR_UNROLL
        for (int b = 0; b < kWideTile; ++b)
          sum[3 * a + b] = subtract_product(sum[3 * a + b], x[3 * a + m], y[3 * b + m]);
      }
    }
  }
}

// Pivots as in tile_factor.hpp. In float a pivot can drown in the rounding of the number it comes from.
template <class P>
TORSOR_INLINE void WideFactor<P>::factor_diagonal(int j) {
  constexpr bool kIsFloat = sizeof(ScalarOf<P>) == 4;
  const P least(1e-15);
  P sum[kWideTileSize];
  reduce(j, j, sum);
  P *L = L_ + wide_tile(j, j), *inverse = inverse_ + kWideTile * j;
  const P* diagonal = H(j, j);
  const auto invert = [&](int k) __attribute__((always_inline)) {
    const P pivot = max(sum[4 * k], kIsFloat ? max(P(1e-7) * diagonal[4 * k], least) : least);
    pivot_[kWideTile * j + k] = pivot;
    inverse[k] = P(1) / pivot;
  };
  invert(0);
  L[3] = sum[3] * inverse[0];
  L[6] = sum[6] * inverse[0];
  sum[4] = subtract_product(sum[4], L[3], sum[3]);
  sum[7] = subtract_product(sum[7], L[6], sum[3]);
  sum[8] = subtract_product(sum[8], L[6], sum[6]);
  invert(1);
  L[7] = sum[7] * inverse[1];
  sum[8] = subtract_product(sum[8], L[7], sum[7]);
  invert(2);
}

template <class P>
TORSOR_INLINE void WideFactor<P>::factor_below(int i, int j) {
  P sum[kWideTileSize];
  reduce(i, j, sum);
  const P *T = L_ + wide_tile(j, j), *inverse = inverse_ + kWideTile * j;
  P* L = L_ + wide_tile(i, j);
  TORSOR_UNROLL
  for (int a = 0; a < kWideTile; ++a) {
    P* row = sum + 3 * a;
    row[1] = subtract_product(row[1], T[3], row[0]);
    row[2] = subtract_product(subtract_product(row[2], T[6], row[0]), T[7], row[1]);
    TORSOR_UNROLL
    for (int b = 0; b < kWideTile; ++b) L[3 * a + b] = row[b] * inverse[b];
  }
}

template <class P>
void WideFactor<P>::factor(std::uint64_t changed_columns) {
  for (int j = 0; j < tiles_; ++j) {
    if ((rows_[j] & changed_columns) == 0) continue;
    changed_columns |= std::uint64_t{1} << j;
    scale_row(j);
    factor_diagonal(j);
    for (const int i : bits_of(columns_[j])) factor_below(i, j);
  }
}

// L x = -g
template <class P>
TORSOR_INLINE void WideFactor<P>::solve_forward(const P* g, P* x) const {
  for (int i = 0; i < tiles_; ++i) {
    P y[kWideTile];
    TORSOR_UNROLL
    for (int a = 0; a < kWideTile; ++a) y[a] = -g[3 * i + a];
    for (const int k : bits_of(rows_[i] & below(i))) {
      const P *L = L_ + wide_tile(i, k), *yk = x + 3 * k;
      TORSOR_UNROLL
      for (int b = 0; b < kWideTile; ++b) {
        TORSOR_UNROLL
        for (int a = 0; a < kWideTile; ++a) y[a] = subtract_product(y[a], L[3 * a + b], yk[b]);
      }
    }
    const P* T = L_ + wide_tile(i, i);
    y[1] = subtract_product(y[1], T[3], y[0]);
    y[2] = subtract_product(subtract_product(y[2], T[6], y[0]), T[7], y[1]);
    copy_packs(y, kWideTile, x + 3 * i);
  }
}

template <class P>
void WideFactor<P>::half_solve(const P* g, P* x) const {
  solve_forward(g, x);
  for (int i = 0; i < kWideTile * tiles_; ++i) x[i] *= sqrt(inverse_[i]);
}

template <class P>
void WideFactor<P>::solve(const P* g, P* x) const {
  solve_forward(g, x);
  for (int i = 0; i < kWideTile * tiles_; ++i) x[i] *= inverse_[i];
  for (int i = tiles_ - 1; i >= 0; --i) {  // L' x = D^-1 y
    const P* T = L_ + wide_tile(i, i);
    P xi[kWideTile];
    copy_packs(x + 3 * i, kWideTile, xi);
    for (const int k : bits_of(columns_[i])) {
      const P *L = L_ + wide_tile(k, i), *xk = x + 3 * k;
      TORSOR_UNROLL
      for (int b = 0; b < kWideTile; ++b) {
        TORSOR_UNROLL
        for (int a = 0; a < kWideTile; ++a) xi[a] = subtract_product(xi[a], L[3 * b + a], xk[b]);
      }
    }
    xi[1] = subtract_product(xi[1], T[7], xi[2]);
    xi[0] = subtract_product(subtract_product(xi[0], T[6], xi[2]), T[3], xi[1]);
    copy_packs(xi, kWideTile, x + 3 * i);
  }
}

}  // namespace TORSOR_ISA
}  // namespace torsor
