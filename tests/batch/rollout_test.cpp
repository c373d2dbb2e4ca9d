// Rollouts equal a loop of step() to the bit, however many threads share them.
#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>
#include <vector>

#include "tests/support/property.hpp"
#include "torsor/batch/rollout.hpp"
#include "torsor/core/error.hpp"
#include "torsor/load/load.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

constexpr int kBatch = 9, kSteps = 40;

// A ball on a rod that meets the floor, with a motor, sensors and noise.
Model make_model() {
  return load_string(R"(
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 0.4"><joint name="hip" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/>
      <body pos="0.4 0 0"><joint name="knee" axis="0 1 0"/><geom size="0.1" pos="0.2 0 0"/></body></body>
    <body pos="1 0 0.2"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
  </worldbody>
  <actuator><motor joint="hip"/><position joint="knee" kp="5" timeconst="0.1"/></actuator>
  <sensor><jointpos joint="knee"/><jointvel joint="hip"/></sensor>
</mujoco>)");
}

struct Problem {
  explicit Problem(const Model& model)
      : nstate(static_cast<size_t>(state_size(model, kStateFullPhysics))),
        states(kBatch * nstate),
        controls(static_cast<size_t>(kBatch * kSteps * model.nu)),
        warmstart(static_cast<size_t>(kBatch * model.nv)) {
    Random random(3);
    for (size_t i = 0; i < kBatch; ++i) {
      Data data(model);
      for (double& v : data.qvel) v = random.uniform(-1, 1);
      data.time = random.uniform(0, 1);
      get_state(model, data, states.data() + i * nstate, kStateFullPhysics);
    }
    for (double& u : controls) u = random.uniform(-1, 1);
    for (double& a : warmstart) a = random.uniform(-1, 1);
  }
  RolloutInput input() const { return {kBatch, kSteps, states.data(), controls.data(), warmstart.data()}; }

  size_t nstate;
  std::vector<double> states, controls, warmstart;
};

struct Result {
  Result(const Model& model, const Problem& problem)
      : states(kBatch * kSteps * problem.nstate), sensors(static_cast<size_t>(kBatch * kSteps * model.nsensordata)) {}
  std::vector<double> states, sensors;
  RolloutOutput output() { return {states.data(), sensors.data()}; }
  bool operator==(const Result& other) const { return states == other.states && sensors == other.sensors; }
};

Result step_by_step(const Model& model, const Problem& problem) {
  Result result(model, problem);
  double *state = result.states.data(), *sensor = result.sensors.data();
  for (int i = 0; i < kBatch; ++i) {
    Data data(model);
    data.noise_seed = static_cast<uint64_t>(i);
    set_state(model, data, problem.states.data() + static_cast<size_t>(i) * problem.nstate, kStateFullPhysics);
    std::copy_n(problem.warmstart.data() + i * model.nv, model.nv, data.qacc_warmstart.begin());
    for (int k = 0; k < kSteps; ++k) {
      std::copy_n(problem.controls.data() + (i * kSteps + k) * model.nu, model.nu, data.ctrl.begin());
      step(model, data);
      get_state(model, data, state, kStateFullPhysics);
      state += problem.nstate;
      sensor = std::copy(data.sensordata.begin(), data.sensordata.end(), sensor);
    }
  }
  return result;
}

TEST(Rollout, EqualsSteppingToTheBitOnAnyNumberOfThreads) {
  const Model model = make_model();
  const Problem problem(model);
  const Result expected = step_by_step(model, problem);
  for (const int threads : {1, 2, 3, 16, 0}) {
    Result result(model, problem);
    EXPECT_EQ(rollout({&model}, problem.input(), result.output(), {.threads = threads, .progress = {}}), 0);
    EXPECT_TRUE(result == expected) << threads;
    int64_t steps = 0;
    Result reported(model, problem);
    rollout({&model}, problem.input(), reported.output(), {threads, [&](int64_t done) { steps = done; }});
    EXPECT_TRUE(reported == expected) << threads;
    EXPECT_EQ(steps, kBatch * kSteps);
  }
}

