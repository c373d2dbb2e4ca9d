// The dual problem of an island while a group of threads works on it: what solver/kernels/dual_visits.hpp asks for.
// Number i of an array that follows the forces belongs to thread i % L. Forces are the same in all threads, which read
// them after a sync and write them after all have read; what all threads compute from the same numbers has the same
// bits.
#pragma once

#include "torsor/gpu/kernels/group.hpp"
#include "torsor/gpu/kernels/group_memory.hpp"
#include "torsor/solver/kernels/dual_visits.hpp"
#include "torsor/solver/kernels/sweep_order.hpp"

namespace torsor::gpu {

// Of `count` rows; all in double, as on the processor.
struct DualArrays {
  int count;
  double *gradient, *force, *lower, *upper, *diagonal, *inverse;  // as those of DenseDual
  double *before, *last, *start;  // gradient and forces before the last sweep, and forces where it began
  double *b, *AR;
  double* visit;     // best forces of a cone, and by how much the cost changes
  SweepUnit* units;  // rows and cones in the order of visits
  solver::Cone* cones;
  int unit_count, cone_count;

  TORSOR_INLINE void take(GroupMemory& memory, int rows, int turns, int contacts) {
    count = rows;
    for (double** array : {&gradient, &force, &lower, &upper, &diagonal, &inverse, &before, &last, &start, &b})
      *array = memory.take<double>(rows);
    visit = memory.take<double>(kMaxConeDim + 1);
    units = memory.take<SweepUnit>(turns > rows ? turns : rows);
    cones = memory.take<solver::Cone>(contacts);
    AR = memory.take<double>(std::ptrdiff_t(rows) * rows);
  }
};

template <int L>
struct GroupDual : DualArrays {
  Group<L> group;

  // Calls f(i) for the numbers of this thread.
  template <class F>
  TORSOR_INLINE void for_own(F f) const {
    for (int i = group.lane(); i < count; i += L) f(i);
  }
  TORSOR_INLINE const double* row(int r) const { return AR + std::ptrdiff_t(r) * count; }
  TORSOR_INLINE void add_row(int r, double change, double* to) const {
    const double* const A = row(r);
    for_own([&](int i) { to[i] = fma(change, A[i], to[i]); });
  }
};

template <int L>
TORSOR_INLINE double gradient_of(const GroupDual<L>& problem, const double*, int row) {
  problem.group.sync();
  return problem.gradient[row];
}
template <int L>
TORSOR_INLINE void follow(const GroupDual<L>& problem, int row, double change) {
  problem.group.sync();  // the others have read what this changes
  problem.add_row(row, change, problem.gradient);
}
template <int L>
TORSOR_INLINE void set_block(const GroupDual<L>& problem, const double* force, int row, int dim, DualBlock& block) {
  block.row = row;
  block.dim = dim;
  for (int i = 0; i < dim; ++i) {
    const double* const AR = problem.row(row + i);
    block.c[i] = problem.gradient[row + i];
    for (int j = 0; j < dim; ++j) {
      block.A[kMaxConeDim * i + j] = AR[row + j];
      block.c[i] -= AR[row + j] * force[row + j];
    }
  }
}

// One thread searches: the numbers of a search would take much memory in each.
template <int L>
TORSOR_APART double improve_group_cone(const GroupDual<L>& problem, const solver::Cone& cone, double* force) {
  problem.group.sync();
  if (problem.group.lane() == 0) {
    DualBlock block{};
    set_block(problem, force, cone.row, cone.dim, block);
    double x[kMaxConeDim] = {};
    find_in_cone(block, cone, force + cone.row, x);
    for (int i = 0; i < cone.dim; ++i) problem.visit[i] = x[i];
    problem.visit[kMaxConeDim] = change_by(block, x, force + cone.row);
  }
  problem.group.sync();
  return accept(problem, cone.row, cone.dim, problem.visit[kMaxConeDim], problem.visit, force);
}

}  // namespace torsor::gpu
