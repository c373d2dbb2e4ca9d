// Row: the conventions of one system. Conversions are never written for a pair of systems: each is derived from two
// rows. Rows are plain constants, so that a conversion between two constant rows costs no more than hand-written code.
#pragma once

#include "torsor/convention/axes.hpp"
#include "torsor/convention/terms.hpp"

namespace torsor {

// The layout of the two vectors of a twist or wrench in six numbers. A wrench is dual to the twist of the same layout:
// power is the dot product of the two.
struct SpatialLayout {
  Point point = Point::kUnspecified;    // whose velocity; about which the moment
  Frame linear = Frame::kUnspecified;   // axes of velocity or force
  Frame angular = Frame::kUnspecified;  // axes of angular velocity or moment
  BlockOrder order = BlockOrder::kUnspecified;
  AngleUnit angle = AngleUnit::kUnspecified;

  constexpr bool operator==(const SpatialLayout&) const = default;
};

// A sequence of Euler angles in MuJoCo's spelling, lower case for moving axes; empty means unspecified.
struct EulerText {
  char letters[4] = "";

  constexpr bool known() const { return letters[0] != 0; }
  constexpr bool operator==(const EulerText&) const = default;
};

struct Row {
  RotationForm rotation = RotationForm::kUnspecified;
  QuatOrder quat = QuatOrder::kUnspecified;
  EulerText euler{};
  PoseOf pose_of = PoseOf::kUnspecified;
  PoseOrder pose = PoseOrder::kUnspecified;
  Axes world{}, body{};                       // axes of the world, and of frames that bodies carry
  double length = 0;                          // metres in a unit of length; 0 is unspecified
  AngleUnit angle = AngleUnit::kUnspecified;  // of joint angles and Euler angles
  SpatialLayout twist{};                      // of a body, and qvel of its free joint
  SpatialLayout wrench{};                     // external load on a body
  int wrench_sign = 0;                        // -1: stored as a residual; 0 is unspecified
  bool joint_force_is_wrench = false;         // of a free joint: the wrench; otherwise dual to the twist
  AccelerationForm acceleration = AccelerationForm::kUnspecified;
  Frame ball = Frame::kUnspecified;  // axes of a ball joint's angular velocity
  JointOrder joints = JointOrder::kUnspecified;
  MultiAxis multi_axis = MultiAxis::kUnspecified;  // order of several axes between one pair of bodies
  JointZero zero = JointZero::kUnspecified;

  constexpr bool operator==(const Row&) const = default;
};

// Layout of the six generalised forces of a free joint.
constexpr SpatialLayout joint_force_layout(const Row& row) {
  return row.joint_force_is_wrench ? row.wrench : row.twist;
}

}  // namespace torsor