TEST(Rollout, StatesDoNotDependOnWhetherSensorsAreRead) {
  const Model model = make_model();
  const Problem problem(model);
  Result result(model, problem);
  rollout({&model}, problem.input(), {result.states.data(), nullptr});
  EXPECT_EQ(result.states, step_by_step(model, problem).states);
}

TEST(Rollout, EachSimulationMayHaveItsOwnModel) {
  const Model light = make_model();
  Model heavy = light;
  heavy.opt.gravity[2] = -20;
  const Problem problem(light);
  std::vector<const Model*> models(kBatch, &light);
  models[4] = &heavy;
  Result result(light, problem), mixed(light, problem);
  rollout({&heavy}, problem.input(), result.output());
  rollout(models, problem.input(), mixed.output(), {.threads = 2, .progress = {}});
  const Result expected = step_by_step(light, problem);
  const size_t row = kSteps * problem.nstate;
  const auto same = [row](const Result& a, const Result& b, size_t i) {
    return std::memcmp(a.states.data() + i * row, b.states.data() + i * row, row * sizeof(double)) == 0;
  };
  EXPECT_TRUE(same(mixed, result, 4));
  EXPECT_TRUE(same(mixed, expected, 3));
  EXPECT_FALSE(same(mixed, expected, 4));
}

TEST(Rollout, WhatProgressThrowsStopsIt) {
  const Model model = make_model();
  const Problem problem(model);
  std::vector<double> states(problem.nstate);
  std::copy_n(problem.states.data(), problem.nstate, states.data());
  const RolloutInput forever{1, 2'000'000'000, states.data(), nullptr, nullptr};
  const auto enough = [](int64_t steps) {
    if (steps > 0) throw std::runtime_error("enough");
  };
  EXPECT_THROW(rollout({&model}, forever, {}, {2, enough}), std::runtime_error);
}

TEST(Rollout, SaysHowManyStepsWereTakenBeforeItWasStopped) {
  const Model model = make_model();
  const Problem problem(model);
  std::vector<double> last(static_cast<size_t>(kBatch) * problem.nstate);
  std::vector<int> steps(kBatch, -1);
  RolloutOutput output;
  output.last_states = last.data(), output.steps = steps.data();
  rollout({&model}, problem.input(), output);
  EXPECT_EQ(steps, std::vector<int>(kBatch, kSteps));

  RolloutInput forever = problem.input();
  forever.nstep = 2'000'000'000, forever.controls = nullptr;
  const auto enough = [](int64_t taken) {
    if (taken > 0) throw std::runtime_error("enough");
  };
  EXPECT_THROW(rollout({&model}, forever, output, {2, enough}), std::runtime_error);
  EXPECT_GT(steps[0], 0);
  EXPECT_LT(steps[0], forever.nstep);
  EXPECT_EQ(steps[kBatch - 1], 0);
}

TEST(Rollout, BadNumbersAreCounted) {
  const Model model = make_model();
  Problem problem(model);
  problem.states[1] = 1e20;  // qpos
  Result result(model, problem);
  EXPECT_GT(rollout({&model}, problem.input(), result.output()), 0);
}

TEST(Rollout, BadArgumentsAreErrors) {
  const Model model = make_model(), other = load_string("<mujoco/>");
  const Problem problem(model);
  RolloutInput input = problem.input();
  EXPECT_THROW(rollout({&model, &model}, input, {}), Error);
  EXPECT_THROW(rollout({}, input, {}), Error);
  std::vector<const Model*> models(kBatch, &model);
  models[2] = &other;
  EXPECT_THROW(rollout(models, input, {}), Error);
  input.control_signature = kStateQpos;
  EXPECT_THROW(rollout({&model}, input, {}), Error);
  input = problem.input();
  input.nstep = -1;
  EXPECT_THROW(rollout({&model}, input, {}), Error);
}

}  // namespace
}  // namespace torsor
