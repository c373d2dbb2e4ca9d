// Numbers that blow up: the simulation is reset and says so, or goes on when that is asked for.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/sim/scenes.hpp"

namespace torsor {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kBadNumbers[] = {kNan, kInfinity, -kInfinity, 1.1e10, -1.1e10};

WarningCount count_of(const Data& data, Warning kind) { return data.warning[static_cast<int>(kind)]; }

// One step from the reference pose, what a step with bad numbers in its state ends with.
std::vector<double> one_step_from_reset(const Model& model) {
  Data data(model);
  step(model, data);
  return state_of(model, data);
}

TEST(BadNumbers, InPositionsResetTheSimulationAndAreCounted) {
  const Model model = make_scene();
  for (const double bad : kBadNumbers) {
    Data data(model);
    stir(model, data);
    for (int i = 0; i < 5; ++i) step(model, data);
    data.qpos[3] = bad;
    EXPECT_EQ(step(model, data), Status::kReset) << bad;
    EXPECT_EQ(count_of(data, Warning::kBadQpos).number, 1);
    EXPECT_EQ(count_of(data, Warning::kBadQpos).lastinfo, 3);
    EXPECT_TRUE(same_bits(state_of(model, data), one_step_from_reset(model))) << bad;
  }
}

TEST(BadNumbers, InVelocitiesResetTheSimulationAndAreCounted) {
  const Model model = make_scene();
  for (const double bad : kBadNumbers) {
    Data data(model);
    data.qvel[4] = bad;
    EXPECT_EQ(step(model, data), Status::kReset) << bad;
    EXPECT_EQ(count_of(data, Warning::kBadQvel).number, 1);
    EXPECT_EQ(count_of(data, Warning::kBadQvel).lastinfo, 4);
    EXPECT_TRUE(same_bits(state_of(model, data), one_step_from_reset(model))) << bad;
  }
}

TEST(BadNumbers, InAccelerationsResetTheSimulationAndAreCounted) {
  for (const Integrator integrator : kIntegrators) {
    const Model model = make_scene(integrator);
    Data data(model);
    data.qfrc_applied[0] = 1e13;
    EXPECT_EQ(step(model, data), Status::kReset);
    EXPECT_EQ(count_of(data, Warning::kBadQacc).number, 1);
    EXPECT_EQ(data.qfrc_applied[0], 0) << "the force that did it is gone";
    EXPECT_TRUE(same_bits(state_of(model, data), one_step_from_reset(model))) << static_cast<int>(integrator);
  }
}

TEST(BadNumbers, AreFoundByTheHalvesOfAStepToo) {
  const Model model = make_scene();
  Data data(model);
  data.qpos[0] = kNan;
  EXPECT_EQ(step1(model, data), Status::kReset);
  EXPECT_EQ(step2(model, data), Status::kOk);
  EXPECT_TRUE(same_bits(state_of(model, data), one_step_from_reset(model)));
  step1(model, data);
  data.qfrc_applied[0] = 1e13;
  EXPECT_EQ(step2(model, data), Status::kReset);
}

TEST(BadNumbers, LargeOnesWithinTheBoundAreLeftAlone) {
  const Model model = make_scene();
  Data data(model);
  data.qpos[0] = 0.9e10;
  EXPECT_EQ(step(model, data), Status::kOk);
  EXPECT_GT(data.qpos[0], 0.8e10);
}

TEST(BadNumbers, WithTheResetSwitchedOffTheStateIsKeptAndEachStepCounts) {
  Model model = make_scene();
  model.opt.disableflags |= kDisableAutoReset;
  Data data(model);
  data.time = 7;
  data.qpos[3] = kNan;
  EXPECT_EQ(step(model, data), Status::kDiverged);
  EXPECT_TRUE(std::isnan(data.qpos[3]));
  EXPECT_GT(data.time, 7);
  EXPECT_EQ(count_of(data, Warning::kBadQpos).number, 1);  // once per step, as MuJoCo 4.0 counts
  EXPECT_EQ(step(model, data), Status::kDiverged);
  EXPECT_EQ(count_of(data, Warning::kBadQpos).number, 2);
  EXPECT_EQ(count_of(data, Warning::kBadQpos).lastinfo, 0);
}

TEST(BadNumbers, AGoodStepCountsNothing) {
  const Model model = make_scene();
  Data data(model);
  stir(model, data);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(step(model, data), Status::kOk);
  for (const WarningCount& count : data.warning) EXPECT_EQ(count.number, 0);
}

}  // namespace
}  // namespace torsor
