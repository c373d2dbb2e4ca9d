// The matrix of the dual problem, A + R with A = J M^-1 J' = Y' Y, Y = D^-1/2 L^-T J'.
#pragma once

#include "torsor/solver/kernels/dense_dual.hpp"
#include "torsor/solver/kernels/row_cost.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// Y has a row of `ld` numbers for each dof: all rows of J are solved together.
TORSOR_LOCAL void half_solve_rows(const DenseProblem& p, const TreeFactor& factor, int ld, double* Y) {
  const int m = p.rows.count;
  for (int i = 0; i < p.n; ++i) {
    double* y = Y + std::ptrdiff_t(i) * ld;
    for (int r = 0; r < m; ++r) y[r] = p.J[std::ptrdiff_t(r) * p.ld + i];
    fill(y + m, ld - m, 0);
  }
  for (int i = p.n - 1; i >= 0; --i) {
    const int dof = factor.dofs[i], first = factor.begin[dof];
    double* y = Y + std::ptrdiff_t(i) * ld;
    for (int k = first; k < first + factor.count[dof] - 1; ++k) {
      double* to = Y + std::ptrdiff_t(factor.place[factor.column[k]]) * ld;
      const Lanes L(-factor.L[k]);
      for (int c = 0; c < ld; c += kLaneCount) fma(L, Lanes::load(y + c), Lanes::load(to + c)).store(to + c);
    }
    const Lanes scale(sqrt(factor.inverse[dof]));  // after row i is done with: those above do not read it
    for (int c = 0; c < ld; c += kLaneCount) (scale * Lanes::load(y + c)).store(y + c);
  }
}

// Columns c to c + lanes of kRows rows of Y' Y
template <int kRows>
TORSOR_INLINE void multiply_columns(int n, int ld, const double* Y, int r, int c, double* A) {
  Lanes sum[kRows];
  for (Lanes& each : sum) each = Lanes(0);
  for (int i = 0; i < n; ++i) {
    const double* y = Y + std::ptrdiff_t(i) * ld;
    const Lanes columns = Lanes::load(y + c);
#pragma GCC unroll 4
    for (int k = 0; k < kRows; ++k) sum[k] = fma(Lanes(y[r + k]), columns, sum[k]);
  }
  for (int k = 0; k < kRows; ++k) sum[k].store(A + std::ptrdiff_t(r + k) * ld + c);
}

TORSOR_LOCAL void multiply_by_inverse(const DenseProblem& p, const TreeFactor& factor, double* Y, double* AR) {
  half_solve_rows(p, factor, dual_stride(p.rows.count), Y);
  square_rows(p.rows.count, p.n, Y, p.rows.R, AR);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
