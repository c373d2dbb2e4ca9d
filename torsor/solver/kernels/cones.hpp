// Elliptic friction cones: cost, force, second derivatives, and the cost along a line, eight cones at a time.
//
// With N = mu x_0, T = |t|, t_j = friction_j x_j, and k = D_0 / (mu^2 (1 + mu^2)), the cost between the cone and its
// polar is s = 1/2 k (N - mu T)^2. Its second derivatives are k q q' + k mu (mu T - N) / T P, where q = (mu, -mu f_j
// t_j / T) is the derivative of N - mu T and P = F (1 - t t' / T^2) F takes what is across t: a sum of squares that we
// write down at once.
#pragma once

#include "torsor/solver/kernels/row_cost.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// N, T and the zone of x
struct ConePlace {
  double N, T;
  RowState zone;
};

TORSOR_INLINE ConePlace place_in_cone(const Cone& cone, const double* x) {
  double square = 0;
  for (int j = 1; j < cone.dim; ++j) {
    const double t = cone.friction[j - 1] * x[j];
    square += t * t;
  }
  const double N = cone.mu * x[0], T = sqrt(square);
  if (N >= cone.mu * T) return {N, T, RowState::kSatisfied};
  return {N, T, cone.mu * N + T <= 0 ? RowState::kQuadratic : RowState::kCone};
}

TORSOR_INLINE double cone_stiffness(const Cone& cone, double D) {
  return D / (cone.mu * cone.mu * (1 + cone.mu * cone.mu));
}

struct ConeCost {
  double cost;
  RowState zone;
};

// Cost and forces at x, all of them pointing to the rows of the cone.
TORSOR_INLINE ConeCost evaluate_cone(const Cone& cone, const double* D, const double* x, double* force) {
  const ConePlace at = place_in_cone(cone, x);
  double cost = 0;
  if (at.zone == RowState::kSatisfied) {
    fill(force, cone.dim, 0);
  } else if (at.zone == RowState::kQuadratic) {
    for (int j = 0; j < cone.dim; ++j) {
      force[j] = 0 - D[j] * x[j];  // never -0
      cost -= 0.5 * force[j] * x[j];
    }
  } else {
    const double k = cone_stiffness(cone, D[0]), gap = at.N - cone.mu * at.T;
    cost = 0.5 * k * gap * gap;
    force[0] = -k * gap * cone.mu;
    for (int j = 1; j < cone.dim; ++j) {
      const double f = cone.friction[j - 1];
      force[j] = -force[0] / at.T * f * f * x[j];
    }
  }
  return {cost, at.zone};
}

// Cost, forces and states of all rows at x; force and state may be null.
TORSOR_LOCAL double evaluate(const Rows& rows, const double* x, double* force, int* state) {
  double cost = 0;
  int cone = 0;
  for (int r = 0; r < rows.count;) {
    double f[kMaxConeDim];
    RowState zone;
    int dim = 1;
    if (cone < rows.cone_count && rows.cones[cone].row == r) {
      dim = rows.cones[cone].dim;
      const ConeCost at = evaluate_cone(rows.cones[cone++], rows.D + r, x + r, f);
      cost += at.cost;
      zone = at.zone;
    } else {
      const Bounds bounds = bounds_of_row(rows, r);
      const double pull = rows.D[r] * x[r], held = min(max(pull, bounds.lower), bounds.upper);
      cost += held * (x[r] - 0.5 * held * rows.R[r]);
      f[0] = 0 - held;  // never -0
      zone = state_of_row(rows, r, -held, pull > bounds.lower && pull < bounds.upper ? rows.D[r] : 0);
    }
    for (int j = 0; j < dim; ++j, ++r) {
      if (force) force[r] = f[j];
      if (state) state[r] = int(zone);
    }
  }
  return cost;
}

// The Hessian of a cone in its middle zone, as a sum of squares: L' L over the rows row to row + dim.
struct ConeFactor {
  int row, dim, rank;
  double L[kMaxConeDim][kMaxConeDim];
};

