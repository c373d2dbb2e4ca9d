// States of rows at a solution of worlds in lanes, as numbers of RowState.
#pragma once

#include <limits>

#include "torsor/solver/kernels/wide_tiles.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class P>
TORSOR_INLINE P number_of(RowState state) {
  return P(int(state));
}

// of a unit or single row
template <class P>
TORSOR_INLINE P state_of_row(P D, P lower, P upper, P x) {
  const P pull = D * x;
  const auto is_friction = (lower > P(-std::numeric_limits<ScalarOf<P>>::infinity())) & (lower < upper);
  const P beyond =
      select(pull < P(0), number_of<P>(RowState::kLinearNegative), number_of<P>(RowState::kLinearPositive));
  const P straight = select(is_friction, beyond, number_of<P>(RowState::kSatisfied));
  return select((pull > lower) & (pull < upper), number_of<P>(RowState::kQuadratic), straight);
}

// of the edge x_0 + side x_j of a pyramid, side 1 or -1, and its force
template <class P>
TORSOR_INLINE P state_of_edge(P D, const P* x, int j, double side) {
  return select(D * (x[0] + P(side) * x[j]) < P(0), number_of<P>(RowState::kQuadratic),
                number_of<P>(RowState::kSatisfied));
}
template <class P>
TORSOR_INLINE P force_of_edge(P D, const P* x, int j, double side) {
  return P(0) - D * min(x[0] + P(side) * x[j], P(0));
}

// of the rows of an elliptic contact
template <class P>
TORSOR_INLINE P state_of_cone(P D, P mu, const P* x, int dim) {
  P square(0);
  for (int j = 1; j < dim; ++j) square = fma(x[j], x[j], square);
  const P length = sqrt(square), N = mu * x[0];
  const P touching =
      select(fma(mu, N, length) <= P(0), number_of<P>(RowState::kQuadratic), number_of<P>(RowState::kCone));
  return select((N >= mu * length) | (D <= P(0)), number_of<P>(RowState::kSatisfied), touching);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
