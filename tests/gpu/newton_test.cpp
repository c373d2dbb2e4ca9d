// Newton's method for islands, by groups of one thread on this machine, against the solver of worlds in lanes.
#include "torsor/gpu/newton.hpp"

#include <gtest/gtest.h>

#include "tests/gpu/island_problems.hpp"
#include "torsor/gpu/host_solve.hpp"

namespace torsor::gpu {
namespace {

template <class S>
class IslandsByNewton : public testing::Test {
 protected:
  static constexpr bool kIsDouble = sizeof(S) == 8;
  static constexpr double kTolerance = kIsDouble ? 1e-9 : 1e-4;
};
using Numbers = testing::Types<double, float>;
TYPED_TEST_SUITE(IslandsByNewton, Numbers);

// What one island got, in the order of the lanes' problem.
template <class S>
struct IslandResult {
  Vector d, qfrc;
  int iterations;
  std::vector<double> unit_forces, row_forces;
};

template <class S>
IslandResult<S> result_of(const IslandProblems<S>& all, int number) {
  const Island& island = all.islands[number];
  const IslandProblem& from = *all.problems[number];
  IslandResult<S> result{Vector::Zero(from.tree.n), Vector::Zero(from.tree.n), all.arrays.iterations[number], {}, {}};
  for (int k = 0; k < island.dofs; ++k) {
    const int dof = from.model_dofs[k];
    const double smooth = all.arrays.qacc_smooth.at(island.world, dof);
    result.d[from.stored(k)] = all.arrays.qacc.at(island.world, dof) - smooth;
    result.qfrc[from.stored(k)] = all.arrays.qfrc_constraint.at(island.world, dof);
  }
  for (const LaneRow& row : from.problem.rows) {
    if (row.unit_dof < 0) continue;
    const int kind = row.kind == LaneRow::kFriction ? kUnitFriction : row.J[row.unit_dof] > 0 ? kUnitLower : kUnitUpper;
    for (int k = 0; k < island.dofs; ++k) {
      if (from.stored(k) != row.unit_dof) continue;
      const int at = (island.world * kUnitKinds + kind) * all.arrays.nv + from.model_dofs[k];
      result.unit_forces.push_back(all.arrays.unit_force[at]);
    }
  }
  const S* force = all.arrays.force + island.world * all.arrays.row_capacity + island.first_row;
  result.row_forces.assign(force, force + rows_of(island));
  return result;
}

// The same by a lane of its own.
template <class S>
IslandResult<S> result_in_lane(const IslandProblem& from, const solver::Options& options) {
  solver::WideBlock<S> block({&from.problem});
  block.problem.scale[0] = S(from.scale());
  block.solve_newton(options);
  IslandResult<S> result{block.d(0), block.read(block.solution.qfrc, 0), block.iterations(0), {}, {}};
  for (std::size_t r = 0; r < from.problem.rows.size(); ++r) {
    const int slot = block.slots[0].rows[r];
    if (from.problem.rows[r].unit_dof >= 0) {
      result.unit_forces.push_back(block.solution.units.force[slot]);
    } else {
      result.row_forces.push_back(block.solution.singles.force[slot]);
    }
  }
  for (std::size_t c = 0; c < from.problem.contacts.size(); ++c) {
    const int dim = from.problem.contacts[c].dim, kind = dim == 3 ? 0 : dim == 4 ? 1 : 2;
    for (int a = 0; a < dim; ++a)
      result.row_forces.push_back(block.solution.contacts[kind].force[block.slots[0].contacts[c] * dim + a]);
  }
  return result;
}

double difference(const Vector& a, const Vector& b) {
  if (!a.allFinite() || !b.allFinite()) return std::numeric_limits<double>::infinity();
  return a.size() == 0 ? 0 : (a - b).cwiseAbs().maxCoeff() / std::max(1.0, b.cwiseAbs().maxCoeff());
}
double difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  return difference(Vector(Vector::Map(a.data(), a.size())), Vector(Vector::Map(b.data(), b.size())));
}

// Trees of these tiles reach all classes of size.
constexpr int kTiles[][5] = {{1, 1, 2, 1, 2}, {5, 1, 4, 2, 3}, {9, 2, 3, 1, 1}, {11, 6, 2, 3, 1}, {14, 8, 6, 10, 9}};

template <class S>
IslandProblems<S> random_problems(Random& random, double spread, int worlds) {
  const auto& tiles = kTiles[random.integer(0, 4)];
  ProblemSizes sizes{.tiles = {std::begin(tiles), std::end(tiles)}, .worlds = worlds, .spread = spread};
  sizes.most_rows = random.chance(0.2) ? 40 : 6;
  return IslandProblems<S>(random, sizes, random.chance(0.5));
}

TYPED_TEST(IslandsByNewton, FindsWhatLanesFind) {
  using S = TypeParam;
  std::vector<int> seen(kSizeClasses, 0);
  int contacts[3] = {}, units = 0;
  for_all(60, [&](Random& random) {
    IslandProblems<S> problems = random_problems<S>(random, 100, 10);
    problems.arrays.options = {.iterations = 200, .tolerance = 0};
    run_newton_on_host(problems.arrays, problems.lists(), problems.scratch());
    for (int c = 0; c < kSizeClasses; ++c) seen[c] += problems.counts()[c];
    for (std::size_t k = 0; k < problems.islands.size(); ++k) {
      const IslandResult<S> ours = result_of(problems, int(k));
      const IslandResult<double> theirs = result_in_lane<double>(*problems.problems[k], problems.arrays.options);
      EXPECT_LT(difference(ours.d, theirs.d), this->kTolerance);
      EXPECT_LT(difference(ours.qfrc, theirs.qfrc), this->kTolerance);
      EXPECT_LT(difference(ours.unit_forces, theirs.unit_forces), this->kTolerance);
      EXPECT_LT(difference(ours.row_forces, theirs.row_forces), this->kTolerance);
      for (int d = 0; d < 3; ++d) contacts[d] += problems.islands[k].contacts[d];
      units += int(ours.unit_forces.size());
    }
  });
  for (const int count : seen) EXPECT_GT(count, 10);
  for (const int count : contacts) EXPECT_GT(count, 100);
  EXPECT_GT(units, 100);
}

// Groups of several threads, as a card has them, of all classes.
TYPED_TEST(IslandsByNewton, IsTheWorkOfAllThreadsOfAGroup) {
  using S = TypeParam;
  for (const HostDevice::Threads order : {HostDevice::Threads::kForwards, HostDevice::Threads::kBackwards}) {
    std::vector<int> seen(kSizeClasses, 0);
    const long before = host_device().groups[HostDevice::kIslands];
    for_all(30, [&](Random& random) {
      IslandProblems<S> problems = random_problems<S>(random, 100, 4);
      problems.arrays.options = {.iterations = 200, .tolerance = 0};
      run_newton_in_groups(problems.arrays, problems.lists(), problems.scratch(), order);
      for (int c = 0; c < kSizeClasses; ++c) seen[c] += problems.counts()[c];
      for (std::size_t k = 0; k < problems.islands.size(); ++k) {
        const IslandResult<S> ours = result_of(problems, int(k));
        const IslandResult<double> theirs = result_in_lane<double>(*problems.problems[k], problems.arrays.options);
        EXPECT_LT(difference(ours.d, theirs.d), this->kTolerance);
        EXPECT_LT(difference(ours.unit_forces, theirs.unit_forces), this->kTolerance);
        EXPECT_LT(difference(ours.row_forces, theirs.row_forces), this->kTolerance);
      }
    });
    for (const int count : seen) EXPECT_GT(count, 0);
    EXPECT_GT(host_device().groups[HostDevice::kIslands], before);
  }
}

// At ordinary tolerances the rules decide where the iterations end: the same rules end in the same place.
TYPED_TEST(IslandsByNewton, EndsInTheSameIterationAsALane) {
  using S = TypeParam;
  if (!this->kIsDouble) return;  // rounding decides in float
  int most = 0;
  for_all(60, [&](Random& random) {
    IslandProblems<S> problems = random_problems<S>(random, 100, 10);
    problems.arrays.options = {.iterations = random.chance(0.2) ? 2 : 100, .tolerance = 1e-8};
    run_newton_on_host(problems.arrays, problems.lists(), problems.scratch());
    for (std::size_t k = 0; k < problems.islands.size(); ++k) {
      const IslandResult<S> ours = result_of(problems, int(k));
      const IslandResult<S> theirs = result_in_lane<S>(*problems.problems[k], problems.arrays.options);
      EXPECT_EQ(ours.iterations, theirs.iterations);
      EXPECT_LT(difference(ours.d, theirs.d), this->kTolerance);
      most = std::max(most, ours.iterations);
    }
  });
  EXPECT_GT(most, 5);
}

// Judged by the problem's statement alone. Pyramids have the forces of their edges at the result.
TYPED_TEST(IslandsByNewton, MeetsTheConditionsOfTheSolution) {
  using S = TypeParam;
  for_all(40, [&](Random& random) {
    IslandProblems<S> problems = random_problems<S>(random, 10, 10);
    problems.arrays.options = {.iterations = 200, .tolerance = 0};
    run_newton_on_host(problems.arrays, problems.lists(), problems.scratch());
    for (std::size_t k = 0; k < problems.islands.size(); ++k) {
      const LaneProblem& lane = problems.problems[k]->problem;
      const IslandResult<S> ours = result_of(problems, int(k));
      const solver::RandomProblem p = lane.as_dense();
      const Vector a = p.a_smooth + lane.without_fill(ours.d), x = p.J * a - p.aref;
      std::vector<double> forces;
      auto unit = ours.unit_forces.begin(), row = ours.row_forces.begin();
      for (const LaneRow& r : lane.rows) forces.push_back(r.unit_dof >= 0 ? *unit++ : *row++);
      for (const LaneContact& c : lane.contacts) {
        for (int j = 0; lane.elliptic && j < c.dim; ++j)
          forces.push_back(*row++ / (j == 0 ? 1 : 1 / c.friction[j - 1]));
        for (int e = 0; !lane.elliptic && e < 2 * (c.dim - 1); ++e) {
          const int at = int(forces.size());
          forces.push_back(p.D[at] * std::max(0.0, -x[at]));
        }
      }
      const Vector f = Vector::Map(forces.data(), forces.size());
      EXPECT_LT(solver::row_residual(p, x, f), this->kIsDouble ? 1e-9 : 1e-3);
      EXPECT_LT(solver::gradient_residual(p, a, f), this->kIsDouble ? 1e-9 : 1e-4);
      EXPECT_LT(difference(lane.without_fill(ours.qfrc), p.J.transpose() * f), this->kIsDouble ? 1e-9 : 1e-3);
    }
  });
}

TYPED_TEST(IslandsByNewton, NeedsNoIterationFromTheSolution) {
  using S = TypeParam;
  for_all(20, [&](Random& random) {
    IslandProblems<S> problems = random_problems<S>(random, 10, 5);
    problems.arrays.options = {.iterations = 200, .tolerance = 0};
    run_newton_on_host(problems.arrays, problems.lists(), problems.scratch());
    for (const Island& island : problems.islands) {
      for (int k = 0; k < island.dofs; ++k) {
        const int dof = problems.arrays.dofs[island.world * problems.arrays.nv + island.first_dof + k];
        problems.arrays.qacc_warmstart.at(island.world, dof) = problems.arrays.qacc.at(island.world, dof);
      }
    }
    problems.arrays.options.tolerance = this->kIsDouble ? 1e-8 : 1e-4;
    run_newton_on_host(problems.arrays, problems.lists(), problems.scratch());
    for (std::size_t k = 0; k < problems.islands.size(); ++k) EXPECT_EQ(problems.arrays.iterations[k], 0);
  });
}

TYPED_TEST(IslandsByNewton, ANanStaysInItsIsland) {
  using S = TypeParam;
  int marked = 0;
  for_all(20, [&](Random& random) {
    IslandProblems<S> problems = random_problems<S>(random, 100, 10);
    problems.arrays.options = {.iterations = 50, .tolerance = 1e-6};
    run_newton_on_host(problems.arrays, problems.lists(), problems.scratch());
    std::vector<IslandResult<S>> before;
    for (std::size_t k = 0; k < problems.islands.size(); ++k) before.push_back(result_of(problems, int(k)));
    const int bad = random.integer(0, int(problems.islands.size()) - 1);
    const Island& island = problems.islands[bad];
    if (rows_of(island) == 0) return;
    problems.b()[island.world * problems.arrays.row_capacity + island.first_row] = std::numeric_limits<S>::quiet_NaN();
    run_newton_on_host(problems.arrays, problems.lists(), problems.scratch());
    for (std::size_t k = 0; k < problems.islands.size(); ++k) {
      const IslandResult<S> after = result_of(problems, int(k));
      if (int(k) != bad) {
        EXPECT_EQ(after.d, before[k].d);
        EXPECT_EQ(after.qfrc, before[k].qfrc);
        continue;
      }
      for (int i = 0; i < island.dofs; ++i) EXPECT_TRUE(std::isnan(after.d[problems.problems[k]->stored(i)]));
      ++marked;
    }
  });
  EXPECT_GT(marked, 5);
}

}  // namespace
}  // namespace torsor::gpu
