// Rows of one island while a group solves it: force, cost and curvature of its items, and derivatives along a line. The
// formulas are those of worlds in lanes.
#pragma once

#include "torsor/gpu/kernels/island_memory.hpp"
#include "torsor/solver/kernels/wide_cost.hpp"

namespace torsor::gpu {

// A row with bounds at x: twice its cost is held (2 x - held / D).
template <class S>
TORSOR_INLINE S cost_of_held(S D, S x, const HeldPull<S>& at) {
  if (at.curved || at.held == S(0)) return S(0.5) * at.held * x;
  return at.held * (x - S(0.5) * at.held / D);
}

template <class S, bool kElliptic>
class IslandRows {
 public:
  static TORSOR_INLINE constexpr int numbers(int dim) { return curvature_numbers(dim, kElliptic); }

  TORSOR_INLINE IslandRows(const ConstraintArrays<S>& arrays, const Island& island, const IslandMemory<S>& memory)
      : arrays_(arrays),
        memory_(memory),
        first_row_(std::ptrdiff_t(island.world) * arrays.row_capacity + island.first_row),
        first_item_(std::ptrdiff_t(island.world) * arrays.item_capacity + island.first_item),
        singles_(island.singles),
        rows_(rows_of(island)) {
    for (int k = 0; k < solver::kContactKinds; ++k) contacts_[k] = island.contacts[k];
  }

  TORSOR_INLINE int rows() const { return rows_; }
  TORSOR_INLINE const S* J(int row) const { return arrays_.J + (first_row_ + row) * arrays_.stride; }

  TORSOR_INLINE void set_to_b(int lane, int lanes) const {
    TORSOR_DEVICE_ROLL
    for (int r = lane; r < rows_; r += lanes) memory_.x[r] = arrays_.b[first_row_ + r];
  }
  TORSOR_INLINE void move(S step, int lane, int lanes) const {
    TORSOR_DEVICE_ROLL
    for (int r = lane; r < rows_; r += lanes) memory_.x[r] = fma(step, memory_.along[r], memory_.x[r]);
  }
  // along = J v for v in memory, zero beyond the island's n dofs
  template <int kColumns>
  TORSOR_INLINE void multiply(int n, int lane, int lanes) const {
    TORSOR_DEVICE_ROLL
    for (int r = lane; r < rows_; r += lanes) {
      const S* const row = J(r);
      S sum(0);
      const auto add = [&](int q) {
        const Four<S> a = load_four(row + 4 * q), v = load_four(memory_.v + 4 * q);
        TORSOR_DEVICE_UNROLL
        for (int e = 0; e < 4; ++e) sum = fma(a.of[e], v.of[e], sum);
      };
      if constexpr (kColumns > 0) {
        TORSOR_DEVICE_UNROLL
        for (int q = 0; q < kColumns / 4; ++q) {
          if (4 * q < n) add(q);
        }
      } else {
        for (int q = 0; 4 * q < n; ++q) add(q);
      }
      memory_.along[r] = sum;
    }
  }
  // J' force at dofs lane, lane + L, ... of n
  template <int kCount, int L>
  TORSOR_INLINE void multiply_transposed(int n, int lane, S (&to)[kCount]) const {
    TORSOR_DEVICE_UNROLL
    for (int s = 0; s < kCount; ++s) to[s] = S(0);
    const S* row = J(0);
    for (int r = 0; r < rows_; ++r, row += arrays_.stride) {
      const S force = memory_.force[r];
      TORSOR_DEVICE_UNROLL
      for (int s = 0; s < kCount; ++s) to[s] = fma(force, row[at_most(s * L + lane, n - 1)], to[s]);
    }
  }
  // k and D of the tangents of elliptic cones
  TORSOR_INLINE void compute_cone_numbers(int lane, int lanes) const {
    if constexpr (kElliptic) {
      for_items(lane, lanes, [&](auto dim, int item, int, S* K) {
        if constexpr (dim() > 1) {
          const ConeNumbers<S> cone = cone_numbers(D(item), mu(item));
          K[numbers(dim()) - 2] = cone.k;
          K[numbers(dim()) - 1] = cone.tangent_D;
        }
      });
    }
  }
  // Force and curvature of this thread's items at x; returns their cost.
  TORSOR_INLINE S evaluate(int lane, int lanes) const {
    S cost(0);
    for_items(lane, lanes, [&](auto dim, int item, int row, S* K) {
      constexpr int kDim = dim();
      S* const force = memory_.force + row;
      if constexpr (kDim == 1) {
        const S x = memory_.x[row];
        const HeldPull<S> at = held(x, item);
        cost += cost_of_held(D(item), x, at);
        force[0] = S(0) - at.held;
        K[0] = select(at.curved, D(item), S(0));
      } else {
        S x[kDim];
        TORSOR_DEVICE_UNROLL
        for (int a = 0; a < kDim; ++a) x[a] = memory_.x[row + a];
        if constexpr (kElliptic) {
          cost += S(0.5) * evaluate_wide_cone<kDim>(cone<kDim>(item, K), x, force, K);
        } else {
          cost += S(0.5) * evaluate_pyramid<kDim>(D(item), x, force, K);
        }
      }
    });
    return cost;
  }
  // First and second derivative of the cost of this thread's items at x + step along
  TORSOR_INLINE SlopeOf<S> slope(S step, int lane, int lanes) const {
    SlopeOf<S> sum{S(0), S(0)};
    for_items(lane, lanes, [&](auto dim, int item, int row, const S* K) {
      constexpr int kDim = dim();
      SlopeOf<S> here;
      if constexpr (kDim == 1) {
        const S p = memory_.along[row];
        const HeldPull<S> at = held(fma(step, p, memory_.x[row]), item);
        here = {p * at.held, select(at.curved, D(item) * p * p, S(0))};
      } else if constexpr (kElliptic) {
        here = slope_of_wide_cone<kDim>(cone<kDim>(item, K), memory_.x + row, memory_.along + row, step);
      } else {
        here = slope_of_pyramid<kDim>(D(item), memory_.x + row, memory_.along + row, step);
      }
      sum.first += here.first;
      sum.second += here.second;
    });
    return sum;
  }
  // H += J' K J, by all threads together. One loop for all kinds of items: the instruction cache is small.
  template <class Hessian>
  TORSOR_INLINE void add_to(Hessian& H) const {
    const S* K = memory_.K;
    int row = 0;
    const int contacts3 = contacts_[0], contacts4 = contacts_[1], contacts6 = contacts_[2];
    TORSOR_DEVICE_ROLL
    for (int kind = 0; kind <= solver::kContactKinds; ++kind) {
      const int dim = kind < 2 ? 1 + 2 * kind : 2 * kind, count = kind == 0   ? singles_
                                                                  : kind == 1 ? contacts3
                                                                  : kind == 2 ? contacts4
                                                                              : contacts6;
      add_items(H, dim, count, row, K);
    }
  }

