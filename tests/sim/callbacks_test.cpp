// Callbacks of one simulation: what they change, and what is left when they throw.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/sim/scenes.hpp"
#include "torsor/core/error.hpp"
#include "torsor/load/load.hpp"

namespace torsor {
namespace {

Model touching(Integrator integrator = Integrator::kEuler) {
  Model model = load_string(R"(
    <mujoco><worldbody>
      <geom type="plane" size="1 1 1"/>
      <body pos="0 0 0.09"><freejoint/><geom size="0.1"/></body>
      <body pos="1 0 1"><joint axis="0 1 0" damping="0.1"/><geom size="0.05" pos="0.2 0 0"/></body>
    </worldbody></mujoco>)");
  model.opt.integrator = static_cast<int>(integrator);
  return model;
}

std::vector<double> whole_state(const Model& model, const Data& data) {
  std::vector<double> state(static_cast<size_t>(state_size(model, kStateAll)));
  get_state(model, data, state.data(), kStateAll);
  return state;
}

TEST(Callbacks, PassiveForcesOfTheUserAreAdded) {
  const Model model = touching();
  Data plain(model), data(model);
  data.qvel[6] = plain.qvel[6] = 2;
  data.passive = [](const Model& m, Data& d) {
    for (int i = 0; i < m.nv; ++i) d.qfrc_passive[i] -= 0.5 * d.qvel[i];
  };
  forward(model, plain);
  forward(model, data);
  EXPECT_EQ(data.qfrc_passive[6], plain.qfrc_passive[6] - 1);
  EXPECT_LT(data.qacc[6], plain.qacc[6]);
  data.qacc[6] = 0;
  plain.qacc[6] = 0;
  inverse(model, plain);
  inverse(model, data);
  EXPECT_NEAR(data.qfrc_inverse[6], plain.qfrc_inverse[6] + 1, 1e-12);
}

TEST(Callbacks, AFilterIsOfOneSimulation) {
  const Model model = touching();
  Data plain(model), data(model);
  data.contact_filter = [](const Model&, const Data&, int, int) { return true; };
  forward(model, plain);
  forward(model, data);
  EXPECT_EQ(plain.ncon, 1);
  EXPECT_EQ(data.ncon, 0);
}

TEST(Callbacks, TimersRunByTheClockOfTheUser) {
  const Model model = touching();
  Data data(model);
  double now = 0;
  data.clock = [&now] { return now += 1; };
  step(model, data);
  EXPECT_EQ(now, 0);
  data.timers_on = true;
  step(model, data);
  const TimerCount& timer = data.timer[static_cast<int>(Timer::kStep)];
  EXPECT_EQ(timer.number, 1);
  EXPECT_EQ(timer.duration, now - 1);
}

// What each callback is when it throws at the n-th call.
using Install = void (*)(Data&, std::function<void()>);
const Install kInstalls[] = {
    [](Data& data, std::function<void()> call) { data.control = [call](const Model&, Data&) { call(); }; },
    [](Data& data, std::function<void()> call) { data.passive = [call](const Model&, Data&) { call(); }; },
    [](Data& data, std::function<void()> call) {
      data.contact_filter = [call](const Model&, const Data&, int, int) { return call(), false; };
    },
    [](Data& data, std::function<void()> call) {
      data.clock = [call, now = 0.0]() mutable { return call(), now += 1; };
    },
};

TEST(Callbacks, WhatTheyThrowReachesTheCallerAndLeavesTheState) {
  for (const Integrator integrator : kIntegrators) {
    const Model model = touching(integrator);
    for (const Install install : kInstalls) {
      int thrown = 0;
      for (int calls_before = 0; calls_before < 150; ++calls_before) {
        Data data(model);
        data.timers_on = true;
        data.qvel[6] = 1;
        const auto before = whole_state(model, data);
        int calls = 0;
        install(data, [&calls, calls_before] {
          if (calls++ == calls_before) throw std::runtime_error("out of fuel");
        });
        try {
          step(model, data);
          continue;
        } catch (const std::runtime_error& error) {
          EXPECT_STREQ(error.what(), "out of fuel");
        }
        ++thrown;
        EXPECT_EQ(whole_state(model, data), before);
        EXPECT_EQ(data.arena().used(), 0u);
        EXPECT_EQ(step(model, data), Status::kOk);  // it can go on
      }
      EXPECT_GT(thrown, 0);
    }
  }
}

TEST(Callbacks, AClockThatRunsBackwardsIsAnErrorThatLeavesTheState) {
  const Model model = touching();
  Data data(model);
  data.timers_on = true;
  double now = 0;
  data.clock = [&now] { return now -= 1; };
  const auto before = whole_state(model, data);
  EXPECT_THROW(step(model, data), Error);
  EXPECT_EQ(whole_state(model, data), before);
  EXPECT_THROW(forward(model, data), Error);
  EXPECT_THROW(inverse(model, data), Error);
  data.clock = nullptr;
  EXPECT_EQ(step(model, data), Status::kOk);
}

TEST(Warnings, TheFirstOfEachKindIsToldOnceUntilTheReset) {
  const Model model = touching();
  Data data(model);
  std::vector<std::string> told;
  data.on_warning = [&told](const Data&, Warning kind, int info) { told.push_back(warning_text(kind, info)); };
  for (int i = 0; i < 3; ++i) warn(data, Warning::kBadCtrl, i);
  warn(data, Warning::kInertia, 4);
  EXPECT_EQ(told, (std::vector<std::string>{"bad number in ctrl, at 0", "inertia matrix without inverse, at 4"}));
  EXPECT_EQ(data.warning[static_cast<int>(Warning::kBadCtrl)].number, 3);
  EXPECT_EQ(data.warning[static_cast<int>(Warning::kBadCtrl)].lastinfo, 2);
  reset(model, data);
  EXPECT_EQ(data.warning[static_cast<int>(Warning::kBadCtrl)].number, 0);
  warn(data, Warning::kBadCtrl, 7);
  EXPECT_EQ(told.size(), 3u);
}

TEST(Warnings, AHandlerThatThrowsLeavesTheState) {
  const Model model = touching();
  Data data(model);
  data.on_warning = [](const Data&, Warning, int) { throw std::runtime_error("no"); };
  data.qvel[6] = 1e300;
  const auto before = whole_state(model, data);
  EXPECT_THROW(step(model, data), std::runtime_error);
  EXPECT_EQ(whole_state(model, data), before);
}

TEST(Interface, ADataOfAnotherModelIsRefusedAndLeftAsItWas) {
  const Model model = touching(), other = load_string("<mujoco/>");
  Data data(model);
  const auto before = whole_state(model, data);
  EXPECT_THROW(step(other, data), Error);
  EXPECT_THROW(step1(other, data), Error);
  EXPECT_THROW(step2(other, data), Error);
  EXPECT_THROW(forward(other, data), Error);
  EXPECT_THROW(inverse(other, data), Error);
  Data fresh(other);
  EXPECT_THROW(copy_state(model, data, fresh, kStateAll), Error);
  EXPECT_THROW(copy_state(model, fresh, data, kStateAll), Error);
  EXPECT_EQ(whole_state(model, data), before);
}

TEST(Interface, StatesAreCopiedAndTakenApart) {
  const Model model = touching();
  Data data(model), twin(model);
  data.qvel[6] = 1;
  for (int i = 0; i < 5; ++i) step(model, data);
  copy_state(model, data, twin, kStateAll);
  const auto whole = whole_state(model, data);
  EXPECT_EQ(whole_state(model, twin), whole);
  std::vector<double> qvel(static_cast<size_t>(model.nv));
  extract_state(model, whole.data(), kStateAll, qvel.data(), kStateQvel);
  EXPECT_EQ(qvel, std::vector<double>(data.qvel.begin(), data.qvel.end()));
  EXPECT_THROW(extract_state(model, whole.data(), kStateQpos, qvel.data(), kStateQvel), Error);
  Model with_key =
      load_string("<mujoco><size nkey='1'/><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>");
  Data keyed(with_key);
  keyed.qpos[0] = 0.25;
  set_keyframe(with_key, keyed, 0);
  EXPECT_EQ(with_key.key_qpos[0], 0.25);
  EXPECT_THROW(set_keyframe(with_key, keyed, 1), Error);
}

TEST(Interface, TheMostContactsAndRowsAreKeptUntilTheReset) {
  const Model model = touching();
  Data data(model);
  step(model, data);
  EXPECT_EQ(data.maxuse_con, 1);
  EXPECT_EQ(data.maxuse_efc, data.nefc);
  const Data copy(data);
  EXPECT_EQ(copy.maxuse_con, 1);
  reset(model, data);
  EXPECT_EQ(data.maxuse_con, 0);
  EXPECT_EQ(data.arena().high_water(), 0u);
  EXPECT_EQ(data.results().high_water(), 0u);
}

}  // namespace
}  // namespace torsor
