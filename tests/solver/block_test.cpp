// Large islands: the problem in blocks and tiles has the solution that the dense one has.
#include <algorithm>
#include <cmath>
#include <memory>

#include "tests/solver/isa_test.hpp"
#include "tests/solver/random_problem.hpp"

namespace torsor::solver {
namespace {

constexpr Options kExact{.iterations = 500, .tolerance = 0};

// Makes a problem one of several trees: M has their blocks only, and a row is zero but in one, two or three of them.
// Rows of a cone are alike.
struct Trees {
  std::vector<int> size;

  Trees(Random& random, int count, int largest) {
    for (int t = 0; t < count; ++t) size.push_back(random.integer(1, largest));
  }
  int dofs() const {
    int sum = 0;
    for (const int n : size) sum += n;
    return sum;
  }
  int tree_of(int dof) const {
    int tree = 0;
    while (dof >= size[tree]) dof -= size[tree++];
    return tree;
  }
  void apply(Random& random, RandomProblem& p) const {
    for (int i = 0; i < p.n; ++i) {
      for (int j = 0; j < p.n; ++j) {
        if (tree_of(i) != tree_of(j)) p.M(i, j) = 0;
      }
    }
    const auto cut = [&](int begin, int end) {
      const int last = int(size.size()) - 1;
      const int touched[] = {random.integer(0, last), random.integer(0, last), random.integer(0, last)};
      const int count = random.integer(1, 3);
      for (int r = begin; r < end; ++r) {
        for (int i = 0; i < p.n; ++i) {
          if (std::find(touched, touched + count, tree_of(i)) == touched + count) p.J(r, i) = 0;
        }
      }
    };
    int cone = 0;
    for (int r = 0; r < p.m;) {
      const bool in_cone = cone < int(p.cones.size()) && p.cones[cone].row == r;
      const int rows = in_cone ? p.cones[cone++].dim : 1;
      cut(r, r + rows);
      r += rows;
    }
  }
};

// Memory of a BlockProblem.
struct Blocks {
  BlockProblem problem;
  Solution solution;
  std::vector<int> block_tile{0}, place, row_begin{0}, tile, state;
  std::vector<std::unique_ptr<Aligned>> numbers;
  std::vector<const double*> M;
  std::vector<double> force, hessians;

  Blocks(const RandomProblem& from, const Trees& trees)
      : state(from.m), force(from.m), hessians(36 * from.cones.size()) {
    for (const int size : trees.size) {
      for (int i = 0; i < size; ++i) place.push_back(8 * block_tile.back() + i);
      block_tile.push_back(block_tile.back() + round_up(size) / 8);
    }
    add_mass(from, trees);
    const double* J = add_rows(from);
    const Vector f_smooth = from.M * from.a_smooth;
    problem = {.tiles = block_tile.back(),
               .blocks = int(trees.size.size()),
               .block_tile = block_tile.data(),
               .block_size = trees.size.data(),
               .M = M.data(),
               .row_begin = row_begin.data(),
               .tile = tile.data(),
               .J = J,
               .a_smooth = vector(from.a_smooth),
               .f_smooth = vector(f_smooth),
               .rows = from.rows()};
    solution = {.a = vector(from.start),
                .force = force.data(),
                .state = state.data(),
                .qfrc = vector(Vector::Zero(from.n)),
                .cone_hessians = hessians.data()};
  }
  Vector read(const double* from) const {
    return Vector::NullaryExpr(Eigen::Index(place.size()), [&](Eigen::Index i) { return from[place[i]]; });
  }
  Vector a() const { return read(solution.a); }
  Vector f() const { return Vector::Map(force.data(), Eigen::Index(force.size())); }

