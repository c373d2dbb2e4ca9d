// Hard cases: nothing crashes, no number turns bad without a warning, nothing is lost for lack of memory without one.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "tests/sim/scenes.hpp"

namespace torsor {
namespace {

int warnings(const Data& data, Warning kind) { return data.warning[static_cast<int>(kind)].number; }

int all_warnings(const Data& data) {
  int sum = 0;
  for (const WarningCount& count : data.warning) sum += count.number;
  return sum;
}

bool is_finite(const Data& data) {
  for (const double x : data.qpos)
    if (!std::isfinite(x)) return false;
  for (const double x : data.qvel)
    if (!std::isfinite(x)) return false;
  return true;
}

// Runs a model; its numbers stay finite, and a run that was reset says so.
Data run_hard(const Model& model, int steps) {
  Data data(model);
  for (int i = 0; i < steps; ++i) {
    const Status status = step(model, data);
    EXPECT_TRUE(is_finite(data)) << "step " << i;
    EXPECT_EQ(status != Status::kOk, false) << "step " << i;
    if (status != Status::kOk) break;
  }
  return data;
}

std::string world(const std::string& bodies, const std::string& option = "") {
  return "<mujoco>" + option + R"(<worldbody><geom type="plane" size="9 9 1"/>)" + bodies + "</worldbody></mujoco>";
}

std::string bodies(int count, const std::string& geom, double dx, double dz, int columns) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const int level = i / (columns * columns), place = i % (columns * columns);
    text += fmt::format(R"(<body pos="{} {} {}"><freejoint/>{}</body>)", dx * (place % columns), dx * (place / columns),
                        0.1 + dz * level, geom);
  }
  return text;
}

TEST(ContactRobustness, AChainThatFallsOnTheFloorStaysTogether) {
  std::string text;
  constexpr int kLinks = 30;
  for (int i = 0; i < kLinks; ++i)
    text += fmt::format(
        R"(<body pos="{} 0 {}"><joint type="ball"/><geom type="capsule" fromto="0 0 0 0.1 0 0" size="0.02"/>)",
        i ? 0.1 : 0.0, i ? 0.0 : 0.5);
  for (int i = 0; i < kLinks; ++i) text += "</body>";
  const Data data = run_hard(load_string(world(text)), 1000);
  EXPECT_GT(data.ncon, 0);
}

TEST(ContactRobustness, AHeavyBodyRestsOnAMillionTimesLighterOne) {
  const Model model = load_string(world(R"(
    <body pos="0 0 0.1"><freejoint/><geom type="sphere" size="0.1" mass="0.001"/></body>
    <body pos="0 0 0.35"><joint type="slide" axis="0 0 1"/><geom type="sphere" size="0.15" mass="1000"/></body>)"));
  const Data data = run_hard(model, 1000);
  EXPECT_EQ(all_warnings(data), 0);
}

TEST(ContactRobustness, BodiesCreatedInsideEachOtherComeApart) {
  for (const char* geom : {R"(<geom type="sphere" size="0.1"/>)", R"(<geom type="capsule" size="0.1 0.1"/>)",
                           R"(<geom type="box" size="0.1 0.1 0.1"/>)"}) {
    for (const double distance : {0.0, 1e-9, 0.01}) {
      const Data data = run_hard(load_string(world(bodies(8, geom, distance, distance, 2))), 300);
      EXPECT_EQ(all_warnings(data), 0) << geom << " " << distance;
    }
  }
}

TEST(ContactRobustness, WeightlessFramesBetweenJointsTouchNothingAndBreakNothing) {
  const Model model = load_string(world(R"(
    <body pos="0 0 0.3"><joint type="slide" axis="1 0 0"/><inertial pos="0 0 0" mass="1e-9" diaginertia="1e-12 1e-12 1e-12"/>
      <body euler="10 0 0">
        <body><joint type="slide" axis="0 0 1"/><joint type="ball"/><geom type="sphere" size="0.1"/><geom type="sphere" size="0.05" pos="0.1 0 0" mass="0"/></body>
      </body>
    </body>)"));
  run_hard(model, 500);
}

TEST(ContactRobustness, ThousandsOfSpheresFall) {
  const Model model = load_string(world(bodies(2000, R"(<geom type="sphere" size="0.05"/>)", 0.101, 0.12, 20)));
  const Data data = run_hard(model, 10);
  EXPECT_EQ(all_warnings(data), 0);
}

TEST(ContactRobustness, LackOfMemoryIsToldWhereverItStrikes) {
  const std::string text = bodies(60, R"(<geom type="sphere" size="0.1"/>)", 0.19, 0.19, 4);
  const Model roomy = load_string(world(text));
  Data reference(roomy);
  forward(roomy, reference);
  ASSERT_GT(reference.ncon, 60);
  int starved = 0, complete = 0;
  for (int memory = 100; memory < 3'000'000; memory = memory * 5 / 4 + 500) {
    for (const int solver : {0, 1, 2}) {
      Model model = load_string(world(text, fmt::format(R"(<size memory="{}"/>)", memory)));
      model.opt.solver = solver;
      Data data(model);
      bool threw = false;
      try {
        forward(model, data);
      } catch (const Error&) {
        threw = true;
      }
      EXPECT_TRUE(is_finite(data));
      const bool warned = warnings(data, Warning::kContactFull) + warnings(data, Warning::kConstraintFull) > 0;
      EXPECT_EQ(warned, threw);
      if (!warned) {
        EXPECT_EQ(data.ncon, reference.ncon) << "memory " << memory << ", solver " << solver;
        EXPECT_EQ(data.nefc, reference.nefc) << "memory " << memory << ", solver " << solver;
        bool pushed = false;
        for (const double force : data.efc_force) pushed = pushed || force > 0;
        EXPECT_TRUE(pushed) << "memory " << memory << ", solver " << solver;
      }
      ++(warned ? starved : complete);
      EXPECT_EQ(step(model, data), warned ? Status::kOutOfMemory : Status::kOk);
      EXPECT_EQ(data.time > 0, !warned);
      EXPECT_TRUE(is_finite(data));
    }
  }
  EXPECT_GT(starved, 10);
  EXPECT_GT(complete, 3);
}

}  // namespace
}  // namespace torsor
