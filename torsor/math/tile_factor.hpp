// H = U' D^-1 U by tiles, from the last row of tiles to the first: tiles of U are on and below the diagonal, and each
// diagonal tile is upper triangular with the pivots D. No square roots, because their latency would be half of the
// time. W = D^-1 U is kept beside U: one factor of each product comes from either.
#pragma once

#include <utility>

#include "torsor/math/tile_plan.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

struct TileFactor {
  double *U, *W;    // by slots; U without its diagonal tiles, W's with only what is above the diagonal
  double* inverse;  // 8 tiles: 1 / D
};

// one register wide part of a slot of H, from column c of the tile on, less what the rows below take away
TORSOR_INLINE void reduced_tile(const TilePlan& plan, int slot, int c, const double* H, const TileFactor& factor,
                                Lanes (&rows)[kTile]) {
  load_tile(rows, H + slot * std::ptrdiff_t(kSlot) + c);
  for (int u = plan.update_begin[slot]; u < plan.update_begin[slot + 1]; ++u) {
    const TilePlan::Update update = plan.update[u];
    const double *W = factor.W + update.W * std::ptrdiff_t(kSlot), *U = factor.U + update.U * std::ptrdiff_t(kSlot) + c;
    if (update.count == kTile) {
#pragma GCC unroll 8
      for (int r = 0; r < kTile; ++r) accumulate_row<true>(rows, W + r * kTile, U + r * kTile);
    } else {
      accumulate<true>(rows, update.count, W, U, kTile);
    }
  }
}

// A diagonal tile, in scalar code: each pivot depends on the one before, and scalars have less latency than registers
// whose lanes have to be broadcast. Leaves D^-1 U above the diagonal of W, zeros elsewhere.
TORSOR_INLINE void factor_diagonal(int count, double min_pivot, const double* tile, double* W, double* inverse) {
  double a[kTile][kTile];
#pragma GCC unroll 8
  for (int i = 0; i < kTile; ++i) {
#pragma GCC unroll 8
    for (int j = i; j < kTile; ++j) a[i][j] = tile[i * kTile + j];
  }
#pragma GCC unroll 8
  for (int k = 0; k < kTile; ++k) {
    if (k == count) break;
    const double inverse_k = 1 / max(a[k][k], min_pivot);
    inverse[k] = inverse_k;
#pragma GCC unroll 8
    for (int i = k + 1; i < kTile; ++i) {
      const double scaled = inverse_k * a[k][i];
      W[k * kTile + i] = scaled;
#pragma GCC unroll 8
      for (int j = i; j < kTile; ++j) a[i][j] -= scaled * a[k][j];
    }
  }
}

TORSOR_LOCAL void factor_diagonal_slot(const TilePlan& plan, int k, double min_pivot, const double* H,
                                       const TileFactor& factor) {
  alignas(64) double tile[kSlot];
  const int slot = plan.diagonal(k), count = plan.count[k];
  double* W = factor.W + slot * std::ptrdiff_t(kSlot);
  for (int c = 0; c < kTile; c += kLaneCount) {
    Lanes rows[kTile];
    reduced_tile(plan, slot, c, H, factor, rows);
    store_tile(rows, tile + c);
    for (int i = 0; i < kTile; ++i) Lanes(0).store(W + i * kTile + c);
  }
  for (int i = count; i < kTile; ++i) factor.inverse[k * kTile + i] = 0;  // the padding solves to zero
  factor_diagonal(count, min_pivot, tile, W, factor.inverse + k * kTile);
}

// Factors the matrix in the slots of H, whose padding is zero in columns and anything in rows. A pivot below min_pivot
// is replaced by it.
TORSOR_LOCAL void factor_tiles(const TilePlan& plan, const double* H, const TileFactor& factor,
                               double min_pivot = 1e-15) {
  for (int k = plan.tiles - 1; k >= 0; --k) {
    factor_diagonal_slot(plan, k, min_pivot, H, factor);
    const double *triangle = factor.W + plan.diagonal(k) * std::ptrdiff_t(kSlot), *inverse = factor.inverse + k * kTile;
    for (int slot = plan.row_begin[k]; slot < plan.diagonal(k); ++slot) {
      double *U = factor.U + slot * std::ptrdiff_t(kSlot), *W = factor.W + slot * std::ptrdiff_t(kSlot);
      for (int c = 0; c < kTile; c += kLaneCount) {
        Lanes rows[kTile];
        reduced_tile(plan, slot, c, H, factor, rows);
#pragma GCC unroll 8
        for (int l = 0; l < kTile; ++l) {
          if (l == plan.count[k]) break;
          rows[l].store(U + l * kTile + c);
          (rows[l] * Lanes(inverse[l])).store(W + l * kTile + c);
#pragma GCC unroll 8
          for (int i = l + 1; i < kTile; ++i) rows[i] -= Lanes(triangle[l * kTile + i]) * rows[l];
        }
      }
    }
  }
}

