// What register_hessian.hpp does, for islands of any size: H is in the lower half of the island's matrix, and its
// factor takes its place. Row i belongs to thread i % L.
#pragma once

#include "torsor/gpu/kernels/register_hessian.hpp"

namespace torsor::gpu {

template <class S, int L>
class MemoryHessian {
 public:
  using Own = OwnNumbers<S, 0, L>;

  TORSOR_INLINE MemoryHessian(const Group<L>& group, const IslandMemory<S>& memory, int n)
      : group_(group), memory_(memory), n_(n), stride_(memory.stride()) {
    for_own_rows(0, [&](int, int i) {
      for (int j = 0; j <= i; ++j) at(i, j) = at(j, i + 1);
    });
  }
  template <class F>
  TORSOR_INLINE void add_row(const S* J, F scaled) {
    for_own_rows(0, [&](int, int i) {
      const S factor = scaled(i);
      S* const H = &at(i, 0);
      for (int j = 0; j <= i; ++j) H[j] += factor * J[j];
    });
  }
  TORSOR_INLINE void solve(const Own& weights, Own& y) {
    // the least that a pivot may be waits in the vector that all threads read
    for_own_rows(0, [&](int s, int i) {
      at(i, i) += weights[s];
      memory_.v[i] = least_pivot(at(i, i));
    });
    for (int k = 0; k < n_; ++k) eliminate(k, y);
    solve_back(y);
  }

 private:
  TORSOR_INLINE S& at(int i, int j) const { return memory_.matrix[std::ptrdiff_t(i) * stride_ + j]; }
  // rows of this thread from `first` on
  template <class F>
  TORSOR_INLINE void for_own_rows(int first, F f) const {
    const int lane = group_.lane();
    for (int s = (first - lane + L - 1) / L; s * L + lane < n_; ++s) f(s, s * L + lane);
  }
  TORSOR_INLINE void eliminate(int k, Own& y) {
    S* const column = memory_.column + k % 2 * (memory_.columns + 4);
    for_own_rows(k, [&](int s, int i) {
      column[i] = i == k ? max(at(k, k), memory_.v[k]) : at(i, k);
      if (i == k) column[memory_.columns] = y[s];
    });
    group_.sync();
    const S inverse = reciprocal(column[k]), yk = column[memory_.columns];
    for_own_rows(k, [&](int s, int i) {
      S* const H = &at(i, 0);
      if (i == k) {
        H[k] = inverse;
        return;
      }
      const S scaled = H[k] * inverse;
      y[s] -= scaled * yk;
      H[k] = scaled;
      for (int j = k + 1; j <= i; ++j) H[j] -= scaled * column[j];
    });
  }
  TORSOR_INLINE void solve_back(Own& y) const {
    for_own_rows(0, [&](int s, int i) { y[s] *= at(i, i); });
    group_.sync();
    for (int k = n_ - 1; k > 0; --k) {
      if (k % L == group_.lane()) memory_.v[k] = y[k / L];
      group_.sync();
      const S yk = memory_.v[k];
      for_own_rows(0, [&](int s, int i) {
        if (i < k) y[s] -= at(k, i) * yk;
      });
    }
  }

  const Group<L> group_;
  const IslandMemory<S> memory_;
  int n_, stride_;
};

}  // namespace torsor::gpu
