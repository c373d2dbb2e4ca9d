// Scenes whose outcome mechanics tells: slopes, falls, impacts, chains.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "tests/sim/scenes.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor {
namespace {

constexpr double kGravity = 9.81;

// A sphere that cannot roll, or a box, on a plane; gravity is tilted instead of the plane.
Model sledge(const char* cone, double angle, double mu) {
  const double x = kGravity * std::sin(angle), z = -kGravity * std::cos(angle);
  return load_string(fmt::format(R"(
    <mujoco>
      <option cone="{}" gravity="{} 0 {}" timestep="0.002" impratio="10"/>
      <worldbody>
        <geom type="plane" size="9 9 1" friction="{} 0.005 0.0001"/>
        <body pos="0 0 0.1">
          <joint type="slide" axis="1 0 0"/>
          <joint type="slide" axis="0 1 0"/>
          <joint type="slide" axis="0 0 1"/>
          <geom type="sphere" size="0.1" friction="{} 0.005 0.0001"/>
        </body>
      </worldbody>
    </mujoco>)",
                                 cone, x, z, mu, mu));
}

double speed_after(const Model& model, Data& data, double time) {
  while (data.time < time) step(model, data);
  return data.qvel[0];
}

double mean_speed_until(const Model& model, Data& data, double time) {
  double sum = 0;
  int count = 0;
  for (; data.time < time; ++count) {
    step(model, data);
    sum += data.qvel[0];
  }
  return sum / count;
}

// From averages over half a second: fast slip lifts a body off its soft contact now and then, so that its speed jerks.
double acceleration(const Model& model) {
  Data data(model);
  speed_after(model, data, 0.5);
  const double early = mean_speed_until(model, data, 1);
  speed_after(model, data, 4);
  const double late = mean_speed_until(model, data, 4.5);
  return (late - early) / 3.5;
}

TEST(ContactLaws, ABodySticksBelowTheFrictionAngleAndSlidesAboveIt) {
  constexpr double kMu = 0.5;
  const double critical = std::atan(kMu);
  for (const char* cone : {"pyramidal", "elliptic"}) {
    const Model sticking = sledge(cone, 0.8 * critical, kMu);
    Data data(sticking);
    EXPECT_LT(std::fabs(speed_after(sticking, data, 1)), 0.02) << cone;
    const double angle = 1.3 * critical;
    const double expected = kGravity * (std::sin(angle) - kMu * std::cos(angle));
    EXPECT_NEAR(acceleration(sledge(cone, angle, kMu)), expected, 0.03 * expected) << cone;
  }
}

TEST(ContactLaws, ARestingBodyIsHeldByItsWeight) {
  for (const char* cone : {"pyramidal", "elliptic"}) {
    const Model model = sledge(cone, 0, 0.5);
    Data data(model);
    while (data.time < 2) step(model, data);
    forward(model, data);
    double force[6];
    ASSERT_EQ(data.ncon, 1);
    contact_force(model, data, 0, force);
    EXPECT_NEAR(force[0], model.body_mass[1] * kGravity, 1e-3 * force[0]);
    EXPECT_NEAR(data.qpos[2], 0, 1e-3);
  }
}

double energy(const Data& data) { return data.energy[0] + data.energy[1]; }

TEST(ContactLaws, TheEnergyOfAPileNeverRisesAndDecays) {
  Model model = load(TORSOR_SOURCE_DIR "/models/scenes/pile.xml");
  model.opt.enableflags |= kEnableEnergy;
  Data data(model);
  forward(model, data);
  ASSERT_EQ(data.ncon, 0) << "it starts without penetration";
  const double start = energy(data);
  double highest = start, kinetic = 0;
  for (int i = 0; i < 2000; ++i) {
    ASSERT_EQ(step(model, data), Status::kOk);
    highest = std::max(highest, energy(data));
    kinetic = std::max(kinetic, data.energy[1]);
  }
  EXPECT_LT(highest, 1.01 * start);
  EXPECT_LT(energy(data), 0.2 * start);
  EXPECT_LT(data.energy[1], 0.02 * kinetic);
  EXPECT_GT(data.ncon, 16);
}

}  // namespace
}  // namespace torsor