template <int kLane>
TORSOR_INLINE Lanes broadcast(const Eight& x) {
  const auto v = x.part[kLane / kLaneCount].v;
  return [&]<int... k>(std::integer_sequence<int, k...>) __attribute__((always_inline)) {
    return Lanes::wrap(__builtin_shufflevector(v, v, (0 * k + kLane % kLaneCount)...));
  }
  (std::make_integer_sequence<int, kLaneCount>());
}

// x -= the rows of the strictly upper triangle W, one after the other, each times its own number of x
template <int kRow>
TORSOR_INLINE void substitute_forward(Eight& x, int count, const double* W) {
  if constexpr (kRow < kTile - 1) {
    if (kRow >= count) return;
    x = subtract_scaled(x, broadcast<kRow>(x), Eight::load(W + kRow * kTile));
    substitute_forward<kRow + 1>(x, count, W);
  }
}

// solves (1 + W) x = x for the strictly upper triangle W, in scalar code: each number depends on the one after it
TORSOR_INLINE Eight substitute_backward(const Eight& x, const double* W) {
  double t[kTile];
#pragma GCC unroll 8
  for (int i = 0; i < kTile; ++i) t[i] = x.part[i / kLaneCount].v[i % kLaneCount];
#pragma GCC unroll 8
  for (int l = kTile - 2; l >= 0; --l) {
#pragma GCC unroll 8
    for (int i = kTile - 1; i > l; --i) t[l] -= W[l * kTile + i] * t[i];
  }
  Eight y;
  [&]<int... k>(std::integer_sequence<int, k...>) __attribute__((always_inline)) {
    for (int p = 0; p < kParts; ++p) y.part[p] = Lanes::wrap(typename Lanes::Vector{t[p * kLaneCount + k]...});
  }
  (std::make_integer_sequence<int, kLaneCount>());
  return y;
}

// x = H^-1 x from factor_tiles(), 8 numbers per row of tiles; the padding of x must be zero and stays so
// Only for rows first to end of tiles: an independent diagonal block of the matrix.
TORSOR_LOCAL void solve_tile_range(const TilePlan& plan, const TileFactor& factor, int first, int end, double* x) {
  for (int k = end - 1; k >= first; --k) {
    const int count = plan.count[k];
    double* from = x + k * kTile;
    Eight xk = Eight::load(from);
    substitute_forward<0>(xk, count, factor.W + plan.diagonal(k) * std::ptrdiff_t(kSlot));
    xk.store(from);
    for (int slot = plan.row_begin[k]; slot < plan.diagonal(k); ++slot) {
      const double* W = factor.W + slot * std::ptrdiff_t(kSlot);
      double* to = x + plan.column[slot] * kTile;
      Eight xj = Eight::load(to);
#pragma GCC unroll 8
      for (int i = 0; i < kTile; ++i) {
        if (i == count) break;
        xj = subtract_scaled(xj, Lanes(from[i]), Eight::load(W + i * kTile));
      }
      xj.store(to);
    }
  }
  for (int k = first; k < end; ++k) {
    Lanes sum[kTile];
    for (int i = 0; i < kTile; ++i) sum[i] = Lanes(0);
    for (int slot = plan.row_begin[k]; slot < plan.diagonal(k); ++slot) {
      const double *W = factor.W + slot * std::ptrdiff_t(kSlot), *xj = x + plan.column[slot] * kTile;
      for (int c = 0; c < kTile; c += kLaneCount) {
        const Lanes part = Lanes::load(xj + c);
#pragma GCC unroll 8
        for (int i = 0; i < kTile; ++i) {
          if (i == plan.count[k]) break;
          sum[i] = fma(Lanes::load(W + i * kTile + c), part, sum[i]);
        }
      }
    }
    Eight xk = times(Eight::load(x + k * kTile), Eight::load(factor.inverse + k * kTile));
    const Eight others = sums_of_eight(sum);
    for (int p = 0; p < kParts; ++p) xk.part[p] -= others.part[p];
    substitute_backward(xk, factor.W + plan.diagonal(k) * std::ptrdiff_t(kSlot)).store(x + k * kTile);
  }
}
TORSOR_INLINE void solve_tiles(const TilePlan& plan, const TileFactor& factor, double* x) {
  solve_tile_range(plan, factor, 0, plan.tiles, x);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
