// Newton and conjugate gradients: optimal on random problems, and calm on degenerate ones.
#include <cmath>

#include "tests/solver/isa_test.hpp"
#include "tests/solver/random_problem.hpp"
#include "tests/support/allocations.hpp"

namespace torsor::solver {
namespace {

constexpr Options kExact{.iterations = 500, .tolerance = 0};

Kinds random_kinds(Random& random) {  // braces fix the order of evaluation
  return {random.integer(0, 6), random.integer(0, 6), random.integer(0, 20), random.integer(0, 6)};
}

RandomProblem random_problem(Random& random, int min_size, int max_size, double spread = 100) {
  const int n = random.integer(min_size, max_size);
  const Kinds kinds = random_kinds(random);
  return RandomProblem(random, n, kinds, spread);
}

void expect_optimal(const RandomProblem& p, Dense& dense, double tolerance) {
  const Vector a = dense.a(), f = dense.f();
  ASSERT_TRUE(a.allFinite());
  EXPECT_LT(gradient_residual(p, a, f), tolerance);
  EXPECT_LT(row_residual(p, p.J * a - p.aref, f), tolerance);
  // large forces may cancel: rounding is relative to the sum of their sizes
  const double size = (p.J.cwiseAbs().transpose() * f.cwiseAbs()).norm();
  EXPECT_LE((dense.qfrc() - p.J.transpose() * f).norm(), 1e-14 * size);
}

class Primal : public IsaTest {};
INSTANTIATE_TEST_SUITE_P(Isa, Primal, testing::ValuesIn(isa_names()), [](const auto& isa) { return isa.param; });

TEST_P(Primal, NewtonFindsTheOptimumOfRandomProblems) {
  for_all(400, [&](Random& random) {
    const RandomProblem p = random_problem(random, 1, 45);
    Dense dense(p);
    ASSERT_TRUE(solve_newton(dense.problem, kExact, arena, dense.solution));
    expect_optimal(p, dense, 1e-11);
    EXPECT_EQ(arena.used(), 0u);
  });
}

TEST_P(Primal, NewtonStopsInAFewIterationsWithASmallGradient) {
  int total = 0, evaluations = 0;
  for_all(200, [&](Random& random) {
    const RandomProblem p = random_problem(random, 5, 30);
    Dense dense(p);
    const Options options{.scale = 1 / p.M.trace()};
    ASSERT_TRUE(solve_newton(dense.problem, options, arena, dense.solution));
    total += dense.solution.iterations;
    for (int k = 0; k < dense.solution.iterations; ++k) evaluations += dense.statistics[k].neval;
    const Vector g = p.M * (dense.a() - p.a_smooth) - p.J.transpose() * dense.f();
    // what a step would gain at best: it stops for a small gradient, or when that or the last gain is small
    const double least_curvature = p.M.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff();
    EXPECT_LT(options.scale * g.squaredNorm() / (2 * least_curvature), 1e-4);
    if (dense.solution.iterations > 0) {
      EXPECT_NEAR(dense.statistics[dense.solution.iterations - 1].gradient, options.scale * g.norm(), 1e-12);
    }
  });
  EXPECT_LT(total, 200 * 8);
  EXPECT_LT(evaluations, 4 * total);  // of the slope along a line
}

TEST_P(Primal, ConjugateGradientsFindTheSameOptimum) {
  for_all(150, [&](Random& random) {
    const RandomProblem p = random_problem(random, 1, 25, 10);
    Dense newton(p), cg(p);
    ASSERT_TRUE(solve_newton(newton.problem, kExact, arena, newton.solution));
    const Options options{.iterations = 20000, .tolerance = 1e-16};
    ASSERT_TRUE(solve_cg(cg.problem, options, arena, cg.solution));
    EXPECT_NEAR_REL(components_of(cg.a()), components_of(newton.a()), 1e-6);
  });
}

TEST_P(Primal, TheStartDoesNotChangeTheAnswer) {
  for_all(100, [&](Random& random) {
    RandomProblem p = random_problem(random, 1, 30);
    Dense first(p);
    p.start *= 1000;  // a_smooth costs less
    Dense second(p);
    ASSERT_TRUE(solve_newton(first.problem, kExact, arena, first.solution));
    ASSERT_TRUE(solve_newton(second.problem, kExact, arena, second.solution));
    EXPECT_NEAR_REL(components_of(first.a()), components_of(second.a()), 1e-10);
  });
}

TEST_P(Primal, WhatCostsLessIsTheStart) {
  for_all(50, [&](Random& random) {
    RandomProblem p = random_problem(random, 1, 30);
    Dense given(p);
    ASSERT_TRUE(solve_newton(given.problem, kExact, arena, given.solution));
    p.start = given.a();  // nothing costs less
    Dense best(p);
    p.start = given.a() + Vector::Constant(p.n, 1e4);
    Dense far(p);
    ASSERT_TRUE(solve_newton(best.problem, {.iterations = 0}, arena, best.solution));
    ASSERT_TRUE(solve_newton(far.problem, {.iterations = 0}, arena, far.solution));
    EXPECT_EQ(best.a(), given.a());
    EXPECT_EQ(far.a(), p.a_smooth);
    EXPECT_LT(gradient_residual(p, best.a(), best.f()), 1e-11);
  });
}

TEST_P(Primal, SolvingDoesNotAllocate) {
  Random random(2);
  const RandomProblem p(random, 30, {3, 3, 20, 4});
  Dense dense(p);
  solve_newton(dense.problem, kExact, arena, dense.solution);
  EXPECT_EQ(allocations_in([&] { solve_newton(dense.problem, kExact, arena, dense.solution); }), 0);
}

TEST_P(Primal, AnOptimalStartTakesNoIteration) {
  for_all(50, [&](Random& random) {
    const RandomProblem p = random_problem(random, 1, 30);
    Dense dense(p);
    ASSERT_TRUE(solve_newton(dense.problem, kExact, arena, dense.solution));
    const Vector a = dense.a();
    ASSERT_TRUE(solve_newton(dense.problem, Options{}, arena, dense.solution));
    EXPECT_EQ(dense.solution.iterations, 0);
    EXPECT_EQ(dense.a(), a);
  });
}

TEST_P(Primal, HintsChangeNoBits) {
  for_all(100, [&](Random& random) {
    const RandomProblem p = random_problem(random, 1, 60);
    Dense plain(p), hinted(p);
    std::vector<std::uint64_t> blocks(p.m, 0);
    for (int r = 0; r < p.m; ++r) {
      for (int c = 0; c < p.n; ++c) blocks[r] |= p.J(r, c) != 0 ? std::uint64_t{1} << c / 8 : 0;
    }
    hinted.problem.blocks = blocks.data();
    ASSERT_TRUE(solve_newton(plain.problem, kExact, arena, plain.solution));
    ASSERT_TRUE(solve_newton(hinted.problem, kExact, arena, hinted.solution));
    EXPECT_EQ(plain.a(), hinted.a());

    const Vector b = p.J * p.a_smooth - p.aref;
    hinted.problem.b = b.data();
    ASSERT_TRUE(solve_newton(hinted.problem, kExact, arena, hinted.solution));
    expect_optimal(p, hinted, 1e-11);
  });
}

TEST_P(Primal, StatesSayWhichRowsPush) {
  for_all(100, [&](Random& random) {
    const RandomProblem p = random_problem(random, 1, 30);
    Dense dense(p);
    ASSERT_TRUE(solve_newton(dense.problem, kExact, arena, dense.solution));
    const Vector f = dense.f();
    std::vector<bool> in_cone(p.m, false);
    for (std::size_t c = 0; c < p.cones.size(); ++c) {
      const Cone& cone = p.cones[c];
      const auto state = RowState(dense.state[cone.row]);
      double tangent = 0;
      for (int j = 1; j < cone.dim; ++j) tangent += std::pow(f[cone.row + j] / cone.friction[j - 1], 2);
      if (state == RowState::kSatisfied) {
        EXPECT_EQ(f.segment(cone.row, cone.dim).norm(), 0);
      } else if (state == RowState::kCone) {
        EXPECT_NEAR_REL(std::sqrt(tangent), f[cone.row], 1e-9);
      }
      for (int j = 0; j < cone.dim; ++j) {
        in_cone[cone.row + j] = true;
        EXPECT_EQ(dense.state[cone.row + j], dense.state[cone.row]);
      }
      EXPECT_EQ(dense.hessians[36 * c] != 0, state == RowState::kCone);
    }
    for (int r = 0; r < p.m; ++r) {
      if (in_cone[r]) continue;
      switch (RowState(dense.state[r])) {
        case RowState::kSatisfied:
          EXPECT_EQ(f[r], 0);
          break;
        case RowState::kQuadratic:
          EXPECT_NE(f[r], 0);
          break;
        case RowState::kLinearNegative:
          EXPECT_EQ(f[r], p.frictionloss[r]);
          break;
        case RowState::kLinearPositive:
          EXPECT_EQ(f[r], -p.frictionloss[r]);
          break;
        default:
          ADD_FAILURE();
      }
    }
  });
}

TEST_P(Primal, WithoutRowsNothingPushes) {
  Random random(1);
  const RandomProblem p(random, 7, {});
  Dense dense(p);
  ASSERT_TRUE(solve_newton(dense.problem, Options{}, arena, dense.solution));
  EXPECT_EQ(dense.a(), p.a_smooth);
  EXPECT_EQ(dense.solution.iterations, 0);
}

TEST_P(Primal, WeightsThatDifferByTenPowersAreNoTrouble) {
  for_all(200, [&](Random& random) {
    const RandomProblem p = random_problem(random, 5, 30, 1e5);
    Dense dense(p);
    ASSERT_TRUE(solve_newton(dense.problem, kExact, arena, dense.solution));
    expect_optimal(p, dense, 1e-9);
    EXPECT_LT(dense.solution.iterations, 100);
  });
}

TEST_P(Primal, AHeavyRowThatLetsGoLeavesNothingBehind) {
  int total = 0;
  for_all(100, [&](Random& random) {
    RandomProblem p(random, 12, {0, 0, 60, 0}, 3);
    p.J.row(0) = RandomProblem::random_matrix(random, 1, p.n);
    p.aref[0] = -100;  // satisfied
    Dense without(p);
    ASSERT_TRUE(solve_newton(without.problem, kExact, arena, without.solution));
    // a start near the optimum, at which a row pushes that outweighs all others and is satisfied at the optimum
    p.start = without.a() - 0.01 * p.J.row(0).transpose();
    p.D[0] = 1e14;
    p.R[0] = 1e-14;
    p.aref[0] = p.J.row(0).dot(p.start) + 1e-8;
    Dense dense(p);
    ASSERT_TRUE(solve_newton(dense.problem, kExact, arena, dense.solution));
    EXPECT_NEAR_REL(components_of(dense.a()), components_of(without.a()), 1e-10);
    total += dense.solution.iterations;
  });
  EXPECT_LT(total, 100 * 6);
}

TEST_P(Primal, DuplicateAndZeroRowsAreNoTrouble) {
  for_all(100, [&](Random& random) {
    RandomProblem p(random, random.integer(5, 30), {2, 2, 12, 3});
    for (int k = 0; k < 5; ++k) {
      const int from = random.integer(4, p.m - 1), to = random.integer(4, p.m - 1);
      p.J.row(to) = p.J.row(from);
      p.J.row(random.integer(0, p.m - 1)).setZero();
    }
    Dense dense(p);
    ASSERT_TRUE(solve_newton(dense.problem, kExact, arena, dense.solution));
    expect_optimal(p, dense, 1e-11);
  });
}

TEST_P(Primal, BadNumbersNeitherHangNorLookLikeAnAnswer) {
  for (const double bad : {double(NAN), double(INFINITY)}) {
    for (int where = 0; where < 3; ++where) {
      Random random(where + 1);
      RandomProblem p(random, 12, {2, 2, 10, 2});
      if (where == 0) p.J(3, 5) = bad;
      if (where == 1) p.M(4, 4) = bad;
      if (where == 2) p.start[2] = bad;
      Dense newton(p), cg(p);
      ASSERT_TRUE(solve_newton(newton.problem, kExact, arena, newton.solution));
      ASSERT_TRUE(solve_cg(cg.problem, kExact, arena, cg.solution));
      EXPECT_FALSE(newton.a().allFinite() && where < 2);
      EXPECT_FALSE(cg.a().allFinite() && where < 2);
    }
  }
}

TEST_P(Primal, TheIterationLimitHolds) {
  Random random(3);
  const RandomProblem p(random, 30, {3, 3, 20, 4}, 1e4);
  for (const int limit : {0, 1, 2}) {
    Dense dense(p);
    ASSERT_TRUE(solve_newton(dense.problem, {.iterations = limit, .tolerance = 0}, arena, dense.solution));
    EXPECT_EQ(dense.solution.iterations, limit);
  }
}

TEST_P(Primal, AnArenaThatIsTooSmallIsReported) {
  Random random(1);
  const RandomProblem p(random, 30, {3, 3, 20, 4});
  Dense dense(p);
  Arena small(std::size_t{1} << 14);
  EXPECT_FALSE(solve_newton(dense.problem, Options{}, small, dense.solution));
  EXPECT_FALSE(solve_cg(dense.problem, Options{}, small, dense.solution));
  EXPECT_EQ(small.used(), 0u);
}

}  // namespace
}  // namespace torsor::solver
