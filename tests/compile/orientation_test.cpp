// Orientations: every way to write one.
#include "torsor/compile/orientation.hpp"

#include <cmath>
#include <stdexcept>

#include "tests/compile/make_spec.hpp"

namespace torsor::compiler {
namespace {

const std::string kXyz = "xyz";

Rotation resolve(const OrientationSpec& orientation, bool degree = false, const std::string& eulerseq = kXyz) {
  return resolve_orientation(orientation, {degree, eulerseq});
}

OrientationSpec make_euler(Number3 euler) {
  OrientationSpec orientation;
  orientation.form = OrientationSpec::Form::kEuler;
  orientation.euler = euler;
  return orientation;
}

TEST(Orientation, SmallEulerLettersTurnAboutMovedAxes) {
  const Rotation q = resolve(make_euler({0.3, -0.7, 1.1}));
  const Rotation x = from_axis_angle(Vec{1, 0, 0}, 0.3), y = from_axis_angle(Vec{0, 1, 0}, -0.7),
                 z = from_axis_angle(Vec{0, 0, 1}, 1.1);
  EXPECT_TRUE(torsor::is_same_rotation(q, x * y * z, kRounding));
}

TEST(Orientation, CapitalEulerLettersTurnAboutFixedAxes) {
  const Rotation fixed = resolve(make_euler({0.3, -0.7, 1.1}), false, "XYZ");
  const Rotation moved = resolve(make_euler({1.1, -0.7, 0.3}), false, "zyx");
  EXPECT_TRUE(torsor::is_same_rotation(fixed, moved, kRounding));
}

TEST(Orientation, AQuarterTurnIsNinetyDegrees) {
  EXPECT_TRUE(
      torsor::is_same_rotation(resolve(make_euler({0, 0, 90}), true), resolve(make_euler({0, 0, M_PI / 2})), 1e-15));
  const Vec y = rotate(resolve(make_euler({0, 0, 90}), true), Vec{1, 0, 0});
  EXPECT_NEAR_REL(y, (Vec{0, 1, 0}), kRounding);
}

TEST(Orientation, AllFormsOfARotationAgree) {
  for_all(200, [](Random& random) {
    const Rotation q = random.quat();
    const Vec v = rotation_vector(q), axis = v / norm(v);
    const Mat3<double> R = to_mat(q);
    OrientationSpec orientation;
    orientation.quat = {3 * q.w, 3 * q.x, 3 * q.y, 3 * q.z};
    EXPECT_TRUE(torsor::is_same_rotation(resolve(orientation), q, 1e-14));
    orientation.form = OrientationSpec::Form::kAxisAngle;
    orientation.axisangle = {5 * axis.x, 5 * axis.y, 5 * axis.z, norm(v)};
    EXPECT_TRUE(torsor::is_same_rotation(resolve(orientation), q, 1e-14));
    orientation.form = OrientationSpec::Form::kXyAxes;
    const Vec x = R.col(0) * 2.0, y = R.col(1) * 3.0 + R.col(0);
    orientation.xyaxes = {x.x, x.y, x.z, y.x, y.y, y.z};
    EXPECT_TRUE(torsor::is_same_rotation(resolve(orientation), q, 1e-13));
  });
}

TEST(Orientation, ZaxisIsTheShortestTurn) {
  for_all(200, [](Random& random) {
    const Vec direction = random.unit_vec3();
    const Rotation q = turn_z_to(direction * 7.0);
    EXPECT_NEAR_REL(rotate(q, Vec{0, 0, 1}), direction, 1e-14);
    EXPECT_NEAR(q.z, 0, 1e-15);  // no twist about z
  });
}

TEST(Orientation, ZaxisDownTurnsAboutX) {
  EXPECT_NEAR_REL(turn_z_to({0, 0, -2}), (Rotation{0, 1, 0, 0}), kRounding);
  EXPECT_NEAR_REL(turn_z_to({0, 0, 2}), (Rotation{1, 0, 0, 0}), kRounding);
}

TEST(Orientation, WhatHasNoDirectionIsRefused) {
  OrientationSpec orientation;
  orientation.quat = {0, 0, 0, 0};
  EXPECT_THROW(resolve(orientation), std::invalid_argument);
  orientation.form = OrientationSpec::Form::kZAxis;
  orientation.zaxis = {0, 1e-9, 0};
  EXPECT_THROW(resolve(orientation), std::invalid_argument);
  orientation.form = OrientationSpec::Form::kXyAxes;
  orientation.xyaxes = {1, 0, 0, 2, 0, 0};
  EXPECT_THROW(resolve(orientation), std::invalid_argument);
  orientation.form = OrientationSpec::Form::kAxisAngle;
  orientation.axisangle = {0, 0, 0, 1};
  EXPECT_THROW(resolve(orientation), std::invalid_argument);
  EXPECT_THROW(resolve(make_euler({1, 2, 3}), true, "xyq"), std::invalid_argument);
  EXPECT_THROW(resolve(make_euler({1, 2, 3}), true, "xy"), std::invalid_argument);
}

}  // namespace
}  // namespace torsor::compiler
