// The scenes in models/scenes do what everybody knows of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/sim/scenes.hpp"

namespace torsor {
namespace {

Model load_scene(const char* name) { return load(std::string(TORSOR_SOURCE_DIR "/models/scenes/") + name + ".xml"); }

void run_until(const Model& model, Data& data, double time) {
  while (data.time < time) ASSERT_EQ(step(model, data), Status::kOk);
}

// Cosine of the angle between a body's z axis and the world's.
double uprightness(const Data& data, int body) { return data.xmat[9 * body + 8]; }

TEST(ContactScenes, TheLastBallOfTheCradleLeavesWithTheMomentumOfTheFirst) {
  const Model model = load_scene("newtons_cradle");
  Data data(model);
  reset_to_key(model, data, 0);
  const double speed = 2 * std::sqrt(9.81) * std::sin(0.5 * data.qpos[0]);  // rad/s at the bottom, strings of 1 m
  double fastest = 0, others = 0;
  while (data.time < 1) {
    ASSERT_EQ(step(model, data), Status::kOk);
    if (-data.qvel[4] <= fastest) continue;
    fastest = -data.qvel[4];
    others = 0;
    for (int i = 0; i < 4; ++i) others = std::max(others, std::fabs(data.qvel[i]));
  }
  EXPECT_NEAR(fastest, speed, 0.02 * speed);
  EXPECT_LT(others, 0.05 * speed);
}

TEST(ContactScenes, AllDominoesFallOneAfterTheOther) {
  const Model model = load_scene("domino_run");
  Data data(model);
  forward(model, data);
  double last = 0;
  for (int body = 2; body < model.nbody; ++body) {  // the first one falls already
    while (data.time < 4 && std::fabs(uprightness(data, body)) > 0.9) ASSERT_EQ(step(model, data), Status::kOk);
    EXPECT_LT(data.time, 4) << "stone " << body << " still stands";
    EXPECT_GT(data.time, last);
    last = data.time;
  }
  run_until(model, data, 4);
  for (int body = 1; body < model.nbody; ++body) EXPECT_LT(uprightness(data, body), 0.5) << "stone " << body;
}

TEST(ContactScenes, TheTippeTopTurnsOver) {
  const Model model = load_scene("tippe_top");
  Data data(model);
  reset_to_key(model, data, 0);
  forward(model, data);
  const double height = data.xipos[5];
  double lowest = 1, highest = height;
  while (data.time < 3) {
    ASSERT_EQ(step(model, data), Status::kOk);
    lowest = std::min(lowest, uprightness(data, 1));
    highest = std::max(highest, data.xipos[5]);
  }
  EXPECT_LT(lowest, -0.5);
  EXPECT_GT(highest, height + 0.006) << "friction lifts the centre of mass";
}

TEST(ContactScenes, OneBlockStaysOnTheSlopeAndOneSlides) {
  const Model model = load_scene("block_on_slope");
  Data data(model);
  run_until(model, data, 1);
  const double stayed = data.qpos[0], v1 = std::hypot(data.qvel[6], data.qvel[8]);
  run_until(model, data, 2);
  const double v2 = std::hypot(data.qvel[6], data.qvel[8]);
  EXPECT_NEAR(data.qpos[0], stayed, 1e-3);
  const double angle = 25 * 3.14159265358979 / 180, expected = 9.81 * (std::sin(angle) - 0.36397 * std::cos(angle));
  EXPECT_NEAR(v2 - v1, expected, 0.05 * expected);
}

}  // namespace
}  // namespace torsor
