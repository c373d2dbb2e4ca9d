// The dual solvers: projected Gauss-Seidel agrees with Newton, and without slip friction is optimal by itself.
#include "tests/solver/random_problem.hpp"

namespace torsor::solver {
namespace {

struct Dual {
  Matrix AR, padded;
  Vector b;
  DualProblem problem;

  explicit Dual(const RandomProblem& p) {
    const Matrix R = p.R.asDiagonal();
    AR = p.J * p.M.llt().solve(Matrix(p.J.transpose())) + R;
    b = p.J * p.a_smooth - p.aref;
    padded = Matrix::Zero(p.m, dual_stride(p.m));
    padded.leftCols(p.m) = AR;
    problem = {.AR = padded.data(), .b = b.data(), .rows = p.rows()};
  }
  double cost(const Vector& f) const { return 0.5 * f.dot(AR * f) + f.dot(b); }
};

using DualSolver = bool (*)(const DualProblem&, const Options&, Arena&, Solution&);

// The solution whose forces are f. The arena is that of this call.
Solution improve(DualSolver solve, const Dual& dual, const Options& options, Vector& f,
                 std::vector<Statistic>* statistics = nullptr) {
  Arena arena(std::size_t{1} << 20);
  Solution solution;
  solution.force = f.data();
  if (statistics) {
    solution.statistics = statistics->data();
    solution.statistics_capacity = int(statistics->size());
  }
  EXPECT_TRUE(solve(dual.problem, options, arena, solution));
  return solution;
}

Vector accelerate(const RandomProblem& p, const Vector& f) { return p.a_smooth + p.M.llt().solve(p.J.transpose() * f); }

TEST(ProjectedGaussSeidel, FindsTheOptimumThatNewtonFinds) {
  for_all(150, [](Random& random) {
    const RandomProblem p(random, random.integer(8, 30), {2, 3, 8, 3}, 10);
    const Dual dual(p);
    Vector f = Vector::Zero(p.m);
    EXPECT_TRUE(improve(solve_pgs, dual, {.iterations = 100000, .tolerance = 1e-18}, f).converged);
    EXPECT_LT(row_residual(p, p.J * accelerate(p, f) - p.aref, f), 1e-5);

    Dense dense(p);
    Arena arena(std::size_t{1} << 24);
    ASSERT_TRUE(solve_newton(dense.problem, {.iterations = 300, .tolerance = 0}, arena, dense.solution));
    EXPECT_NEAR_REL(components_of(f), components_of(dense.f()), 1e-5);
  });
}

// Momentum starts with the third sweep.
Vector two_sweeps(const Dual& dual, int rows) {
  Vector f = Vector::Zero(rows);
  improve(solve_pgs, dual, {.iterations = 2, .tolerance = 0}, f);
  return f;
}

TEST(ProjectedGaussSeidel, EverySweepImproves) {
  for_all(100, [](Random& random) {
    const RandomProblem p(random, random.integer(5, 20), {2, 3, 8, 3});
    const Dual dual(p);
    Vector f = Vector::Zero(p.m);
    std::vector<Statistic> statistics(50);
    const int sweeps = improve(solve_pgs, dual, {.iterations = 50}, f, &statistics).iterations;
    for (int k = 0; k < sweeps; ++k) EXPECT_GE(statistics[k].improvement, -1e-9);
    EXPECT_NEAR_REL(statistics[0].improvement + statistics[1].improvement, -dual.cost(two_sweeps(dual, p.m)), 1e-10);
    EXPECT_TRUE(sweeps == 50 || statistics[sweeps - 1].improvement < 1e-8);
  });
}

TEST(ProjectedGaussSeidel, ForcesThatAreOptimalStay) {
  Random random(5);
  const RandomProblem p(random, 20, {2, 3, 8, 3});
  const Dual dual(p);
  Dense dense(p);
  Arena arena(std::size_t{1} << 24);
  ASSERT_TRUE(solve_newton(dense.problem, {.iterations = 300, .tolerance = 0}, arena, dense.solution));
  Vector f = dense.f();
  EXPECT_EQ(improve(solve_pgs, dual, Options{}, f).iterations, 1);
  EXPECT_NEAR_REL(components_of(f), components_of(dense.f()), 1e-9);
}

// cost without R
double hard_cost(const Dual& dual, const RandomProblem& p, const Vector& f) {
  return dual.cost(f) - 0.5 * f.dot(p.R.cwiseProduct(f));
}

// a random force of the sets that noslip searches: normal forces as in f, friction anywhere within its bounds
Vector other_friction(Random& random, const RandomProblem& p, const std::vector<Pyramid>& pyramids, const Vector& f) {
  Vector g = f;
  for (int r = p.kinds.equality; r < p.kinds.equality + p.kinds.friction; ++r) {
    g[r] = random.uniform(-p.frictionloss[r], p.frictionloss[r]);
  }
  for (const Pyramid& pyramid : pyramids) {
    for (int r = pyramid.row; r < pyramid.row + pyramid.count; r += 2) {
      g[r] = random.uniform(0, f[r] + f[r + 1]);
      g[r + 1] = f[r] + f[r + 1] - g[r];
    }
  }
  for (const Cone& cone : p.cones) {
    Vector t = RandomProblem::random_matrix(random, cone.dim - 1, 1);
    t *= f[cone.row] * random.uniform(0, 1) / t.norm();
    for (int j = 1; j < cone.dim; ++j) g[cone.row + j] = t[j - 1] * cone.friction[j - 1];
  }
  return g;
}

TEST(NoSlip, NoOtherFrictionWithTheSameNormalForcesCostsLess) {
  for_all(100, [](Random& random) {
    const RandomProblem p(random, 30, {2, 3, 8, 2}, 10);
    Dual dual(p);
    std::vector<Pyramid> pyramids;  // pairs of neighbours among the rows that are in no cone
    int row = 5;
    for (std::size_t c = 0; c <= p.cones.size(); ++c) {
      const int end = c < p.cones.size() ? p.cones[c].row : p.m;
      if (end - row >= 4) pyramids.push_back({row, 4});
      if (c < p.cones.size()) row = p.cones[c].row + p.cones[c].dim;
    }
    dual.problem.pyramids = pyramids.data();
    dual.problem.pyramid_count = int(pyramids.size());
    Vector f = Vector::Zero(p.m);
    improve(solve_pgs, dual, {.iterations = 1000}, f);
    const Vector before = f;
    improve(solve_noslip, dual, {.iterations = 100000, .tolerance = 1e-18}, f);
    EXPECT_LE(hard_cost(dual, p, f), hard_cost(dual, p, before) + 1e-12);
    for (const Pyramid& pyramid : pyramids) {
      for (int r = pyramid.row; r < pyramid.row + pyramid.count; r += 2) {
        EXPECT_GE(std::min(f[r], f[r + 1]), 0);
        EXPECT_NEAR_REL(f[r] + f[r + 1], before[r] + before[r + 1], 1e-12);
      }
    }
    for (const Cone& cone : p.cones) EXPECT_EQ(f[cone.row], before[cone.row]);
    for (int k = 0; k < 50; ++k) {  // towards any other force the cost rises
      const Vector direction = other_friction(random, p, pyramids, f) - f;
      const Vector gradient = dual.AR * f - p.R.cwiseProduct(f) + dual.b;
      EXPECT_GE(direction.dot(gradient), -1e-6 * (1 + direction.norm() * gradient.norm()));
    }
  });
}

}  // namespace
}  // namespace torsor::solver