 private:
  // Calls f(dim, item, row, K) for every `lanes`th item, the dim as a type.
  template <class F>
  TORSOR_INLINE void for_items(int lane, int lanes, F f) const {
    const int end3 = singles_ + contacts_[0], end4 = end3 + contacts_[1], end6 = end4 + contacts_[2];
    TORSOR_DEVICE_ROLL
    for (int e = lane; e < end6; e += lanes) {
      if (e < singles_) {
        f(std::integral_constant<int, 1>(), e, e, memory_.K + e);
        continue;
      }
      const int c3 = at_most(e, end3) - singles_;
      const int row = singles_ + 3 * c3, K = singles_ + numbers(3) * c3;
      if (e < end3) {
        f(std::integral_constant<int, 3>(), e, row, memory_.K + K);
      } else if (e < end4) {
        const int c = e - end3;
        f(std::integral_constant<int, 4>(), e, row + 4 * c, memory_.K + K + numbers(4) * c);
      } else {
        const int c4 = contacts_[1], c = e - end4;
        f(std::integral_constant<int, 6>(), e, row + 4 * c4 + 6 * c, memory_.K + K + numbers(4) * c4 + numbers(6) * c);
      }
    }
  }

  template <int kDim>
  TORSOR_INLINE ConeNumbers<S> cone(int item, const S* K) const {
    return {D(item), mu(item), K[numbers(kDim) - 2], K[numbers(kDim) - 1]};
  }
  template <class Hessian>
  TORSOR_INLINE void add_items(Hessian& H, int dim, int count, int& row, const S*& K) const {
    const int step = dim == 1 ? 1 : numbers(dim);
    TORSOR_DEVICE_ROLL
    for (int c = 0; c < count; ++c, row += dim, K += step) {
      if (K[0] == S(0)) continue;  // and so is the rest
      TORSOR_DEVICE_ROLL
      for (int a = 0; a < dim; ++a) H.add_row(J(row + a), [&](int i) { return row_of_product(K, J(row) + i, dim, a); });
    }
  }
  // Row a of K J, in the column of J that is given
  TORSOR_INLINE S row_of_product(const S* K, const S* J, int dim, int a) const {
    if (!kElliptic && a > 0) return fma(K[a], J[0], K[dim - 1 + a] * J[a * arrays_.stride]);
    S sum(0);
    TORSOR_DEVICE_ROLL
    for (int j = 0; j < dim; ++j) {
      const int at = !kElliptic ? j : a >= j ? a * (a + 1) / 2 + j : j * (j + 1) / 2 + a;
      sum = fma(K[at], J[j * arrays_.stride], sum);
    }
    return sum;
  }

  // Pointers into the arrays are made where they are used: kept, they would take many registers.
  TORSOR_INLINE S D(int item) const { return arrays_.D[first_item_ + item]; }
  TORSOR_INLINE S mu(int item) const { return arrays_.mu[first_item_ + item]; }
  TORSOR_INLINE HeldPull<S> held(S x, int item) const {
    return hold(D(item), x, arrays_.lower[first_item_ + item], arrays_.upper[first_item_ + item]);
  }

  const ConstraintArrays<S>& arrays_;
  const IslandMemory<S> memory_;
  const std::ptrdiff_t first_row_, first_item_;
  const int singles_, rows_;
  int contacts_[solver::kContactKinds];
};

}  // namespace torsor::gpu
