// Steps: their halves, the control callback, and what an exception leaves behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/sim/scenes.hpp"

namespace torsor {
namespace {

TEST(Step, AdvancesTheTimeByTheTimestep) {
  for (const Integrator integrator : kIntegrators) {
    Model model = make_scene(integrator);
    model.opt.timestep = 0.125;  // exact in binary
    Data data(model);
    for (int i = 1; i <= 4; ++i) {
      EXPECT_EQ(step(model, data), Status::kOk);
      EXPECT_EQ(data.time, 0.125 * i);
    }
  }
}

TEST(Step, RemembersTheLastAccelerationForTheNextOne) {
  for (const Integrator integrator : kIntegrators) {
    const Model model = make_scene(integrator);
    Data data(model);
    stir(model, data);
    step(model, data);
    for (int i = 0; i < model.nv; ++i) {
      EXPECT_NE(data.qacc_warmstart[i], 0);
      if (integrator == Integrator::kRk4) continue;  // qacc is the mean of four: the next test
      EXPECT_EQ(data.qacc_warmstart[i], data.qacc[i]) << "integrator " << static_cast<int>(integrator);
    }
  }
}

TEST(Step, RungeKuttaRemembersTheFourthAccelerationAndLeavesTheMean) {
  Model model = load_string(R"(<mujoco><option integrator="RK4" timestep="0.05"/><worldbody>
    <body><joint axis="0 1 0" damping="0.1"/><geom size="0.1" pos="1 0 0"/>
      <body pos="1 0 0"><joint axis="0 1 0"/><geom size="0.1" pos="1 0 0"/></body></body></worldbody></mujoco>)");
  const double h = model.opt.timestep, q[2] = {0.3, 0.9}, v[2] = {1, -3};
  Data data(model), stage(model);
  std::copy_n(q, 2, data.qpos.data());
  std::copy_n(v, 2, data.qvel.data());
  step(model, data);

  constexpr double kFraction[4] = {0, 0.5, 0.5, 1}, kWeight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double velocity[2] = {}, acceleration[2] = {}, mean[2] = {};
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < 2; ++i) {
      stage.qpos[i] = q[i] + kFraction[k] * h * velocity[i];
      stage.qvel[i] = v[i] + kFraction[k] * h * acceleration[i];
    }
    forward(model, stage);
    for (int i = 0; i < 2; ++i) {
      velocity[i] = stage.qvel[i];
      acceleration[i] = stage.qacc[i];
      mean[i] += kWeight[k] * acceleration[i];
    }
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(data.qacc_warmstart[i], acceleration[i], 1e-12);
    EXPECT_NEAR(data.qacc[i], mean[i], 1e-12);
    EXPECT_GT(std::abs(mean[i] - acceleration[i]), 1e-3);
    EXPECT_NEAR(data.qvel[i], v[i] + h * mean[i], 1e-12);
  }
}

TEST(Step, EqualStatesGiveEqualBits) {
  for (const Integrator integrator : kIntegrators) {
    const Model model = make_scene(integrator);
    Data a(model), b(model);
    stir(model, a);
    stir(model, b);
    for (int i = 0; i < 20; ++i) step(model, b);  // b has other results and scratch in its memory
    set_state(model, b, state_of(model, a).data(), kStateIntegration);
    for (int i = 0; i < 20; ++i) {
      step(model, a);
      step(model, b);
    }
    EXPECT_TRUE(same_bits(state_of(model, a), state_of(model, b))) << "integrator " << static_cast<int>(integrator);
  }
}

TEST(Step, TheHalvesTogetherAreTheWholeToTheBit) {
  for (const Integrator integrator : {Integrator::kEuler, Integrator::kImplicit, Integrator::kImplicitFast}) {
    const Model model = make_scene(integrator);
    Data whole(model), halves(model);
    stir(model, whole);
    stir(model, halves);
    for (int i = 0; i < 50; ++i) {
      step(model, whole);
      EXPECT_EQ(step1(model, halves), Status::kOk);
      EXPECT_EQ(step2(model, halves), Status::kOk);
      ASSERT_TRUE(same_bits(state_of(model, whole), state_of(model, halves)))
          << "integrator " << static_cast<int>(integrator) << ", step " << i;
    }
  }
}

TEST(Step, TheHalvesOfRungeKuttaAreEuler) {
  for (const Integrator integrator : {Integrator::kRk4}) {
    const Model euler = make_scene(Integrator::kEuler), model = make_scene(integrator);
    Data whole(euler), halves(model), runge_kutta(model);
    stir(euler, whole);
    stir(model, halves);
    stir(model, runge_kutta);
    for (int i = 0; i < 20; ++i) {
      step(euler, whole);
      step1(model, halves);
      step2(model, halves);
      step(model, runge_kutta);
    }
    EXPECT_TRUE(same_bits(state_of(euler, whole), state_of(model, halves)));
    EXPECT_FALSE(same_bits(state_of(model, runge_kutta), state_of(model, halves)));
  }
}

TEST(Step, ForcesSetBetweenTheHalvesAct) {
  const Model model = make_scene();
  Data before(model), between(model);
  before.qfrc_applied[2] = 5;
  step(model, before);
  step1(model, between);
  between.qfrc_applied[2] = 5;
  step2(model, between);
  EXPECT_TRUE(same_bits(state_of(model, before), state_of(model, between)));
}

