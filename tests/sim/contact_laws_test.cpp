// Scenes whose outcome mechanics tells: slopes, falls, impacts, chains.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/sim/scenes.hpp"

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

double speed_after(const Model& model, double time) {
  Data data(model);
  while (data.time < time) step(model, data);
  return data.qvel[0];
}

TEST(ContactLaws, ABodySticksBelowTheFrictionAngleAndSlidesAboveIt) {
  constexpr double kMu = 0.5;
  const double critical = std::atan(kMu);
  for (const char* cone : {"pyramidal", "elliptic"}) {
    EXPECT_LT(std::fabs(speed_after(sledge(cone, 0.8 * critical, kMu), 1)), 0.02) << cone;
    const double angle = 1.3 * critical;
    const double expected = kGravity * (std::sin(angle) - kMu * std::cos(angle));
    EXPECT_NEAR(speed_after(sledge(cone, angle, kMu), 1), expected, 0.03 * expected) << cone;
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

}  // namespace
}  // namespace torsor
