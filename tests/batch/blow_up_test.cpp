// Worlds of a batch that blow up: at the same step and with the same result as one world, however steps are grouped.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "torsor/batch/batch.hpp"
#include "torsor/batch/rollout.hpp"
#include "torsor/core/error.hpp"
#include "torsor/load/load.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

constexpr int kWorlds = 11, kSteps = 60, kBad = 4;

// A coordinate that drifts, so that resets show, and one that may blow up. With a limit nothing runs in lanes.
Model make_model(Integrator integrator, double stiffness, double damping, bool in_lanes) {
  Model model = load_string(
      "<mujoco><option><flag contact='disable'/></option><worldbody><body><joint type='slide' limited='" +
      std::string(in_lanes ? "false" : "true") +
      "' range='-100 100'/><geom size='.1'/></body><body pos='1 0 0'><joint type='slide' axis='0 0 1' stiffness='" +
      std::to_string(stiffness) + "' damping='" + std::to_string(damping) +
      "'/><geom size='.1'/></body></worldbody></mujoco>");
  model.opt.integrator = static_cast<int>(integrator);
  return model;
}

struct Start {
  const char* name;
  double stiffness, damping;
  double qpos, qvel, force;  // of the second coordinate
};
const Start kStarts[] = {
    {"a spring that is too stiff", 1e7, 0, 0, 1, 0},
    {"one with a damper, too", 1e7, 3, 0, 1, 0},
    {"bad position", 10, 0, 1e11, 0, 0},
    {"bad velocity", 10, 0.1, 0, std::nan(""), 0},
    {"bad force", 10, 0, 0, 0, std::nan("")},
    {"a force that gives a bad acceleration", 10, 0.1, 0, 0, 1e13},
    {"one that damping hides", 10, 1e9, 0, 0, 1e13},
};

void set_world(Data& data, const Start& start) {
  data.qvel[0] = 1;
  data.qpos[1] = start.qpos;
  data.qvel[1] = start.qvel;
  data.qfrc_applied[1] = start.force;
}

struct Outcome {
  std::vector<double> time, qpos, qvel;
  int64_t resets = 0;
};

// All worlds are sound but for those that `is_bad` says.
template <class F>
Outcome run_batch(const Model& model, const Start& start, const std::vector<int>& groups, int threads, F&& is_bad) {
  Batch batch(model, kWorlds);
  std::vector<double> qpos, qvel, force;
  for (int world = 0; world < kWorlds; ++world) {
    Data data(model);
    data.qvel[0] = 1;
    if (is_bad(world)) set_world(data, start);
    qpos.insert(qpos.end(), data.qpos.begin(), data.qpos.end());
    qvel.insert(qvel.end(), data.qvel.begin(), data.qvel.end());
    force.insert(force.end(), data.qfrc_applied.begin(), data.qfrc_applied.end());
  }
  batch.set("qpos", qpos.data());
  batch.set("qvel", qvel.data());
  batch.set("qfrc_applied", force.data());
  for (const int steps : groups) batch.step(steps, threads);
  Outcome outcome{std::vector<double>(kWorlds), qpos, qvel, batch.resets()};
  batch.get("time", outcome.time.data());
  batch.get("qpos", outcome.qpos.data());
  batch.get("qvel", outcome.qvel.data());
  return outcome;
}

bool same(const std::vector<double>& a, const std::vector<double>& b, size_t first, size_t count) {
  return std::memcmp(a.data() + first, b.data() + first, count * sizeof(double)) == 0;
}

void expect_near(double found, double expected, const std::string& what) {
  EXPECT_TRUE(std::fabs(found - expected) <= 1e-9 * std::max(1.0, std::fabs(expected)) ||
              (std::isnan(found) && std::isnan(expected)))
      << what << ": " << found << ", expected " << expected;
}

TEST(BlowUp, IsThatOfOneWorldHoweverStepsAreGrouped) {
  const std::vector<std::vector<int>> groupings = {
      std::vector<int>(kSteps, 1), {10, 10, 10, 10, 10, 10}, {17, 1, 42}, {kSteps}};
  for (const bool in_lanes : {true, false}) {
    for (const Integrator integrator :
         {Integrator::kEuler, Integrator::kRk4, Integrator::kImplicit, Integrator::kImplicitFast}) {
      for (const Start& start : kStarts) {
        const Model model = make_model(integrator, start.stiffness, start.damping, in_lanes);
        Data one(model);
        set_world(one, start);
        int resets = 0;
        for (int i = 0; i < kSteps; ++i) resets += step(model, one) == Status::kReset;
        const Outcome sound = run_batch(model, start, {kSteps}, 1, [](int) { return false; });
        for (const std::vector<int>& groups : groupings) {
          const std::string what = std::string(start.name) + ", integrator " + std::to_string(model.opt.integrator) +
                                   (in_lanes ? ", lanes" : "") + ", groups " + std::to_string(groups.size());
          const Outcome found = run_batch(model, start, groups, 2, [](int world) { return world == kBad; });
          EXPECT_EQ(found.resets, sound.resets / kWorlds * (kWorlds - 1) + resets) << what;
          EXPECT_DOUBLE_EQ(found.time[kBad], one.time) << what;
          expect_near(found.qpos[2 * kBad], one.qpos[0], what);
          if (std::fabs(one.qvel[1]) < 1e3) expect_near(found.qpos[2 * kBad + 1], one.qpos[1], what);
          for (size_t w = 0; w < kWorlds; ++w) {
            if (w == kBad) continue;
            EXPECT_TRUE(same(found.qpos, sound.qpos, 2 * w, 2) && same(found.qvel, sound.qvel, 2 * w, 2)) << what;
          }
          const Outcome again = run_batch(model, start, {kSteps}, 1, [](int world) { return world == kBad; });
          EXPECT_TRUE(same(found.qpos, again.qpos, 0, 2 * kWorlds)) << what;
          EXPECT_TRUE(same(found.qvel, again.qvel, 0, 2 * kWorlds)) << what;
        }
        EXPECT_GT(resets, 0) << start.name << " " << model.opt.integrator;
      }
    }
  }
}

