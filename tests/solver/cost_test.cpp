// The cost of constraints: its derivatives by finite differences, in every zone.
#include "tests/solver/random_problem.hpp"

namespace torsor::solver {
namespace {

double cost_at(const RandomProblem& p, const Vector& x) {
  return evaluate_constraints(p.rows(), x.data(), nullptr, nullptr);
}
Vector force_at(const RandomProblem& p, const Vector& x, std::vector<int>* states = nullptr) {
  Vector f(p.m);
  std::vector<int> own(p.m);
  evaluate_constraints(p.rows(), x.data(), f.data(), states ? states->data() : own.data());
  return f;
}

TEST(ConstraintCost, ForceIsMinusItsDerivative) {
  for_all(300, [](Random& random) {
    const RandomProblem p(random, 3, {3, 5, 5, 5});
    const Vector x = 3 * RandomProblem::random_matrix(random, p.m, 1), f = force_at(p, x);
    for (int r = 0; r < p.m; ++r) {
      const double h = 1e-6;
      Vector up = x, down = x;
      up[r] += h;
      down[r] -= h;
      const double derivative = (cost_at(p, up) - cost_at(p, down)) / (2 * h);
      EXPECT_NEAR(-f[r], derivative, 1e-4 * (1 + std::abs(f[r]))) << "row " << r;
    }
  });
}

TEST(ConstraintCost, EveryZoneIsReachedAndForceIsOptimalInItsSet) {
  int seen[5] = {};
  for_all(300, [&](Random& random) {
    const RandomProblem p(random, 3, {1, 5, 5, 5});
    const Vector x = 3 * RandomProblem::random_matrix(random, p.m, 1);
    std::vector<int> states(p.m);
    const Vector f = force_at(p, x, &states);
    EXPECT_LT(row_residual(p, x, f), 1e-12);
    for (const int state : states) ++seen[state];
  });
  for (const int count : seen) EXPECT_GT(count, 100);
}

TEST(ConstraintCost, HessiansOfConesAreDerivativesOfTheForce) {
  int tested = 0;
  for_all(100, [&](Random& random) {
    const RandomProblem p(random, 20, {0, 0, 2, 5}, 5);
    Dense dense(p);
    Arena arena(std::size_t{1} << 24);
    ASSERT_TRUE(solve_newton(dense.problem, {.iterations = 300, .tolerance = 0}, arena, dense.solution));
    const Vector x = p.J * dense.a() - p.aref;
    for (std::size_t c = 0; c < p.cones.size(); ++c) {
      const Cone& cone = p.cones[c];
      if (dense.state[cone.row] != int(RowState::kCone)) continue;
      ++tested;
      for (int j = 0; j < cone.dim; ++j) {
        const double h = 1e-6;
        Vector up = x, down = x;
        up[cone.row + j] += h;
        down[cone.row + j] -= h;
        const Vector column = (force_at(p, down) - force_at(p, up)) / (2 * h);
        for (int i = 0; i < cone.dim; ++i) {
          const double expected = column[cone.row + i];
          EXPECT_NEAR(dense.hessians[36 * c + 6 * i + j], expected, 1e-4 * (1 + std::abs(expected)));
        }
      }
    }
  });
  EXPECT_GT(tested, 50);
}

}  // namespace
}  // namespace torsor::solver
