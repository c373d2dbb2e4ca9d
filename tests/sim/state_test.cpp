// The state as one vector: sizes, order, round trips, and going on from a saved state.
#include <gtest/gtest.h>

#include "tests/sim/scenes.hpp"

namespace torsor {
namespace {

constexpr int kBits = 14;

// Every number of the state differs from every other.
void number_state(Data& data) {
  double value = 100;
  for (const Stage stage : {Stage::kState, Stage::kInput}) {
    data.for_each_field(stage, [&](const FieldInfo&, Field<double>& field) {
      for (double& number : field) number = value += 1;
    });
  }
  data.time = value += 1;
}

TEST(State, TheSizeIsTheSumOfItsParts) {
  const Model model = make_scene();
  EXPECT_EQ(state_size(model, 0), 0);
  EXPECT_EQ(state_size(model, kStateTime), 1);
  EXPECT_EQ(state_size(model, kStateQpos), model.nq);
  EXPECT_EQ(state_size(model, kStateQvel), model.nv);
  EXPECT_EQ(state_size(model, kStateXfrcApplied), 6 * model.nbody);
  EXPECT_EQ(state_size(model, kStateMocapPos | kStateMocapQuat), 7 * model.nmocap);
  EXPECT_EQ(state_size(model, kStateUserData), 3);
  for (int signature = 0; signature < 1 << kBits; ++signature) {
    int sum = 0;
    for (int bit = 0; bit < kBits; ++bit) sum += state_size(model, signature & (1 << bit));
    ASSERT_EQ(state_size(model, signature), sum) << "signature " << signature;
  }
}

TEST(State, PartsComeInTheOrderOfTheirBits) {
  const Model model = make_scene();
  Data data(model);
  number_state(data);
  std::vector<double> expected{data.time};
  for (const Field<double>& part :
       {data.qpos, data.qvel, data.act, data.history, data.qacc_warmstart, data.ctrl, data.qfrc_applied,
        data.xfrc_applied, data.mocap_pos, data.mocap_quat, data.userdata})
    expected.insert(expected.end(), part.begin(), part.end());
  EXPECT_EQ(state_of(model, data, kStateIntegration), expected);
}

TEST(State, WhatIsSetIsReadBackForEverySignature) {
  const Model model = make_scene();
  Data source(model);
  number_state(source);
  for (int signature = 0; signature < 1 << kBits; ++signature) {
    Data target(model);
    const std::vector<double> before = state_of(model, target, kStateIntegration & ~signature);
    const std::vector<double> state = state_of(model, source, signature);
    set_state(model, target, state.data(), signature);
    ASSERT_TRUE(same_bits(state_of(model, target, signature), state)) << "signature " << signature;
    ASSERT_TRUE(same_bits(state_of(model, target, kStateIntegration & ~signature), before))
        << "signature " << signature << " touches what it does not name";
    signature += signature < 64 ? 0 : 36;  // all small ones, then a sample
  }
}

TEST(State, ASimulationGoesOnFromASavedStateWithTheSameBits) {
  for (const Integrator integrator : kIntegrators) {
    const Model model = make_scene(integrator);
    Data data(model), other(model);
    stir(model, data);
    for (int i = 0; i < 30; ++i) step(model, data);
    const std::vector<double> saved = state_of(model, data);
    for (int i = 0; i < 30; ++i) step(model, data);
    set_state(model, other, saved.data(), kStateIntegration);
    for (int i = 0; i < 30; ++i) step(model, other);
    EXPECT_TRUE(same_bits(state_of(model, data), state_of(model, other)))
        << "integrator " << static_cast<int>(integrator);
  }
}

TEST(State, ACopyOfADataGoesOnWithTheSameBits) {
  const Model model = make_scene(Integrator::kImplicit);
  Data data(model);
  stir(model, data);
  for (int i = 0; i < 30; ++i) step(model, data);
  Data copy(data);
  for (int i = 0; i < 30; ++i) {
    step(model, data);
    step(model, copy);
  }
  EXPECT_TRUE(same_bits(state_of(model, data), state_of(model, copy)));
}

TEST(State, SwitchesOfEqualitiesAreNumbersOfTheState) {
  const Model model = load_string(R"(<mujoco>
    <worldbody><body name="a"><freejoint/><geom size="0.1"/></body></worldbody>
    <equality><weld body1="a"/><weld body1="a" active="false"/><weld body1="a"/></equality></mujoco>)");
  Data data(model);
  EXPECT_EQ(state_of(model, data, kStateEqActive), (std::vector<double>{1, 0, 1}));
  const std::vector<double> other{0, 0.3, 2};  // whatever is not 0 is on
  set_state(model, data, other.data(), kStateEqActive);
  EXPECT_EQ(state_of(model, data, kStateEqActive), (std::vector<double>{0, 1, 1}));
  const std::vector<double> before = state_of(model, data);
  const Data copy = data;
  EXPECT_TRUE(same_bits(state_of(model, copy), before));
  reset(model, data);
  EXPECT_EQ(state_of(model, data, kStateEqActive), (std::vector<double>{1, 0, 1}));
}

}  // namespace
}  // namespace torsor
