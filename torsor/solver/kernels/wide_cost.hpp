// Cost, force and curvature of rows with one world per lane, and their derivatives along a line. The tangents of a
// contact are scaled by friction, see wide_problem.hpp. `K` is the matrix of second derivatives of a contact's cost:
//     pyramid   K_00, K_0j ..., K_jj ...: the rest is zero
//     cone      the lower half, row by row
#pragma once

#include "torsor/solver/kernels/row_formulas.hpp"
#include "torsor/solver/kernels/wide_tiles.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <int kDim, bool kElliptic>
inline constexpr int kCurvatures = kElliptic ? kDim*(kDim + 1) / 2 : 2 * kDim - 1;

// What a contact has besides its rows.
template <class P>
struct ConeNumbers {
  P D, mu, k, tangent_D;  // k of cones.hpp
};
template <class P>
TORSOR_INLINE ConeNumbers<P> cone_numbers(P D, P mu) {
  const P square = mu * mu, tangent = select(D > P(0), D / square, P(0));
  return {D, mu, tangent / (P(1) + square), tangent};
}

// Pyramid at x: returns twice its cost.
template <int kDim, class P>
TORSOR_INLINE P evaluate_pyramid(P D, const P* x, P* force, P* K) {
  const P zero(0);
  P cost = zero, normal = zero, K00 = zero;
  TORSOR_UNROLL
  for (int j = 1; j < kDim; ++j) {
    const P plus = x[0] + x[j], minus = x[0] - x[j];
    const P held_plus = D * min(zero, plus), held_minus = D * min(zero, minus);  // NaN stays NaN
    const P D_plus = select(plus < zero, D, zero), D_minus = select(minus < zero, D, zero);
    normal += held_plus + held_minus;
    force[j] = zero - (held_plus - held_minus);
    cost = fma(held_plus, plus, fma(held_minus, minus, cost));
    K[j] = D_plus - D_minus;
    K[kDim - 1 + j] = D_plus + D_minus;
    K00 += D_plus + D_minus;
  }
  force[0] = zero - normal;
  K[0] = K00;
  return cost;
}

// Elliptic cone at x: returns twice its cost.
template <int kDim, class P>
TORSOR_INLINE P evaluate_wide_cone(const ConeNumbers<P>& cone, const P* x, P* force, P* K) {
  const P zero(0), tiny(sizeof(ScalarOf<P>) == 8 ? 1e-150 : 1e-18);
  P square = zero, unit[kDim - 1];
  TORSOR_UNROLL
  for (int j = 1; j < kDim; ++j) square = fma(x[j], x[j], square);
  const P length = sqrt(square), inverse = P(1) / max(length, tiny), N = cone.mu * x[0];
  TORSOR_UNROLL
  for (int j = 1; j < kDim; ++j) unit[j - 1] = x[j] * inverse;
  const auto outside = N >= cone.mu * length, bottom = fma(cone.mu, N, length) <= zero;
  // in between: 1/2 D_middle (x_0 - T)^2
  const P D_middle = cone.k * cone.mu * cone.mu, gap = x[0] - length;
  const auto place = [&](P at_bottom, P middle) __attribute__((always_inline)) {
    return select(outside, zero, select(bottom, at_bottom, middle));
  };
  const P across = place(cone.tangent_D, zero - D_middle * gap * inverse), radial = place(zero, D_middle);
  const P pull = place(cone.D * x[0], D_middle * gap);
  force[0] = zero - pull;
  K[0] = place(cone.D, D_middle);
  const P beyond = place(zero, D_middle - across);
  TORSOR_UNROLL
  for (int i = 1; i < kDim; ++i) {
    force[i] = zero - across * x[i];
    P* row = K + i * (i + 1) / 2;
    row[0] = zero - radial * unit[i - 1];
    TORSOR_UNROLL
    for (int j = 1; j <= i; ++j) {
      const P product = beyond * unit[i - 1] * unit[j - 1];
      row[j] = i == j ? product + across : product;
    }
  }
  return place(fma(cone.D * x[0], x[0], cone.tangent_D * square), D_middle * gap * gap);
}

// The columns of K J in one tile, rows of 3 numbers.
template <int kDim, bool kElliptic, class P>
TORSOR_INLINE void scale_tile(const P* K, const P* J, P* to) {
  TORSOR_UNROLL
  for (int k = 0; k < kWideTile; ++k) {
    TORSOR_UNROLL
    for (int i = 0; i < kDim; ++i) {
      P sum;
      if constexpr (kElliptic) {
        sum = K[i * (i + 1) / 2] * J[k];
        TORSOR_UNROLL
        for (int j = 1; j < kDim; ++j) {
          sum = fma(K[i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i], J[3 * j + k], sum);
        }
      } else if (i == 0) {
        sum = K[0] * J[k];
        TORSOR_UNROLL
        for (int j = 1; j < kDim; ++j) sum = fma(K[j], J[3 * j + k], sum);
      } else {
        sum = fma(K[i], J[k], K[kDim - 1 + i] * J[3 * i + k]);
      }
      to[3 * i + k] = sum;
    }
  }
}

// Along a line: x + step p.
template <int kDim, class P>
TORSOR_INLINE SlopeOf<P> slope_of_pyramid(P D, const P* x, const P* p, P step) {
  const P zero(0), at = fma(step, p[0], x[0]);
  P first = zero, second = zero;
  TORSOR_UNROLL
  for (int j = 1; j < kDim; ++j) {
    const P tangent = fma(step, p[j], x[j]);
    const P plus = at + tangent, minus = at - tangent, p_plus = p[0] + p[j], p_minus = p[0] - p[j];
    first = fma(min(zero, plus), p_plus, fma(min(zero, minus), p_minus, first));
    second += select(plus < zero, p_plus * p_plus, zero) + select(minus < zero, p_minus * p_minus, zero);
  }
  return {D * first, D * second};
}

template <int kDim, class P>
TORSOR_INLINE SlopeOf<P> slope_of_wide_cone(const ConeNumbers<P>& cone, const P* x, const P* p, P step) {
  const P at = fma(step, p[0], x[0]);
  P square(0), half_derivative(0), T11(0);
  TORSOR_UNROLL
  for (int j = 1; j < kDim; ++j) {
    const P tangent = fma(step, p[j], x[j]);
    square = fma(tangent, tangent, square);
    half_derivative = fma(tangent, p[j], half_derivative);
    T11 = fma(p[j], p[j], T11);
  }
  const SlopeOf<P> quadratic{fma(cone.D * at, p[0], cone.tangent_D * half_derivative),
                             fma(cone.D * p[0], p[0], cone.tangent_D * T11)};
  return slope_of_cone(cone.mu, cone.k, cone.mu * at, cone.mu * p[0], square, half_derivative, T11, quadratic);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
