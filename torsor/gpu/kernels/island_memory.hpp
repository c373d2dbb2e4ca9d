// Where the numbers of an island are while a group solves it.
#pragma once

#include "torsor/gpu/kernels/group.hpp"
#include "torsor/gpu/newton.hpp"

namespace torsor::gpu {

// Friction: D, b and bound of each dof; limits: D and b.
enum UnitNumber { kFrictionD, kLowerD, kUpperD, kFrictionB, kLowerB, kUpperB, kFrictionLoss, kUnitNumbers };
inline constexpr int kOwnVectors = 6;  // of memory where they are not in registers

// Whether M and the factor L of H have a square each. Where there is room for it, a thread reads its row of M four
// numbers at a time, and nothing but L is below the diagonal of the other square, zeros above it.
TORSOR_INLINE constexpr bool has_two_squares(int columns, bool in_registers) { return in_registers && columns <= 36; }
// Rows of M: threads that read four numbers of theirs meet different banks where this is an odd multiple of 4.
TORSOR_INLINE constexpr int mass_stride(int columns) { return columns / 4 % 2 == 1 ? columns : columns + 4; }

// `columns` is the capacity in dofs, a multiple of 4; v, column and units are vectors of so many numbers.
template <class S>
struct IslandMemory {
  // Two squares: M(i, j) is at mass[mass_stride i + j], and L(i, j), j < i, at matrix(i, j).
  // One: M(i, j), i <= j, is at matrix(i, j + 1), L(i, j), j <= i, at matrix(i, j).
  // The odd stride of the matrix spares conflicts of banks down a column.
  S* mass;
  S* matrix;
  S* v;                      // a vector that all threads of the group read
  S* column;                 // two buffers of columns + 4: a column of H, and after it a number of the right side
  S* units;                  // [UnitNumber][columns]
  S* own;                    // [kOwnVectors][columns], with dofs beyond registers
  S *x, *along, *force, *K;  // of rows and items
  int columns;

  static TORSOR_INLINE constexpr std::ptrdiff_t dof_numbers(int columns, bool in_registers) {
    const std::ptrdiff_t of_mass =
        has_two_squares(columns, in_registers) ? std::ptrdiff_t(columns) * mass_stride(columns) : 0;
    return of_mass + std::ptrdiff_t(columns) * (columns + 1) +
           (3 + kUnitNumbers + (in_registers ? 0 : kOwnVectors)) * columns + 8;
  }
  TORSOR_INLINE int stride() const { return columns + 1; }
  TORSOR_INLINE S* take_dofs(S* from, int capacity, bool in_registers) {
    columns = capacity;
    mass = from;
    matrix = mass + (has_two_squares(columns, in_registers) ? columns * mass_stride(columns) : 0);
    v = matrix + std::ptrdiff_t(columns) * stride();
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
