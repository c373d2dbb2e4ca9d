// What the constraint solvers solve. They know matrices and cones, not bodies. The primal problem is: find the a that
// minimises
//     1/2 (a - a_smooth)' M (a - a_smooth) + sum over rows s_r(J_r a - aref_r)
// The force of a row is minus the derivative of its cost s by x = J a - aref:
//     equality    s = 1/2 D x^2
//     friction    the same within |D x| < f, beyond it a straight line: the force never exceeds f = frictionloss
//     one-sided   1/2 D x^2 for x < 0, else 0: limits, frictionless contacts, edges of pyramids
//     cone        1/2 of the D-weighted square distance from an elliptic friction cone, see Cone
#pragma once

namespace torsor::solver {

// The elliptic cone of a contact: rows `row` to `row + dim`, the normal first. D of the normal row sets the scale: the
// tangent rows have D_j = D_0 r friction_j^2 / friction_0^2 with some r (impratio; for SAP R_n / R_t). With N = mu x_0
// and T = |friction_j x_j| the cost is 0 for N >= mu T, 1/2 sum D x^2 for mu N + T <= 0, and 1/2 D_0 / (mu^2 (1 +
// mu^2)) (N - mu T)^2 in between.
struct Cone {
  int row, dim;  // dim is 3, 4 or 6
  double mu;     // friction[0] / sqrt(r)
  double friction[5];
};

// Rows are in this order: equality, friction, then one-sided rows and cones mixed (cones ascending).
struct Rows {
  int count = 0, equality = 0, friction = 0;
  const double *D = nullptr, *R = nullptr;  // R = 1 / D
  const double* aref = nullptr;
  const double* frictionloss = nullptr;  // read for friction rows only
  const Cone* cones = nullptr;
  int cone_count = 0;
};

// State of a row at the solution; values as in efc_state.
enum class RowState : int { kSatisfied = 0, kQuadratic = 1, kLinearNegative = 2, kLinearPositive = 3, kCone = 4 };

struct Options {
  int iterations = 100, ls_iterations = 50;
  double tolerance = 1e-8, ls_tolerance = 0.01;
  // SAP: stop when |g| is below this times the larger of |A v| / h and |J' f|, where the problem says what these are,
  // all weighed by diag(A)^-1/2, or when the cost stalls. Then `tolerance` is not asked. Negative: off.
  double relative = -1;
  double scale = 1;  // makes cost and gradient comparable with tolerance: 1 / (mean inertia * dofs)
};

// One iteration, as users see it. All scaled.
struct Statistic {
  double improvement = 0, gradient = 0, lineslope = 0;
  int nactive = 0, nchange = 0, neval = 0, nupdate = 0;  // rows in a curved zone, that changed zone, line search
                                                         // evaluations, updates of the factor
};

}  // namespace torsor::solver
