// Where the numbers of an island are while a group solves it.
#pragma once

#include "torsor/gpu/kernels/group.hpp"
#include "torsor/gpu/newton.hpp"

namespace torsor::gpu {

// Friction: D, b and bound of each dof; limits: D and b.
enum UnitNumber { kFrictionD, kLowerD, kUpperD, kFrictionB, kLowerB, kUpperB, kFrictionLoss, kUnitNumbers };
inline constexpr int kOwnVectors = 6;  // of memory where they are not in registers

// Where M and the factor L of H are, for rows of so many columns in registers, 0 for those in memory.
//     kTwoSquares  a square each. A thread reads its row of M four numbers at a time, and nothing but L is below the
//                  diagonal of the other square, zeros above it. M(i, j) is at mass[mass_stride i + j], L(i, j), j < i,
//                  at matrix[stride i + j]
//     kOneSquare   one for both: M(i, j), i <= j, is at matrix[stride i + j + 1], L(i, j), j <= i, at
//                  matrix[stride i + j]
//     kMassApart   M is in memory that only the group shares, as a square whose columns threads read side by side: M(i,
//                  j) is at mass[columns j + i]. L is packed row by row: L(i, j), j <= i, is at matrix[i (i + 1) / 2 +
//                  j]
// The odd stride of a square spares conflicts of banks down a column; the triangle has none.
enum class Layout { kTwoSquares, kOneSquare, kMassApart };
TORSOR_INLINE constexpr Layout layout_of(int columns_in_registers) {
  if (columns_in_registers == 0) return Layout::kOneSquare;
  return columns_in_registers <= 36   ? Layout::kTwoSquares
         : columns_in_registers <= 64 ? Layout::kOneSquare
                                      : Layout::kMassApart;
}
// Rows of M in two squares: threads that read four numbers of theirs meet different banks where this is an odd multiple
// of 4.
TORSOR_INLINE constexpr int mass_stride(int columns) { return columns / 4 % 2 == 1 ? columns : columns + 4; }
// Numbers of M where it has a place of its own, and of the factor, which M may share
TORSOR_INLINE constexpr std::ptrdiff_t mass_numbers(int columns) {
  const Layout layout = layout_of(columns);
  if (layout == Layout::kOneSquare) return 0;
  return std::ptrdiff_t(columns) * (layout == Layout::kTwoSquares ? mass_stride(columns) : columns);
}
TORSOR_INLINE constexpr std::ptrdiff_t factor_numbers(int columns, bool in_registers) {
  const std::ptrdiff_t square = std::ptrdiff_t(columns) * (columns + 1);
  return in_registers && layout_of(columns) == Layout::kMassApart ? square / 2 : square;
}
// Place of L(i, j) among them
template <int kColumnsInRegisters>
TORSOR_INLINE constexpr int factor_place(int i, int j) {
  if constexpr (layout_of(kColumnsInRegisters) == Layout::kMassApart) return i * (i + 1) / 2 + j;
  return i * (kColumnsInRegisters + 1) + j;
}
// Of what a group shares, without rows.
TORSOR_INLINE constexpr std::ptrdiff_t dof_numbers(int columns, bool in_registers) {
  const bool has_square = in_registers && layout_of(columns) == Layout::kTwoSquares;
  return (has_square ? mass_numbers(columns) : 0) + factor_numbers(columns, in_registers) +
         (3 + kUnitNumbers + (in_registers ? 0 : kOwnVectors)) * columns + 8;
}

// `columns` is the capacity in dofs, a multiple of 4; v, column and units are vectors of so many numbers.
template <class S>
struct IslandMemory {
  S *mass, *matrix;          // see Layout
  S* v;                      // a vector that all threads of the group read
  S* column;                 // two buffers of columns + 4: a column of H, and after it a number of the right side
  S* units;                  // [UnitNumber][columns]
  S* own;                    // [kOwnVectors][columns], with dofs beyond registers
  S *x, *along, *force, *K;  // of rows and items
  int columns;

  TORSOR_INLINE int stride() const { return columns + 1; }
  TORSOR_INLINE S* take_dofs(S* from, int capacity, bool in_registers) {
    columns = capacity;
    mass = from;
    const bool has_square = in_registers && layout_of(columns) == Layout::kTwoSquares;
    matrix = mass + (has_square ? mass_numbers(columns) : 0);
    v = matrix + factor_numbers(columns, in_registers);
    column = v + columns;
    units = column + 2 * (columns + 4);
    own = units + kUnitNumbers * columns;
    return own + (in_registers ? 0 : kOwnVectors * columns);
  }
  TORSOR_INLINE void take_rows(S* from, int rows) {
    x = from;
    along = x + rows;
    force = along + rows;
    K = force + rows;
  }
};

// A number for each dof of this thread, dofs lane, lane + L, ...: in kCount registers, or in memory.
template <class S, int kCount, int L>
class OwnNumbers {
 public:
  TORSOR_INLINE OwnNumbers(S*, int) {}
  TORSOR_INLINE S& operator[](int s) { return numbers_[s]; }
  TORSOR_INLINE S operator[](int s) const { return numbers_[s]; }

 private:
  S numbers_[kCount];
};
template <class S, int L>
class OwnNumbers<S, 0, L> {
 public:
  TORSOR_INLINE OwnNumbers(S* memory, int lane) : numbers_(memory + lane) {}
  TORSOR_INLINE S& operator[](int s) const { return numbers_[s * L]; }

 private:
  S* numbers_;
};

// where dofs beyond those of the island read what nobody uses
TORSOR_INLINE int at_most(int i, int last) { return i < last ? i : last; }

// Calls f(s, i) for the dofs i of this thread; kCount is that of OwnNumbers.
template <int kCount, int L, class F>
TORSOR_INLINE void for_own_dofs(int lane, int n, F f) {
  if constexpr (kCount > 0) {
    TORSOR_DEVICE_UNROLL
    for (int s = 0; s < kCount; ++s) {
      if (s * L + lane < n) f(s, s * L + lane);
    }
  } else {
    for (int s = 0; s * L + lane < n; ++s) f(s, s * L + lane);
  }
}

}  // namespace torsor::gpu
