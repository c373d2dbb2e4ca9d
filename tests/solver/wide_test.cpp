// The solvers for worlds in lanes: each lane has the solution of its own problem, whatever the other lanes have.
#include <cmath>

#include "tests/solver/wide_block.hpp"

namespace torsor::solver {
namespace {

constexpr Options kExact{.iterations = 200, .tolerance = 0};

template <class P>
class Wide : public testing::Test {
 protected:
  static constexpr int kWidth = kLanes<P>;
  static constexpr bool kIsDouble = sizeof(ScalarOf<P>) == 8;
  Arena arena{std::size_t{1} << 26};
};
using Types = testing::Types<NativePack<double>, NativePack<float>, double>;
TYPED_TEST_SUITE(Wide, Types);

// Worlds of one tree, each with its own rows; null where a world is left out.
struct Worlds {
  LaneTree tree;
  std::vector<std::unique_ptr<LaneProblem>> problems;
  std::vector<const LaneProblem*> lanes;

  Worlds(Random& random, int width, double spread, int most = 5)
      : Worlds(random, random.integer(1, 9), width, spread, most) {}
  Worlds(Random& random, int tiles, int width, double spread, int most) : tree(random, tiles) {
    const bool elliptic = random.chance(0.5);
    for (int l = 0; l < width; ++l) {
      problems.push_back(std::make_unique<LaneProblem>(random, tree, elliptic, spread, most));
      lanes.push_back(l > 0 && random.chance(0.1) ? nullptr : problems.back().get());
    }
  }
};

double difference(const Vector& a, const Vector& b) { return (a - b).norm() / (1e-3 + b.norm()); }

// Solves the problem of a lane alone, as a dense problem.
template <class Solve>
void solve_dense(Dense& dense, const LaneProblem& lane, Options options, Arena& arena, const Solve& solve) {
  options.scale = lane.scale();
  ASSERT_TRUE(solve(dense.problem, options, arena, dense.solution));
}
const auto kNewtonOfOne = [](auto&... arguments) { return solve_newton(arguments...); };
const auto kCgOfOne = [](auto&... arguments) { return solve_cg(arguments...); };

TYPED_TEST(Wide, NewtonFindsTheSolutionOfEachLane) {
  for_all(150, [&](Random& random) {
    const Worlds worlds(random, this->kWidth, this->kIsDouble ? 1000 : 30);
    WideBlock<TypeParam> block(worlds.lanes, random.chance(0.5) ? &random : nullptr);
    block.solve_newton(kExact);
    for (int l = 0; l < this->kWidth; ++l) {
      if (!worlds.lanes[l]) continue;
      const LaneProblem& lane = *worlds.lanes[l];
      const RandomProblem p = lane.as_dense();
      Dense dense(p);
      solve_dense(dense, lane, kExact, this->arena, kNewtonOfOne);
      const Vector a = lane.a_smooth + block.d(l);
      Vector force;
      std::vector<int> state;
      block.read_rows(l, force, state);
      const double most = this->kIsDouble ? 1e-10 : 1e-4;
      EXPECT_LT(difference(lane.without_fill(a), dense.a()), most);
      EXPECT_LT(difference(force, dense.f()), 10 * most);
      EXPECT_LT(difference(lane.without_fill(block.read(block.solution.qfrc, l)), dense.qfrc()), 10 * most);
      EXPECT_TRUE(block.converged(l));
      EXPECT_LT(gradient_residual(p, lane.without_fill(a), force), most);
      EXPECT_LT(row_residual(p, p.J * lane.without_fill(a) - p.aref, force), 10 * most);
      if (this->kIsDouble) {
        EXPECT_EQ(state, dense.state);
      }
    }
  });
}

// Sets of tiles and of slots that fill their words, and more.
TYPED_TEST(Wide, ManyTilesAndManySlots) {
  for_all(6, [&](Random& random) {
    const bool many_tiles = random.chance(0.5);
    const Worlds worlds(random, many_tiles ? kMaxWideTiles : 6, this->kWidth, 10, many_tiles ? 8 : 90);
    WideBlock<TypeParam> block(worlds.lanes);
    block.solve_newton(kExact);
    for (int l = 0; l < this->kWidth; ++l) {
      if (!worlds.lanes[l]) continue;
      const LaneProblem& lane = *worlds.lanes[l];
      const RandomProblem p = lane.as_dense();
      Dense dense(p);
      solve_dense(dense, lane, kExact, this->arena, kNewtonOfOne);
      EXPECT_LT(difference(lane.without_fill(lane.a_smooth + block.d(l)), dense.a()), this->kIsDouble ? 1e-9 : 1e-3);
    }
  });
}

TYPED_TEST(Wide, ConjugateGradientsFindTheSolutionOfEachLane) {
  for_all(60, [&](Random& random) {
    const Worlds worlds(random, this->kWidth, 10, 3);
    WideBlock<TypeParam> block(worlds.lanes, random.chance(0.5) ? &random : nullptr);
    block.solve_cg({.iterations = 5000, .tolerance = this->kIsDouble ? 1e-18 : 1e-9});
    for (int l = 0; l < this->kWidth; ++l) {
      if (!worlds.lanes[l]) continue;
      const LaneProblem& lane = *worlds.lanes[l];
      const RandomProblem p = lane.as_dense();
      Dense dense(p);
      solve_dense(dense, lane, kExact, this->arena, kNewtonOfOne);
      EXPECT_LT(difference(lane.without_fill(lane.a_smooth + block.d(l)), dense.a()), this->kIsDouble ? 1e-6 : 1e-3);
      EXPECT_TRUE(block.converged(l));
    }
  });
}

// At ordinary tolerances the rules decide where the iterations end: the same rules end in the same place.
TYPED_TEST(Wide, EndsInTheSameIterationAsOneWorld) {
  if (!this->kIsDouble) return;  // rounding decides in float
  int same = 0, total = 0;
  for_all(200, [&](Random& random) {
    const Worlds worlds(random, this->kWidth, 100);
    const bool newton = random.chance(0.5);
    // conjugate gradients amplify rounding from iteration to iteration
    const bool few = !newton || random.chance(0.3);
    Options options{.iterations = few ? random.integer(0, 4) : 100, .tolerance = 1e-8};
    if (random.chance(0.3)) options.relative = 1e-6;
    WideBlock<TypeParam> block(worlds.lanes);
    newton ? block.solve_newton(options) : block.solve_cg(options);
    for (int l = 0; l < this->kWidth; ++l) {
      if (!worlds.lanes[l]) continue;
      const LaneProblem& lane = *worlds.lanes[l];
      const RandomProblem p = lane.as_dense();
      Dense dense(p);
      Aligned momentum(dense.problem.ld), weight(dense.problem.ld);
      const Vector at_rest = lane.without_fill(lane.momentum);
      std::copy(at_rest.begin(), at_rest.end(), momentum.data());
      for (int i = 0; i < p.n; ++i) weight.data()[i] = 1 / p.M(i, i);
      dense.problem.momentum = momentum.data(), dense.problem.weight = weight.data();
      newton ? solve_dense(dense, lane, options, this->arena, kNewtonOfOne)
             : solve_dense(dense, lane, options, this->arena, kCgOfOne);
      ++total;
      if (block.iterations(l) != dense.solution.iterations) continue;
      ++same;
      EXPECT_EQ(block.converged(l), dense.solution.converged);
      EXPECT_LT(difference(lane.without_fill(lane.a_smooth + block.d(l)), dense.a()), 1e-9)
          << (newton ? "newton" : "cg") << " iteration " << block.iterations(l) << " of " << options.iterations
          << ", relative " << options.relative;
    }
  });
  EXPECT_GT(same, 0.98 * total) << total;
}

// The lanes of both blocks that have the same problem have the same bits.
template <class P>
void expect_same_bits(const WideBlock<P>& a, int in_a, const WideBlock<P>& b, int in_b) {
  const auto first = a.bits_of_lane(in_a), second = b.bits_of_lane(in_b);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t k = 0; k < first.size(); ++k) EXPECT_EQ(first[k], second[k]) << k;
}

TYPED_TEST(Wide, ALaneHasTheSameBitsAloneAndAmongOthers) {
  for_all(100, [&](Random& random) {
    const Worlds worlds(random, this->kWidth, 1000);
    const bool newton = random.chance(0.7);
    Options options{.iterations = 300, .tolerance = random.chance(0.5) ? 1e-8 : 0};
    if (random.chance(0.3)) options.relative = 1e-6;
    const auto solve = [&](WideBlock<TypeParam>& block) {
      newton ? block.solve_newton(options) : block.solve_cg(options);
    };
    WideBlock<TypeParam> together(worlds.lanes);
    solve(together);
    WideBlock<TypeParam> arranged(worlds.lanes, &random);
    solve(arranged);
    std::vector<const LaneProblem*> reversed(worlds.lanes.rbegin(), worlds.lanes.rend());
    WideBlock<TypeParam> other_lanes(reversed, &random);
    solve(other_lanes);
    for (int l = 0; l < this->kWidth; ++l) {
      if (!worlds.lanes[l]) continue;
      std::vector<const LaneProblem*> one(this->kWidth, nullptr);
      one[l] = worlds.lanes[l];
      WideBlock<TypeParam> alone(one);
      solve(alone);
      expect_same_bits(together, l, alone, l);
      expect_same_bits(arranged, l, alone, l);
      expect_same_bits(other_lanes, this->kWidth - 1 - l, alone, l);
    }
  });
}

TYPED_TEST(Wide, ANaNStaysInItsLaneAndEnds) {
  for_all(60, [&](Random& random) {
    const Worlds worlds(random, this->kWidth, 100);
    WideBlock<TypeParam> sound(worlds.lanes);
    sound.solve_newton(kExact);
    const int bad = random.integer(0, this->kWidth - 1);
    if (!worlds.lanes[bad]) return random.screen();
    LaneProblem spoilt = *worlds.lanes[bad];
    const double value = random.chance(0.5) ? std::nan("") : kInfinite;
    switch (random.integer(0, 3)) {
      case 0:
        spoilt.start[spoilt.tree->random_dof(random)] = std::nan("");
        break;
      case 1:
        spoilt.M *= std::nan("");
        break;
      case 2:
        if (spoilt.rows.empty()) return random.screen();
        spoilt.rows[0].aref = std::nan("");
        break;
      default:
        if (spoilt.contacts.empty()) return random.screen();
        spoilt.contacts[0].J *= value;
    }
    std::vector<const LaneProblem*> lanes = worlds.lanes;
    lanes[bad] = &spoilt;
    for (const bool newton : {true, false}) {
      WideBlock<TypeParam> block(lanes);
      newton ? block.solve_newton(kExact) : block.solve_cg(kExact);
      EXPECT_FALSE(block.d(bad).allFinite());
      EXPECT_FALSE(block.converged(bad));
      for (int l = 0; newton && l < this->kWidth; ++l) {
        if (l != bad && lanes[l]) expect_same_bits(block, l, sound, l);
      }
    }
  });
}

TYPED_TEST(Wide, WithoutRowsNothingMoves) {
  for_all(20, [&](Random& random) {
    const Worlds worlds(random, this->kWidth, 100, 0);
    for (const double tolerance : {0.0, 1e-8}) {
      WideBlock<TypeParam> block(worlds.lanes);
      block.solve_newton({.tolerance = tolerance});
      EXPECT_EQ(block.d(0), Vector::Zero(worlds.tree.n));
      EXPECT_EQ(block.iterations(0), 0);
      EXPECT_TRUE(block.converged(0));
    }
  });
}

TYPED_TEST(Wide, TheLimitOfIterationsHoldsForEachLane) {
  int limited = 0;
  for_all(60, [&](Random& random) {
    const Worlds worlds(random, this->kWidth, 1000);
    WideBlock<TypeParam> free(worlds.lanes), limit(worlds.lanes);
    const bool newton = random.chance(0.5);
    const Options few{.iterations = random.integer(0, 2), .tolerance = 1e-6},
        many{.iterations = 500, .tolerance = 1e-6};
    newton ? free.solve_newton(many) : free.solve_cg(many);
    newton ? limit.solve_newton(few) : limit.solve_cg(few);
    for (int l = 0; l < this->kWidth; ++l) {
      if (!worlds.lanes[l]) continue;
      if (free.iterations(l) == few.iterations) continue;  // whether it was the last one is not always asked
      if (free.iterations(l) < few.iterations) {
        expect_same_bits(limit, l, free, l);
      } else {
        EXPECT_EQ(limit.iterations(l), few.iterations);
        EXPECT_FALSE(limit.converged(l));
        ++limited;
      }
    }
  });
  EXPECT_GT(limited, 20);
}

// SAP: the gradient is small beside momentum and forces.
TYPED_TEST(Wide, ARelativeToleranceEndsAtTheScaleOfMomentum) {
  for_all(60, [&](Random& random) {
    const Worlds worlds(random, this->kWidth, 100);
    const double relative = this->kIsDouble ? (random.chance(0.5) ? 1e-6 : 1e-11) : 1e-4;
    WideBlock<TypeParam> block(worlds.lanes);
    block.solve_newton({.iterations = 100, .tolerance = 0, .relative = relative});
    for (int l = 0; l < this->kWidth; ++l) {
      if (!worlds.lanes[l]) continue;
      const LaneProblem& lane = *worlds.lanes[l];
      EXPECT_TRUE(block.converged(l));
      const Vector d = block.d(l), Jf = block.read(block.solution.qfrc, l), g = lane.M * d - Jf;
      const Vector Mv = lane.M * (lane.a_smooth + d) + lane.momentum;
      const Vector D = lane.M.diagonal().cwiseSqrt().cwiseInverse();
      const double scale = std::max(D.cwiseProduct(Mv).norm(), D.cwiseProduct(Jf).norm());
      EXPECT_LE(D.cwiseProduct(g).norm(), 1.01 * relative * scale + (this->kIsDouble ? 1e-12 : 1e-4) * scale);
    }
  });
}

}  // namespace
}  // namespace torsor::solver
