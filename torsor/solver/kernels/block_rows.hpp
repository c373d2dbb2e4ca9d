// Rows of a BlockProblem: products with them, and groups of rows that have numbers in the same tiles.
#pragma once

#include "torsor/solver/kernels/cones.hpp"
#include "torsor/solver/solver.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

TORSOR_INLINE void fill_zero(double* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) x[i] = 0;
}
TORSOR_INLINE void copy_numbers(const double* from, std::size_t n, double* to) {
  for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
}

// y = J x, with y padded to whole tiles by zeros
TORSOR_LOCAL void multiply_parts(const BlockProblem& p, const double* x, double* y) {
  const int count = p.rows.count, *const begin = p.row_begin, *tile = p.tile;  // y might be any of p otherwise
  const double* J = p.J;
  for (int first = 0; first < count; first += kTile) {
    const int rows = count - first < kTile ? count - first : kTile;
    Lanes sum[kTile];
    for (int i = 0; i < kTile; ++i) sum[i] = Lanes(0);
    for (int i = 0; i < rows; ++i) {
      Lanes of_row(0);
      for (const int* const end = p.tile + begin[first + i + 1]; tile < end; ++tile, J += kTile) {
        const double* from = x + *tile * std::ptrdiff_t(kTile);
        for (int c = 0; c < kTile; c += kLaneCount) of_row = fma(Lanes::load(J + c), Lanes::load(from + c), of_row);
      }
      sum[i] = of_row;
    }
    sums_of_eight(sum).store(y + first);
  }
}

// one number of it
TORSOR_INLINE double multiply_row(const BlockProblem& p, int row, const double* x) {
  Lanes sum(0);
  for (int part = p.row_begin[row]; part < p.row_begin[row + 1]; ++part) {
    const double *J = p.J + part * std::ptrdiff_t(kTile), *from = x + p.tile[part] * kTile;
    for (int c = 0; c < kTile; c += kLaneCount) sum = fma(Lanes::load(J + c), Lanes::load(from + c), sum);
  }
  return sum_of_lanes(sum);
}

// y = J' x
TORSOR_LOCAL void multiply_parts_transposed(const BlockProblem& p, const double* x, double* y) {
  fill(y, p.tiles * kTile, 0);
  const int rows = p.rows.count, *const begin = p.row_begin, *tile = p.tile;  // y might be any of p otherwise
  const double* J = p.J;
  for (int r = 0; r < rows; ++r) {
    const int parts = begin[r + 1] - begin[r];
    if (x[r] != 0) {
      const Lanes s(x[r]);
      for (int k = 0; k < parts; ++k) {
        double* to = y + tile[k] * kTile;
        add_scaled(Eight::load(to), s, Eight::load(J + k * kTile)).store(to);
      }
    }
    tile += parts;
    J += parts * kTile;
  }
}

// Rows begin to end, with numbers in the same tiles: those of the parts `part` to `part + tiles`.
struct RowGroup {
  int begin, end, part, tiles;
  int pair;  // first of its pairs
};

// The products of parts `row` and `column` of a group's rows, counted within them, are added to a slot of the Hessian.
struct PartPair {
  int slot, row, column;
};

struct RowGroups {
  RowGroup* group = nullptr;
  int count = 0;
  PartPair* pairs = nullptr;  // of all groups
  int pair_count = 0;
  std::size_t most_numbers = 0;  // of the rows of a group, or of the squares that a cone of it is a sum of
};

TORSOR_INLINE bool same_tiles(const BlockProblem& p, int row, const RowGroup& group) {
  if (p.row_begin[row + 1] - p.row_begin[row] != group.tiles) return false;
  for (int k = 0; k < group.tiles; ++k) {
    if (p.tile[p.row_begin[row] + k] != p.tile[group.part + k]) return false;
  }
  return true;
}

TORSOR_LOCAL RowGroups find_groups(const BlockProblem& p, Scratch& scratch) {
  RowGroups groups;
  groups.group = scratch.take<RowGroup>(p.rows.count);
  if (scratch.full()) return groups;
  for (int r = 0; r < p.rows.count; ++r) {
    if (groups.count == 0 || !same_tiles(p, r, groups.group[groups.count - 1])) {
      const int tiles = p.row_begin[r + 1] - p.row_begin[r];
      groups.group[groups.count++] = {r, r, p.row_begin[r], tiles, 0};
      groups.pair_count += tiles * (tiles + 1) / 2;
    }
    RowGroup& group = groups.group[groups.count - 1];
    group.end = r + 1;
    const std::size_t rows = group.end - group.begin < kMaxConeDim ? kMaxConeDim : group.end - group.begin;
    if (rows * group.tiles * kTile > groups.most_numbers) groups.most_numbers = rows * group.tiles * kTile;
  }
  return groups;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
