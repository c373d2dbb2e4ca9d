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

TEST(AllocationGuard, AStepOfSapNeverAllocates) {
  const Model model = load_string(R"(<mujoco><option solver="SAP"/><worldbody><geom type="plane" size="1 1 1"/>
    <body pos="0 0 0.05"><freejoint/><geom type="box" size="0.1 0.1 0.06"/></body>
    <body pos="1 0 0.5"><joint name="j" axis="0 1 0" damping="1" frictionloss="0.1" range="-1 1"/><geom size="0.1"
    pos="0.3 0 0"/></body></worldbody><actuator><position joint="j" kp="100" kv="5" forcerange="-1 2"/></actuator>
    </mujoco>)");
  Data data(model);
  Status status = Status::kOk;
  EXPECT_EQ(allocations_in([&] {
              for (int i = 0; i < 50; ++i) status = step(model, data);
            }),
            0);
  EXPECT_EQ(status, Status::kOk);
  EXPECT_GT(data.ncon, 0);
}

// Contacts and rows outgrow what is reserved again and again: that maps memory, but takes none from the heap.
TEST(AllocationGuard, AStepThatGrowsTakesNothingFromTheHeap) {
  std::string text = "<mujoco><worldbody><geom type='plane' size='1 1 1'/>";
  for (int i = 0; i < 60; ++i)
    text += "<body pos='0 0 " + std::to_string(0.1 + 0.15 * i) + "'><freejoint/><geom size='0.1'/></body>";
  const Model model = load_string(text + "</worldbody></mujoco>");
  Data data(model);
  Status status = Status::kOk;
  EXPECT_EQ(allocations_in([&] {
              for (int i = 0; i < 20; ++i) status = step(model, data);
            }),
            0);
  EXPECT_EQ(status, Status::kOk);
  EXPECT_GT(data.arena().growths() + data.results().growths(), 1);
}

TEST(AllocationGuard, AStepOfHullsThatAreNearNeverAllocates) {
  const Model model = load(TORSOR_SOURCE_DIR "/models/benchmarks/two_arms.xml");
  Data data(model);
  EXPECT_EQ(allocations_in([&] {
              for (int i = 0; i < 50; ++i) step(model, data);
            }),
            0);
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

TEST(AllocationGuard, TreesFallAsleepAndWakeUpWithoutAllocating) {
  const Model model = load_string(R"(<mujoco><option><flag sleep="enable"/></option><worldbody>
    <geom type="plane" size="9 9 1"/>
    <body pos="0 0 .0999"><freejoint/><geom size=".1"/></body>
    <body pos="1 0 .0999" sleep="init"><freejoint/><geom size=".1"/></body>
    <body pos="3 0 .0999"><freejoint/><geom size=".1"/></body></worldbody></mujoco>)");
  Data data(model);
  int asleep = 0, awake = 0;
  const long count = allocations_in([&] {
    for (int i = 0; i < 60; ++i) step(model, data);
    asleep = model.ntree - data.ntree_awake;
    data.qvel[0] = 3;
    for (int i = 0; i < 300; ++i) step(model, data);
    awake = data.ntree_awake;
  });
  EXPECT_EQ(count, 0);
  EXPECT_EQ(asleep, 3);
  EXPECT_GE(awake, 2);
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
