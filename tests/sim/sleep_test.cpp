// Laws of sleeping. That the same trees sleep in the same steps as MuJoCo's is in tests/differential/test_sleep.py.
#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/sim/scenes.hpp"
#include "torsor/sim/sleep.hpp"

namespace torsor {
namespace {

std::string ball(const std::string& pos, const std::string& attributes = "") {
  return "<body pos='" + pos + "' " + attributes + "><freejoint/><geom size='.1' condim='6'/></body>";
}

Model make_model(const std::string& bodies, const std::string& more = "") {
  return load_string("<mujoco><option><flag sleep='enable'/></option><worldbody><geom type='plane' size='9 9 1'/>" +
                     bodies + "</worldbody>" + more + "</mujoco>");
}

void take_steps(const Model& model, Data& data, int count) {
  for (int i = 0; i < count; ++i) ASSERT_EQ(step(model, data), Status::kOk);
}

std::vector<int> cycle(const Data& data) { return {data.tree_asleep.begin(), data.tree_asleep.end()}; }

TEST(Sleep, TreesAtRestFallAsleepAndTheirStateStaysToTheBit) {
  const Model model = make_model(ball("0 0 .0999") + ball("1 0 .0999"));
  Data data(model);
  take_steps(model, data, 100);
  ASSERT_EQ(data.ntree_awake, 0);
  EXPECT_EQ(cycle(data), (std::vector<int>{0, 1}));
  const Data before(data);
  take_steps(model, data, 50);
  EXPECT_EQ(std::memcmp(before.qpos.data(), data.qpos.data(), sizeof(double) * static_cast<size_t>(model.nq)), 0);
  EXPECT_EQ(std::memcmp(before.xpos.data(), data.xpos.data(), sizeof(double) * 3 * static_cast<size_t>(model.nbody)),
            0);
  EXPECT_EQ(data.ncon, 0);
  EXPECT_EQ(data.nefc, 0);
  EXPECT_NEAR(data.time, 0.3, 1e-12);
}

TEST(Sleep, ATouchWakesTheWholeIslandAndNothingElse) {
  // two that press against each other, one apart, and one that comes rolling
  const Model model = make_model(ball("0 0 .0999") + ball("0 0 .2985") + ball("5 0 .0999") + ball("-1 0 .0999"));
  Data data(model);
  take_steps(model, data, 150);
  data.qvel[18] = 1.5;
  bool touched = false;
  for (int i = 0; i < 600 && !touched; ++i) {
    take_steps(model, data, 1);
    touched = data.tree_awake[0] == 1;
  }
  EXPECT_TRUE(touched);
  EXPECT_EQ(data.tree_awake[2], 0);
}

TEST(Sleep, WhatWakesUpMovesAsIfItHadNeverSlept) {
  Model awake = make_model(ball("0 0 .0999"));
  const Model sleepy = make_model(ball("0 0 .0999"));
  awake.opt.enableflags = 0;
  Data slept(sleepy);
  take_steps(sleepy, slept, 100);
  ASSERT_EQ(slept.ntree_awake, 0);
  Data never(awake);
  std::copy(slept.qpos.begin(), slept.qpos.end(), never.qpos.begin());
  for (Data* data : {&slept, &never}) data->xfrc_applied[6 + 2] = 100;
  std::copy(slept.qacc_warmstart.begin(), slept.qacc_warmstart.end(), never.qacc_warmstart.begin());
  take_steps(sleepy, slept, 40);
  take_steps(awake, never, 40);
  EXPECT_EQ(std::memcmp(slept.qpos.data(), never.qpos.data(), sizeof(double) * static_cast<size_t>(sleepy.nq)), 0);
}

TEST(Sleep, AnExceptionOfACallbackLeavesTreesAwake) {
  const Model model = make_model(ball("0 0 .0999"));
  Data data(model);
  int calls_of_step = 0;
  data.control = [&](const Model&, Data&) {
    if (++calls_of_step == 2) throw std::runtime_error("stop");  // the second call is that of falling asleep
  };
  double speed = 0;
  try {
    for (int i = 0; i < 100; ++i) {
      calls_of_step = 0;
      speed = data.qvel[2];
      step(model, data);
    }
    FAIL() << "nothing fell asleep";
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(data.qvel[2], speed);
  EXPECT_EQ(data.ntree_awake, 1);
  EXPECT_LT(data.tree_asleep[0], 0);
}

TEST(Sleep, TreesThatStartAsleepDoSoInTheReferencePose) {
  const Model model = make_model(ball("0 0 1", "sleep='init'") + ball("1 0 1", "sleep='init'"),
                                 "<keyframe><key qpos='0 0 1 1 0 0 0 1 0 2 1 0 0 0'/></keyframe>");
  Data data(model);
  reset_to_key(model, data, 0);
  start_sleep(model, data);
  EXPECT_EQ(cycle(data), (std::vector<int>{0, 1}));
  take_steps(model, data, 1);  // the second is elsewhere
  EXPECT_EQ(data.tree_awake[0], 0);
  EXPECT_EQ(data.tree_awake[1], 1);
  EXPECT_EQ(data.qpos[7 + 2], 2 - 9.81 * 0.002 * 0.002);
}

TEST(Sleep, RungeKuttaNeverSleeps) {
  Model model = make_model(ball("0 0 1", "sleep='init'"));
  model.opt.integrator = static_cast<int>(Integrator::kRk4);
  Data data(model);
  take_steps(model, data, 20);
  EXPECT_EQ(data.ntree_awake, 1);
}

}  // namespace
}  // namespace torsor
