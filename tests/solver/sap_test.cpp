// SAP's contact, written down from its own formulas, against the elliptic cone that stands for it.
#include "tests/solver/random_problem.hpp"

namespace torsor::solver {
namespace {

// A contact of SAP: impulse, cost and derivative at the relative velocity (t1, t2, n), without rounding of the tip.
struct SapContact {
  double mu, Rn, Rt, vn_hat;

  Eigen::Vector3d compliance() const { return {Rt, Rt, Rn}; }
  Eigen::Vector3d y(const Eigen::Vector3d& v) const { return {-v[0] / Rt, -v[1] / Rt, (vn_hat - v[2]) / Rn}; }

  enum Zone { kStick, kSlide, kNone };
  Zone zone(const Eigen::Vector3d& v) const {
    const Eigen::Vector3d at = y(v);
    const double yr = at.head<2>().norm(), yn = at[2], mu_h = mu * Rt / Rn;
    if (yr <= mu * yn) return kStick;
    return -mu_h * yr < yn ? kSlide : kNone;
  }
  Eigen::Vector3d impulse(const Eigen::Vector3d& v) const {
    const Eigen::Vector3d at = y(v);
    if (zone(v) == kStick) return at;
    if (zone(v) == kNone) return Eigen::Vector3d::Zero();
    const double yr = at.head<2>().norm(), mu_h = mu * Rt / Rn, s = 1 / (1 + mu * mu * Rt / Rn);
    const double gamma_n = (at[2] + mu_h * yr) * s;
    return {mu * gamma_n * at[0] / yr, mu * gamma_n * at[1] / yr, gamma_n};
  }
  double cost(const Eigen::Vector3d& v) const {
    const Eigen::Vector3d gamma = impulse(v);
    return 0.5 * gamma.dot(compliance().cwiseProduct(gamma));
  }
  // G = dP/dy R^-1, minus the derivative of the impulse by v
  Eigen::Matrix3d hessian(const Eigen::Vector3d& v) const {
    const Eigen::Matrix3d inverse = compliance().cwiseInverse().asDiagonal();
    if (zone(v) == kStick) return inverse;
    if (zone(v) == kNone) return Eigen::Matrix3d::Zero();
    const Eigen::Vector3d at = y(v);
    const double yr = at.head<2>().norm(), mu_h = mu * Rt / Rn, s = 1 / (1 + mu * mu * Rt / Rn);
    const Eigen::Vector2d t = at.head<2>() / yr;
    const double gamma_n = (at[2] + mu_h * yr) * s;
    Eigen::Matrix3d P;
    P.topLeftCorner<2, 2>() =
        mu * (gamma_n / yr * (Eigen::Matrix2d::Identity() - t * t.transpose()) + mu_h * s * t * t.transpose());
    P.topRightCorner<2, 1>() = mu * s * t;
    P.bottomLeftCorner<1, 2>() = mu_h * s * t.transpose();
    P(2, 2) = s;
    return P * inverse;
  }
};

// The same contact as a cone at the acceleration (v - v0) / h, its rows normal first.
struct AsCone {
  double h;
  Eigen::Vector3d v0;
  Vector D{3}, R{3}, aref{3};
  Cone cone{};

  AsCone(const SapContact& sap, double h_, const Eigen::Vector3d& v0_) : h(h_), v0(v0_) {
    R << sap.Rn, sap.Rt, sap.Rt;
    D = R.cwiseInverse();
    aref << (sap.vn_hat - v0[2]) / h, -v0[0] / h, -v0[1] / h;
    cone = {0, 3, sap.mu * std::sqrt(sap.Rt / sap.Rn), {sap.mu, sap.mu, 1, 1, 1}};
  }
  Rows rows() const {
    return {.count = 3, .D = D.data(), .R = R.data(), .aref = aref.data(), .cones = &cone, .cone_count = 1};
  }
  Vector x(const Eigen::Vector3d& v) const {
    const Eigen::Vector3d a = (v - v0) / h;
    return Eigen::Vector3d(a[2], a[0], a[1]) - Eigen::Vector3d(aref);
  }
};

struct Sample {
  SapContact sap;
  double h;
  Eigen::Vector3d v0, v;