TEST(Control, ACallbackActsLikeForcesSetBeforeTheStep) {
  for (const Integrator integrator : kIntegrators) {
    const Model model = make_scene(integrator);
    Data set_before(model), by_callback(model);
    by_callback.control = [](const Model&, Data& data) { data.qfrc_applied[2] = 5; };
    set_before.qfrc_applied[2] = 5;
    for (int i = 0; i < 10; ++i) {
      step(model, set_before);
      step(model, by_callback);
    }
    EXPECT_TRUE(same_bits(state_of(model, set_before), state_of(model, by_callback)))
        << "integrator " << static_cast<int>(integrator);
  }
}

TEST(Control, ACallbackSeesThePositionsAndVelocitiesOfItsMoment) {
  const Model model = make_scene();
  Data data(model), reference(model);
  stir(model, data);
  stir(model, reference);
  forward(model, reference);
  bool called = false;
  data.control = [&](const Model&, Data& now) {
    called = true;
    for (int i = 0; i < 3 * now.nbody; ++i) EXPECT_EQ(now.xpos[i], reference.xpos[i]) << "xpos " << i;
    for (int i = 0; i < 6 * now.nbody; ++i) EXPECT_EQ(now.cvel[i], reference.cvel[i]) << "cvel " << i;
  };
  step(model, data);
  EXPECT_TRUE(called);
}

TEST(Control, IsAskedOncePerEvaluationOfTheForces) {
  for (const Integrator integrator : kIntegrators) {
    const Model model = make_scene(integrator);
    Data data(model);
    int calls = 0;
    data.control = [&](const Model&, Data&) { ++calls; };
    step(model, data);
    EXPECT_EQ(calls, evaluations_of(integrator));
  }
}

TEST(Control, AnExceptionLeavesTheStateAsItWasAndReachesTheCaller) {
  for (const Integrator integrator : kIntegrators) {
    for (int fatal_call = 1; fatal_call <= evaluations_of(integrator); ++fatal_call) {
      const Model model = make_scene(integrator);
      Data data(model);
      stir(model, data);
      for (int i = 0; i < 5; ++i) step(model, data);
      const std::vector<double> before = state_of(model, data);
      int calls = 0;
      data.control = [&](const Model&, Data&) {
        if (++calls == fatal_call) throw std::runtime_error("no signal");
      };
      EXPECT_THROW(step(model, data), std::runtime_error);
      EXPECT_TRUE(same_bits(state_of(model, data), before))
          << "integrator " << static_cast<int>(integrator) << ", call " << fatal_call;
      EXPECT_EQ(data.arena().used(), 0u) << "scratch is given back";
      // and the simulation goes on as if nothing had happened
      Data undisturbed(model);
      stir(model, undisturbed);
      for (int i = 0; i < 6; ++i) step(model, undisturbed);
      data.control = nullptr;
      step(model, data);
      EXPECT_TRUE(same_bits(state_of(model, data), state_of(model, undisturbed)));
    }
  }
}

TEST(Control, AnExceptionInTheFirstHalfLeavesTheStateAsItWas) {
  const Model model = make_scene();
  Data data(model);
  stir(model, data);
  const std::vector<double> before = state_of(model, data);
  data.control = [](const Model&, Data&) { throw std::runtime_error("no signal"); };
  EXPECT_THROW(step1(model, data), std::runtime_error);
  EXPECT_TRUE(same_bits(state_of(model, data), before));
}

TEST(Forward, TwiceGivesTheSameBitsAndLeavesTheState) {
  const Model model = make_scene();
  Data data(model);
  stir(model, data);
  const std::vector<double> before = state_of(model, data);
  forward(model, data);
  Data once(data);
  forward(model, data);
  EXPECT_TRUE(same_bits(state_of(model, data), before));
  for (int i = 0; i < model.nv; ++i) EXPECT_EQ(data.qacc[i], once.qacc[i]);
}

TEST(Inverse, ExplainsTheAccelerationOfForwardDynamics) {
  const Model model = make_scene();
  Data data(model);
  stir(model, data);
  forward(model, data);
  inverse(model, data);
  // what was applied, on dofs and on bodies, is all that is left after passive and bias forces
  Data applied(model);
  stir(model, applied);
  forward(model, applied);
  for (int i = 0; i < model.nv; ++i) {
    const double expected = applied.qfrc_smooth[i] - applied.qfrc_passive[i] + applied.qfrc_bias[i];
    EXPECT_NEAR(data.qfrc_inverse[i], expected, 1e-10) << "dof " << i;
  }
}

TEST(ForwardSkip, UsesTheStagesThatAreSaidToBeDone) {
  const Model model = make_scene();
  Data data(model), whole(model);
  stir(model, data);
  stir(model, whole);
  forward(model, data);
  forward(model, whole);
  data.qfrc_applied[0] = whole.qfrc_applied[0] = 7;
  forward_skip(model, data, SkipStage::kVelocity);
  forward(model, whole);
  for (int i = 0; i < model.nv; ++i) EXPECT_EQ(data.qacc[i], whole.qacc[i]);
  // a changed position goes unnoticed when positions are said to be done
  const double height = data.xpos[3 * 1 + 2];
  data.qpos[2] += 1;
  forward_skip(model, data, SkipStage::kPosition);
  EXPECT_EQ(data.xpos[3 * 1 + 2], height);
  forward_skip(model, data, SkipStage::kNone);
  EXPECT_EQ(data.xpos[3 * 1 + 2], height + 1);
}

}  // namespace
}  // namespace torsor
