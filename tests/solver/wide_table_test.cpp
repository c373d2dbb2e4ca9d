// The solvers for worlds in lanes as callers outside of the kernels see them, for every instruction set.
#include "tests/solver/isa_test.hpp"
#include "tests/solver/wide_block.hpp"
#include "torsor/solver/wide.hpp"

namespace torsor::solver {
namespace {

class WideTable : public IsaTest {};
INSTANTIATE_TEST_SUITE_P(Isa, WideTable, testing::ValuesIn(isa_names()), [](const auto& isa) { return isa.param; });

constexpr Options kExact{.iterations = 200, .tolerance = 0};

template <class S, int N>
void expect_solutions(Random& random, Arena& arena, double most) {
  const WideKernels<S>& kernels = wide_kernels<S>();
  const LaneTree tree(random, random.integer(1, 7));
  const bool elliptic = random.chance(0.5), newton = random.chance(0.7);
  std::vector<std::unique_ptr<LaneProblem>> problems;
  std::vector<const LaneProblem*> lanes;
  for (int l = 0; l < N; ++l) {
    problems.push_back(std::make_unique<LaneProblem>(random, tree, elliptic, 10, 3));
    lanes.push_back(problems.back().get());
  }
  WideBlock<Pack<S, N>> block(lanes);
  std::vector<char> memory(kernels.scratch_bytes(block.sizes) + 64);
  char* const scratch = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64;
  const WideProblem<S> problem = view_as<S>(block.problem);
  const WideSolution<S> solution = view_as<S>(block.solution);
  const Options options{.iterations = 5000, .tolerance = newton ? 0 : sizeof(S) == 8 ? 1e-18 : 1e-9};
  (newton ? kernels.newton : kernels.cg)(problem, options, block.sizes, ~0u, scratch, solution);
  for (int l = 0; l < N; ++l) {
    const RandomProblem p = lanes[l]->as_dense();
    Dense dense(p);
    Options exact = kExact;
    exact.scale = lanes[l]->scale();
    ASSERT_TRUE(solve_newton(dense.problem, exact, arena, dense.solution));
    const Vector a = lanes[l]->without_fill(lanes[l]->a_smooth + block.d(l));
    EXPECT_LT((a - dense.a()).norm(), (newton ? most : sizeof(S) == 8 ? 1e-6 : 1e-3) * (1e-3 + dense.a().norm()));
  }
}

TEST_P(WideTable, SolvesPacksOfOneRegister) {
  for_all(40, [&](Random& random) {
    switch (wide_kernels<double>().lanes) {
      case 2:
        expect_solutions<double, 2>(random, arena, 1e-10);
        break;
      case 4:
        expect_solutions<double, 4>(random, arena, 1e-10);
        break;
      case 8:
        expect_solutions<double, 8>(random, arena, 1e-10);
        break;
      default:
        FAIL();
    }
    switch (wide_kernels<float>().lanes) {
      case 4:
        expect_solutions<float, 4>(random, arena, 1e-4);
        break;
      case 8:
        expect_solutions<float, 8>(random, arena, 1e-4);
        break;
      case 16:
        expect_solutions<float, 16>(random, arena, 1e-4);
        break;
      default:
        FAIL();
    }
  });
}

}  // namespace
}  // namespace torsor::solver