  explicit Sample(Random& random)
      : sap{random.uniform(0.05, 2), std::abs(random.magnitude(1e-3, 1)), std::abs(random.magnitude(1e-4, 1)),
            random.uniform(-1, 1)},
        h(random.uniform(0.001, 0.02)) {
    for (int i = 0; i < 3; ++i) v0[i] = random.uniform(-1, 1), v[i] = random.uniform(-1, 1);
    if (random.chance(0.4)) v.head<2>() *= sap.Rt;  // else nothing sticks
  }
};

TEST(SapContactAsCone, HasItsImpulseItsCostAndItsZone) {
  int seen[3] = {};
  for_all(3000, [&](Random& random) {
    const Sample s(random);
    const AsCone as(s.sap, s.h, s.v0);
    double force[3];
    int state[3];
    const double cost = evaluate_constraints(as.rows(), as.x(s.v).data(), force, state);
    const Eigen::Vector3d gamma = s.sap.impulse(s.v);
    const double scale = 1e-12 * (1 + gamma.norm());
    EXPECT_NEAR(force[0] * s.h, gamma[2], scale);
    EXPECT_NEAR(force[1] * s.h, gamma[0], scale);
    EXPECT_NEAR(force[2] * s.h, gamma[1], scale);
    EXPECT_NEAR(cost * s.h * s.h, s.sap.cost(s.v), 1e-12 * (1 + s.sap.cost(s.v)));
    const SapContact::Zone zone = s.sap.zone(s.v);
    const RowState expected[] = {RowState::kQuadratic, RowState::kCone, RowState::kSatisfied};
    EXPECT_EQ(state[0], int(expected[zone]));
    ++seen[zone];
  });
  for (const int count : seen) EXPECT_GT(count, 200);
}

TEST(SapContactAsCone, HasItsHessian) {
  int slides = 0;
  for_all(500, [&](Random& random) {
    const Sample s(random);
    if (s.sap.zone(s.v) != SapContact::kSlide) return random.screen();
    ++slides;
    // one body of mass 1 per axis, so that the solver stops at v itself
    const AsCone as(s.sap, s.h, s.v0);
    const Eigen::Matrix3d G = s.sap.hessian(s.v);
    for (int j = 0; j < 3; ++j) {
      constexpr double kStep = 1e-7;
      Eigen::Vector3d up = s.v, down = s.v;
      up[j] += kStep, down[j] -= kStep;
      double f_up[3], f_down[3];
      evaluate_constraints(as.rows(), as.x(up).data(), f_up, nullptr);
      evaluate_constraints(as.rows(), as.x(down).data(), f_down, nullptr);
      const int place[3] = {1, 2, 0};
      for (int i = 0; i < 3; ++i) {
        const double derivative = (f_down[place[i]] - f_up[place[i]]) * s.h / (2 * kStep);
        EXPECT_NEAR(derivative, G(i, j), 1e-4 * (1 + G.norm()));
      }
    }
  });
  EXPECT_GT(slides, 100);
}

TEST(RelativeTolerance, EndsAtTheScaleOfMomentumAndSaysSo) {
  for_all(100, [](Random& random) {
    const RandomProblem p(random, 20, {2, 2, 3, 5});
    Dense dense(p);
    const int ld = dense.problem.ld;
    Aligned momentum(ld), weight(ld);
    for (int i = 0; i < p.n; ++i) {
      momentum.data()[i] = random.uniform(-1, 1);
      weight.data()[i] = 1 / p.M(i, i);
    }
    dense.problem.momentum = momentum.data();
    dense.problem.weight = weight.data();
    Arena arena(std::size_t{1} << 24);
    const double tolerance = random.chance(0.5) ? 1e-6 : 1e-12;
    ASSERT_TRUE(
        solve_newton(dense.problem, {.iterations = 100, .tolerance = 0, .relative = tolerance}, arena, dense.solution));
    EXPECT_TRUE(dense.solution.converged);
    const Vector a = dense.a(), x = p.J * a - p.aref;
    Vector force(p.m);
    evaluate_constraints(p.rows(), x.data(), force.data(), nullptr);
    const Vector Jf = p.J.transpose() * force, g = p.M * (a - p.a_smooth) - Jf;
    Vector Mv = p.M * a;
    for (int i = 0; i < p.n; ++i) Mv[i] += momentum.data()[i];
    const Vector D = p.M.diagonal().cwiseSqrt().cwiseInverse();
    const double scale = std::max(D.cwiseProduct(Mv).norm(), D.cwiseProduct(Jf).norm());
    EXPECT_LE(D.cwiseProduct(g).norm(), 1.01 * tolerance * scale + 1e-13 * scale);

    Dense cut(p);  // one iteration cannot be enough from a start that is far away
    cut.problem.momentum = momentum.data();
    cut.problem.weight = weight.data();
    for (int i = 0; i < p.n; ++i) cut.solution.a[i] = p.start[i];
    ASSERT_TRUE(
        solve_newton(cut.problem, {.iterations = 0, .tolerance = 0, .relative = tolerance}, arena, cut.solution));
    EXPECT_FALSE(cut.solution.converged);
  });
}

}  // namespace
}  // namespace torsor::solver
