// M = L' D L of one island by a group of threads, leaves first, in the sparsity of trees: nothing fills in. Rows of D L
// take the place of those of M; `inverse` is that of D.
#pragma once

#include "torsor/gpu/kernels/group.hpp"
#include "torsor/gpu/kernels/group_memory.hpp"
#include "torsor/gpu/kernels/register_hessian.hpp"

namespace torsor::gpu {

// The sum of x over the threads before this one, and of all.
template <class T>
struct Prefix {
  T before, all;
};
template <int L, class T>
TORSOR_INLINE Prefix<T> sum_before(const Group<L>& group, T x) {
  Prefix<T> sum{T(0), T(0)};
  TORSOR_DEVICE_ROLL
  for (int other = 0; other < L; ++other) {
    const T of_other = group.broadcast(x, other);
    if (other < group.lane()) sum.before += of_other;
    sum.all += of_other;
  }
  return sum;
}

// n dofs whose rows of M have so many numbers in all
template <class S>
struct MassArrays {
  S *numbers, *inverse, *least;  // least: what pivots may be
  int* begin;                    // [n], of rows among the numbers

  TORSOR_INLINE void take(GroupMemory& memory, int n, int count) {
    numbers = memory.take<S>(count);
    inverse = memory.take<S>(n);
    least = memory.take<S>(n);
    begin = memory.take<int>(n);
  }
};

template <class S, int L>
class IslandMass {
 public:
  TORSOR_INLINE IslandMass(const ConstraintArrays<S>& arrays, const Island& island)
      : arrays_(arrays),
        world_(island.world),
        n_(island.dofs),
        lane_(group_.lane()),
        dofs_(arrays.dofs + std::ptrdiff_t(island.world) * arrays.nv + island.first_dof) {}

  TORSOR_INLINE int count_numbers() const {
    int count = 0;
    for (int i = lane_; i < n_; i += L) count += arrays_.M_rownnz[dofs_[i]];
    return group_.sum(count);
  }
  // Returns the trace.
  TORSOR_INLINE S load(const MassArrays<S>& to) {
    at_ = to;
    S trace(0);
    int begin = 0;
    for (int first = 0; first < n_; first += L) {
      const int i = first + lane_, dof = dofs_[at_most(i, n_ - 1)], count = i < n_ ? arrays_.M_rownnz[dof] : 0;
      const Prefix<int> sum = sum_before(group_, count);
      const int from = arrays_.M_rowadr[dof], own = begin + sum.before;
      begin += sum.all;
      if (i >= n_) continue;
      at_.begin[i] = own;
      for (int k = 0; k < count; ++k) at_.numbers[own + k] = arrays_.M.at(world_, from + k);
      if (arrays_.implicit.base) at_.numbers[own + count - 1] += arrays_.implicit.at(world_, dof);
      const S diagonal = at_.numbers[own + count - 1];
      at_.least[i] = least_pivot(diagonal);
      trace += diagonal;
    }
    return group_.sum(trace);
  }
  // The ancestors of a dof are those of its parent and the parent: number b of the row of ancestor a is at place b.
  TORSOR_INLINE void factor() const {
    for (int i = n_ - 1; i >= 0; --i) {
      group_.sync();
      const int ancestors = arrays_.M_rownnz[dofs_[i]] - 1;
      const int* const columns = columns_of(i);
      const S* const row = at_.numbers + at_.begin[i];
      const S inverse = S(1) / max(row[ancestors], at_.least[i]);
      if (lane_ == 0) at_.inverse[i] = inverse;
      for (int pair = lane_; pair < ancestors * ancestors; pair += L) {
        const int a = pair / ancestors, b = pair % ancestors;
        if (b <= a) at_.numbers[at_.begin[place(i, columns[a])] + b] -= row[b] * (row[a] * inverse);
      }
    }
    group_.sync();
  }
  // v = D^-1/2 L^-T v by one thread, for v in steps of `stride`
  TORSOR_INLINE void half_solve(S* v, std::ptrdiff_t stride) const {
    for (int i = n_ - 1; i >= 0; --i) {
      const S x = v[i * stride];
      if (x == S(0)) continue;
      const S inverse = at_.inverse[i], scaled = x * inverse;
      for_each_ancestor(i, [&](int k, S number) { v[k * stride] -= number * scaled; });
      v[i * stride] = x * sqrt(inverse);
    }
  }
  // v = M^-1 v by one thread
  TORSOR_INLINE void solve_alone(S* v, std::ptrdiff_t stride) const {
    for (int i = n_ - 1; i >= 0; --i) {
      const S x = v[i * stride];
      if (x == S(0)) continue;
      const S scaled = x * at_.inverse[i];
      for_each_ancestor(i, [&](int k, S number) { v[k * stride] -= number * scaled; });
    }
    for (int i = 0; i < n_; ++i) {
      S x = v[i * stride];
      for_each_ancestor(i, [&](int k, S number) { x -= number * v[k * stride]; });
      v[i * stride] = x * at_.inverse[i];
    }
  }
  // M as a square, before it is factored
  TORSOR_INLINE void write_square(S* M) const {
    for (std::ptrdiff_t k = lane_; k < std::ptrdiff_t(n_) * n_; k += L) M[k] = S(0);
    group_.sync();
    for (int i = lane_; i < n_; i += L) {
      for_each_ancestor(
          i, [&](int k, S number) { M[std::ptrdiff_t(i) * n_ + k] = M[std::ptrdiff_t(k) * n_ + i] = number; });
      M[std::ptrdiff_t(i) * (n_ + 1)] = at_.numbers[at_.begin[i] + arrays_.M_rownnz[dofs_[i]] - 1];
    }
    group_.sync();
  }
  // v = M^-1 v by all threads
  TORSOR_INLINE void solve(S* v) const {
    for (int i = n_ - 1; i >= 0; --i) {
      group_.sync();
      const S scaled = v[i] * at_.inverse[i];
      for_own_ancestors(i, [&](int k, S number) { v[k] -= number * scaled; });
    }
    group_.sync();
    for (int i = lane_; i < n_; i += L) v[i] *= at_.inverse[i];
    for (int i = 0; i < n_; ++i) {
      group_.sync();
      S sum(0);
      for_own_ancestors(i, [&](int k, S number) { sum = fma(number, v[k], sum); });
      sum = group_.sum(sum);
      if (lane_ == 0) v[i] -= at_.inverse[i] * sum;
    }
    group_.sync();
  }

 private:
  TORSOR_INLINE const int* columns_of(int i) const { return arrays_.M_colind + arrays_.M_rowadr[dofs_[i]]; }
  // The dofs of a tree follow each other in the model and in the island.
  TORSOR_INLINE int place(int i, int column) const { return i + column - dofs_[i]; }
  // Calls f(ancestor, number of the row) for ancestors of dof i: for all, or for those of this thread.
  template <class F>
  TORSOR_INLINE void for_each_ancestor(int i, F f, int first = 0, int step = 1) const {
    const int ancestors = arrays_.M_rownnz[dofs_[i]] - 1;
    const int* const columns = columns_of(i);
    const S* const row = at_.numbers + at_.begin[i];
    for (int k = first; k < ancestors; k += step) f(place(i, columns[k]), row[k]);
  }
  template <class F>
  TORSOR_INLINE void for_own_ancestors(int i, F f) const {
    for_each_ancestor(i, f, lane_, L);
  }

  const ConstraintArrays<S>& arrays_;
  const int world_, n_;
  const Group<L> group_{};
  const int lane_;
  const int* const dofs_;
  MassArrays<S> at_;
};

}  // namespace torsor::gpu