// Lanes beyond the last world blow up as well when the reference pose itself does, but they are nobody's.
TEST(BlowUp, OnlyWorldsAreCounted) {
  const Model model = make_model(Integrator::kEuler, 1e7, 0, true);
  const Outcome all = run_batch(model, kStarts[0], {kSteps}, 1, [](int) { return true; });
  Data one(model);
  set_world(one, kStarts[0]);
  int resets = 0;
  for (int i = 0; i < kSteps; ++i) resets += step(model, one) == Status::kReset;
  EXPECT_EQ(all.resets, kWorlds * resets);
}

TEST(BlowUp, WithoutResetsBadNumbersStayInTheirWorld) {
  Model model = make_model(Integrator::kEuler, 10, 0.1, true);
  model.opt.disableflags |= kDisableAutoReset;
  const Start start = kStarts[4];
  const Outcome sound = run_batch(model, start, {kSteps}, 1, [](int) { return false; });
  const Outcome found = run_batch(model, start, {7, kSteps - 7}, 1, [](int world) { return world == kBad; });
  EXPECT_EQ(found.resets, 0);
  EXPECT_TRUE(std::isnan(found.qpos[2 * kBad + 1]));
  for (size_t w = 0; w < kWorlds; ++w) {
    EXPECT_TRUE(w == kBad || same(found.qpos, sound.qpos, 2 * w, 2)) << w;
  }
}

TEST(BlowUp, NoiseOfSensorsStartsOverWithTheWorld) {
  Model model = load_string(R"(<mujoco><option><flag contact="disable" sensornoise="enable"/></option><worldbody><body>
    <joint name="a" type="slide"/><geom size=".1"/></body></worldbody><sensor><jointpos joint="a" noise="0.1"/></sensor>
    </mujoco>)");
  Batch batch(model, 3);
  std::vector<double> qvel = {0, 1e11, 0}, readings(3);
  batch.step(2);
  batch.set("qvel", qvel.data());
  batch.step(5);
  batch.forward("sensordata", readings.data());
  Data data(model);
  data.noise_seed = 1;
  for (int i = 0; i < 5; ++i) step(model, data);
  forward(model, data);
  EXPECT_NEAR(readings[1], data.sensordata[0], 1e-12);
}

TEST(BlowUp, ARolloutGoesOnAsStepsDo) {
  const Model model = make_model(Integrator::kEuler, 1e7, 0, true);
  Data data(model);
  set_world(data, kStarts[0]);
  const int size = state_size(model, kStateFullPhysics);
  std::vector<double> initial(static_cast<size_t>(size)), last(initial), expected(initial);
  get_state(model, data, initial.data(), kStateFullPhysics);
  RolloutInput input;
  input.nbatch = 1;
  input.nstep = kSteps;
  input.initial_states = initial.data();
  RolloutOutput output;
  output.last_states = last.data();
  const int64_t bad = rollout({&model}, input, output, {});
  int resets = 0;
  for (int i = 0; i < kSteps; ++i) resets += step(model, data) == Status::kReset;
  get_state(model, data, expected.data(), kStateFullPhysics);
  EXPECT_EQ(bad, resets);
  EXPECT_EQ(std::memcmp(last.data(), expected.data(), last.size() * sizeof(double)), 0);
}

// Two balls that touch in one world only.
TEST(Memory, AWorldThatDoesNotFitStaysWhereItIsAndTheOthersGoOn) {
  Model model = load_string(R"(<mujoco><size memory="400"/><worldbody><body><freejoint/><geom size=".1"/></body>
    <body pos="1 0 0"><freejoint/><geom size=".1"/></body></worldbody></mujoco>)");
  Batch batch(model, 3);
  std::vector<double> qpos(static_cast<size_t>(3 * model.nq)), time(3);
  batch.get("qpos", qpos.data());
  qpos[static_cast<size_t>(model.nq + 7)] = 0.15;  // world 1
  batch.set("qpos", qpos.data());
  try {
    batch.step(4, 2);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).rfind("world 1: contacts and constraints need ", 0), 0u) << error.what();
  }
  batch.get("time", time.data());
  EXPECT_EQ(time[1], 0);
  EXPECT_DOUBLE_EQ(time[0], 4 * model.opt.timestep);
  EXPECT_DOUBLE_EQ(time[2], 4 * model.opt.timestep);
}

}  // namespace
}  // namespace torsor