 private:
  double* take(std::size_t n) {
    numbers.push_back(std::make_unique<Aligned>(n));
    return numbers.back()->data();
  }
  double* vector(const Vector& from) {
    double* to = take(8 * std::size_t(block_tile.back()));
    for (std::size_t i = 0; i < place.size(); ++i) to[place[i]] = from[Eigen::Index(i)];
    return to;
  }
  void add_mass(const RandomProblem& from, const Trees& trees) {
    int first = 0;
    for (const int size : trees.size) {
      const int ld = round_up(size);
      double* to = take(std::size_t(size) * ld);
      for (int i = 0; i < size; ++i) {
        for (int j = 0; j < size; ++j) to[i * ld + j] = from.M(first + i, first + j);
      }
      M.push_back(to);
      first += size;
    }
  }
  // a cone's rows must have the same tiles: all tiles in which any of its rows has a number
  double* add_rows(const RandomProblem& from) {
    Matrix present = from.J;
    for (const Cone& cone : from.cones) {
      for (int i = 0; i < from.n; ++i)
        present.col(i).segment(cone.row, cone.dim).setConstant(from.J.col(i).segment(cone.row, cone.dim).norm());
    }
    double* J = take(8 * (std::size_t(from.m) * std::size_t(block_tile.back()) + 1));
    for (int r = 0; r < from.m; ++r) {
      for (int i = 0; i < from.n; ++i) {
        if (present(r, i) == 0) continue;
        if (int(tile.size()) == row_begin.back() || tile.back() != place[i] / 8) tile.push_back(place[i] / 8);
        J[8 * (tile.size() - 1) + place[i] % 8] = from.J(r, i);
      }
      row_begin.push_back(int(tile.size()));
    }
    return J;
  }
};

class Block : public IsaTest {};
INSTANTIATE_TEST_SUITE_P(Isa, Block, testing::ValuesIn(isa_names()), [](const auto& isa) { return isa.param; });

template <class Check>
void for_all_trees(int count, double spread, const Check& check) {
  for_all(count, [&](Random& random) {
    const int tree_count = random.integer(1, 9);
    const Trees trees(random, tree_count, random.integer(1, 20));
    const Kinds kinds{random.integer(0, 4), random.integer(0, 4), random.integer(0, 25), random.integer(0, 8)};
    RandomProblem p(random, trees.dofs(), kinds, spread);
    trees.apply(random, p);
    check(p, trees);
  });
}

TEST_P(Block, NewtonFindsTheOptimumOfRandomTrees) {
  for_all_trees(300, 100, [&](const RandomProblem& p, const Trees& trees) {
    Blocks blocks(p, trees);
    ASSERT_TRUE(solve_newton(blocks.problem, kExact, arena, blocks.solution));
    ASSERT_TRUE(blocks.a().allFinite());
    EXPECT_LT(gradient_residual(p, blocks.a(), blocks.f()), 1e-11);
    EXPECT_LT(row_residual(p, p.J * blocks.a() - p.aref, blocks.f()), 1e-11);
    const double size = (p.J.cwiseAbs().transpose() * blocks.f().cwiseAbs()).norm();
    EXPECT_LE((blocks.read(blocks.solution.qfrc) - p.J.transpose() * blocks.f()).norm(), 1e-14 * size);
    EXPECT_EQ(arena.used(), 0u);
  });
}

TEST_P(Block, TheDenseSolverTakesTheSameSteps) {
  for_all_trees(200, 30, [&](const RandomProblem& p, const Trees& trees) {
    Blocks blocks(p, trees);
    Dense dense(p);
    const Options options{.scale = 1 / p.M.trace()};
    ASSERT_TRUE(solve_newton(blocks.problem, options, arena, blocks.solution));
    ASSERT_TRUE(solve_newton(dense.problem, options, arena, dense.solution));
    EXPECT_EQ(blocks.solution.iterations, dense.solution.iterations);
    EXPECT_NEAR_REL(components_of(blocks.a()), components_of(dense.a()), 1e-9);
    EXPECT_EQ(blocks.state, dense.state);
  });
}

TEST_P(Block, ConjugateGradientsTakeTheStepsOfTheDenseOnes) {
  for_all_trees(100, 10, [&](const RandomProblem& p, const Trees& trees) {
    Blocks blocks(p, trees);
    Dense dense(p);
    const Options options{.iterations = 3, .tolerance = 0};  // rounding grows with each
    ASSERT_TRUE(solve_cg(blocks.problem, options, arena, blocks.solution));
    ASSERT_TRUE(solve_cg(dense.problem, options, arena, dense.solution));
    EXPECT_NEAR_REL(components_of(blocks.a()), components_of(dense.a()), 1e-8);
  });
}

TEST_P(Block, PaddingStaysZero) {
  for_all_trees(50, 100, [&](const RandomProblem& p, const Trees& trees) {
    Blocks blocks(p, trees);
    ASSERT_TRUE(solve_newton(blocks.problem, kExact, arena, blocks.solution));
    double sum = 0, kept = 0;
    for (int i = 0; i < 8 * blocks.problem.tiles; ++i) sum += std::abs(blocks.solution.a[i]);
    for (const int i : blocks.place) kept += std::abs(blocks.solution.a[i]);
    EXPECT_NEAR_REL(sum, kept, 1e-12);
  });
}

// The dense dual problem of the same.
struct Dual {
  Matrix AR, padded;
  Vector b;
  DualProblem problem;