TORSOR_LOCAL void factor_cone(const Cone& cone, double D, const double* x, ConeFactor& factor) {
  const ConePlace at = place_in_cone(cone, x);
  const double k = cone_stiffness(cone, D);
  const double radial = sqrt(k), across = sqrt(k * cone.mu * (cone.mu * at.T - at.N) / at.T);
  double unit[kMaxConeDim - 1];
  for (int j = 0; j < cone.dim - 1; ++j) unit[j] = cone.friction[j] * x[j + 1] / at.T;

  factor.row = cone.row;
  factor.dim = cone.dim;
  factor.L[0][0] = radial * cone.mu;
  for (int j = 0; j < cone.dim - 1; ++j) factor.L[0][j + 1] = -radial * cone.mu * cone.friction[j] * unit[j];
  if (cone.dim == 3) {  // one direction is across
    factor.rank = 2;
    factor.L[1][0] = 0;
    factor.L[1][1] = -across * cone.friction[0] * unit[1];
    factor.L[1][2] = across * cone.friction[1] * unit[0];
    return;
  }
  factor.rank = cone.dim;  // 1 - u u' is its own square
  for (int i = 0; i < cone.dim - 1; ++i) {
    factor.L[i + 1][0] = 0;
    for (int j = 0; j < cone.dim - 1; ++j) {
      factor.L[i + 1][j + 1] = across * ((i == j) - unit[i] * unit[j]) * cone.friction[j];
    }
  }
}

// H (rows of 6) = L' L
TORSOR_LOCAL void multiply_factor(const ConeFactor& factor, double* H) {
  for (int i = 0; i < factor.dim; ++i) {
    for (int j = 0; j < factor.dim; ++j) {
      double sum = 0;
      for (int k = 0; k < factor.rank; ++k) sum += factor.L[k][i] * factor.L[k][j];
      H[kMaxConeDim * i + j] = sum;
    }
  }
}

// Cones along a line x + s p: N = N0 + s N1, T^2 = T00 + s (2 T01 + s T11), and the quadratic zone's derivative Q1 + s
// Q2. One array per number, padded by cones that are never touched.
struct ConeLines {
  int count = 0, size = 0;
  double *mu, *k, *N0, *N1, *T00, *T01, *T11, *Q1, *Q2;
};

TORSOR_INLINE ConeLines take_lines(Scratch& scratch, int count) {
  ConeLines lines;
  lines.count = count;
  lines.size = padded_size(count);
  double** arrays[] = {&lines.mu,  &lines.k,   &lines.N0, &lines.N1, &lines.T00,
                       &lines.T01, &lines.T11, &lines.Q1, &lines.Q2};
  for (double** array : arrays) {
    *array = scratch.take<double>(lines.size);
    if (*array) fill(*array, lines.size, 0);
  }
  return lines;
}

TORSOR_LOCAL void set_lines(const Rows& rows, const double* x, const double* along, ConeLines& lines) {
  for (int c = 0; c < lines.count; ++c) {
    const Cone& cone = rows.cones[c];
    const double *D = rows.D + cone.row, *y = x + cone.row, *p = along + cone.row;
    double T00 = 0, T01 = 0, T11 = 0, Q1 = D[0] * y[0] * p[0], Q2 = D[0] * p[0] * p[0];
    for (int j = 1; j < cone.dim; ++j) {
      const double square = cone.friction[j - 1] * cone.friction[j - 1];
      T00 += square * y[j] * y[j];
      T01 += square * y[j] * p[j];
      T11 += square * p[j] * p[j];
      Q1 += D[j] * y[j] * p[j];
      Q2 += D[j] * p[j] * p[j];
    }
    lines.mu[c] = cone.mu;
    lines.k[c] = cone_stiffness(cone, D[0]);
    lines.N0[c] = cone.mu * y[0];
    lines.N1[c] = cone.mu * p[0];
    lines.T00[c] = T00;
    lines.T01[c] = T01;
    lines.T11[c] = T11;
    lines.Q1[c] = Q1;
    lines.Q2[c] = Q2;
  }
}

TORSOR_INLINE Slope slope_of_cones(const ConeLines& lines, double step) {
  const Lanes zero(0), s(step);
  Lanes first = zero, second = zero;
  for (int c = 0; c < lines.size; c += kLaneCount) {
    const Lanes mu = Lanes::load(lines.mu + c), k = Lanes::load(lines.k + c);
    const Lanes N1 = Lanes::load(lines.N1 + c), N = fma(s, N1, Lanes::load(lines.N0 + c));
    const Lanes T01 = Lanes::load(lines.T01 + c), T11 = Lanes::load(lines.T11 + c);
    const Lanes half_derivative = fma(s, T11, T01);  // of T^2
    const Lanes square = fma(s, T01 + half_derivative, Lanes::load(lines.T00 + c)), Q2 = Lanes::load(lines.Q2 + c);
    const SlopeOf<Lanes> quadratic{fma(s, Q2, Lanes::load(lines.Q1 + c)), Q2};
    const auto here = slope_of_cone(mu, k, N, N1, square, half_derivative, T11, quadratic);
    first += here.first;
    second += here.second;
  }
  return {sum_of_lanes(first), sum_of_lanes(second)};
}

}  // namespace TORSOR_ISA
}  // namespace torsor
