// The guard: stepping takes no memory from the heap. Every allocation of this program is counted.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <vector>

#include "tests/sim/scenes.hpp"
#include "tests/support/allocations.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor {
namespace {

// Calls of these functions are never optimised away, as a new expression may be.
TEST(AllocationGuard, SeesEveryWayOfTakingMemory) {
  EXPECT_EQ(allocations_in([] {}), 0);
  EXPECT_EQ(allocations_in([] { ::operator delete(::operator new(100)); }), 1);
  constexpr std::align_val_t kLine{64};
  EXPECT_EQ(allocations_in([] { ::operator delete(::operator new(100, kLine), kLine); }), 1);
  std::vector<double> numbers;
  EXPECT_EQ(allocations_in([&] { numbers.resize(100); }), 1);
  void* volatile block = nullptr;
  EXPECT_EQ(allocations_in([&] { block = std::malloc(100); }), 1);
  EXPECT_EQ(allocations_in([&] { block = std::realloc(block, 100'000); }), 1);
  std::free(block);
}

TEST(AllocationGuard, StepNeverAllocatesNotEvenTheFirst) {
  for (const Integrator integrator : kIntegrators) {
    const Model model = make_scene(integrator);
    Data data(model);
    stir(model, data);
    Status status = Status::kOk;
    const long count = allocations_in([&] {
      for (int i = 0; i < 50; ++i) status = step(model, data);
    });
    EXPECT_EQ(count, 0) << "integrator " << static_cast<int>(integrator);
    EXPECT_EQ(status, Status::kOk);
  }
}

TEST(AllocationGuard, HalvesOfAStepAndTheStagesNeverAllocate) {
  const Model model = make_scene(Integrator::kImplicit);
  Data data(model);
  stir(model, data);
  EXPECT_EQ(allocations_in([&] {
              step1(model, data);
              step2(model, data);
              forward(model, data);
              inverse(model, data);
              compute_rne_post(model, data);
              compute_subtree_velocity(model, data);
            }),
            0);
}

TEST(AllocationGuard, AResetInTheMiddleOfAStepDoesNotAllocate) {
  const Model model = make_scene();
  Data data(model);
  data.qpos[0] = 1e300;
  Status status = Status::kOk;
  EXPECT_EQ(allocations_in([&] { status = step(model, data); }), 0);
  EXPECT_EQ(status, Status::kReset);
}

TEST(AllocationGuard, StateAndCopyInPlaceDoNotAllocate) {
  const Model model = make_scene();
  Data data(model), other(model);
  std::vector<double> state = state_of(model, data);
  EXPECT_EQ(allocations_in([&] {
              get_state(model, data, state.data(), kStateIntegration);
              set_state(model, data, state.data(), kStateIntegration);
              other = data;
              reset(model, data);
            }),
            0);
}

}  // namespace
}  // namespace torsor