  explicit Dual(const RandomProblem& p) : AR(p.J * p.M.inverse() * p.J.transpose()), b(p.J * p.a_smooth - p.aref) {
    AR.diagonal() += p.R;
    padded = Matrix::Zero(p.m, dual_stride(p.m));
    padded.leftCols(p.m) = AR;
    problem = {.AR = padded.data(), .b = b.data(), .rows = p.rows()};
  }
};

TEST_P(Block, SweepsOverForcesAreThoseOfTheDenseProblem) {
  for_all_trees(100, 10, [&](const RandomProblem& p, const Trees& trees) {
    if (p.m == 0) return;
    Blocks blocks(p, trees);
    const Dual dual(p);
    Vector force = Vector::Zero(p.m);
    const Options options{.iterations = 5, .tolerance = 0};
    Solution dense;
    dense.force = force.data();
    ASSERT_TRUE(solve_pgs(dual.problem, options, arena, dense));
    ASSERT_TRUE(solve_pgs(blocks.problem, options, true, arena, blocks.solution));
    EXPECT_EQ(blocks.solution.iterations, dense.iterations);
    EXPECT_LT((blocks.f() - force).norm(), 1e-8 * (1 + force.norm()));
    EXPECT_LT(gradient_residual(p, blocks.a(), blocks.f()), 1e-10);

    // the dense one takes R away from A + R: a small A is lost
    const Vector A = dual.AR.diagonal() - p.R;
    if ((A.array() < 1e-3 * p.R.array() && A.array().abs() > 1e-14).any()) return;
    force = blocks.f();          // the same start: without R, rounding errors grow
    dense.force = force.data();  // the assignment took over other memory
    ASSERT_TRUE(solve_noslip(dual.problem, options, arena, dense));
    ASSERT_TRUE(solve_noslip(blocks.problem, nullptr, 0, options, arena, blocks.solution));
    const Vector a = p.a_smooth + p.M.inverse() * p.J.transpose() * force;
    EXPECT_LT((blocks.a() - a).norm(), 1e-8 * (1 + a.norm()));  // forces that move nothing are anyone's choice
    EXPECT_LT(gradient_residual(p, blocks.a(), blocks.f()), 1e-10);
  });
}

TEST_P(Block, AWarmStartAtTheOptimumStays) {
  for_all_trees(50, 10, [&](const RandomProblem& p, const Trees& trees) {
    Blocks blocks(p, trees);
    ASSERT_TRUE(solve_newton(blocks.problem, kExact, arena, blocks.solution));
    const Vector best = blocks.a();
    ASSERT_TRUE(solve_pgs(blocks.problem, {.iterations = 3, .tolerance = 0}, false, arena, blocks.solution));
    EXPECT_LT((blocks.a() - best).norm(), 1e-9 * (1 + best.norm()));
  });
}

TEST_P(Block, AnArenaThatIsTooSmallIsReported) {
  Random random(1);
  const Trees trees(random, 9, 20);
  RandomProblem p(random, trees.dofs(), {3, 3, 20, 4});
  trees.apply(random, p);
  Blocks blocks(p, trees);
  Arena small(std::size_t{1} << 14);
  EXPECT_FALSE(solve_newton(blocks.problem, Options{}, small, blocks.solution));
  EXPECT_FALSE(solve_cg(blocks.problem, Options{}, small, blocks.solution));
  EXPECT_EQ(small.used(), 0u);
}

TEST_P(Block, BadNumbersNeitherHangNorLookLikeAnAnswer) {
  Random random(1);
  const Trees trees(random, 5, 9);
  RandomProblem p(random, trees.dofs(), {3, 3, 20, 4});
  trees.apply(random, p);
  p.M(2, 2) = NAN;
  Blocks newton(p, trees), cg(p, trees);
  ASSERT_TRUE(solve_newton(newton.problem, kExact, arena, newton.solution));
  ASSERT_TRUE(solve_cg(cg.problem, kExact, arena, cg.solution));
  EXPECT_FALSE(newton.a().allFinite());
  EXPECT_FALSE(cg.a().allFinite());
}

TEST_P(Block, NoForceIsMinusZero) {
  for_all_trees(30, 100, [&](const RandomProblem& p, const Trees& trees) {
    Blocks blocks(p, trees);
    ASSERT_TRUE(solve_newton(blocks.problem, kExact, arena, blocks.solution));
    for (const double f : blocks.force) EXPECT_FALSE(f == 0 && std::signbit(f));
  });
}

}  // namespace
}  // namespace torsor::solver
