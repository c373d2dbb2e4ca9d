// The rows of all known systems, as constants. Their sources, and an example of each worked by hand, are in rows.cpp;
// docs/conventions.md shows the same as a table.
#pragma once

#include "torsor/convention/row.hpp"

namespace torsor::rows {

namespace words {  // so that a row reads as a line of the table
inline constexpr QuatOrder kWxyz = QuatOrder::kWxyz, kXyzw = QuatOrder::kXyzw;
inline constexpr Axes kZUp{{1, 2, 3}};      // x forward, y left, z up
inline constexpr Axes kYUp{{1, 3, -2}};     // ours turned by -90 degrees about x
inline constexpr Axes kDown{{1, -2, -3}};   // x north or forward, y east or right, z down
inline constexpr Axes kGltf{{2, 3, 1}};     // x left, y up, z forward
inline constexpr Axes kUnity{{-2, 3, 1}};   // x right, y up, z forward: left-handed
inline constexpr Axes kUnreal{{1, -2, 3}};  // x forward, y right, z up: left-handed
inline constexpr AngleUnit kRad = AngleUnit::kRadian, kDeg = AngleUnit::kDegree;

constexpr SpatialLayout linear_first(Point point, Frame linear, Frame angular, AngleUnit angle = kRad) {
  return {point, linear, angular, BlockOrder::kLinearFirst, angle};
}
constexpr SpatialLayout angular_first(Point point, Frame linear, Frame angular, AngleUnit angle = kRad) {
  return {point, linear, angular, BlockOrder::kAngularFirst, angle};
}
constexpr SpatialLayout apart(Point point, Frame linear, Frame angular, AngleUnit angle = kRad) {
  return {point, linear, angular, BlockOrder::kUnspecified, angle};
}
inline constexpr Point kO = Point::kOrigin, kC = Point::kCom;
inline constexpr Frame kW = Frame::kWorld, kB = Frame::kBody, kP = Frame::kParent, kOpen = Frame::kUnspecified;
inline constexpr SpatialLayout kComWorld = linear_first(kC, kW, kW);
}  // namespace words

// Most systems: a quaternion after a position, metres, radians, z up.
constexpr Row make_row(QuatOrder quat) {
  return {.rotation = RotationForm::kQuaternion,
          .quat = quat,
          .pose_of = PoseOf::kBody,
          .pose = PoseOrder::kPositionFirst,
          .world = words::kZUp,
          .body = words::kZUp,
          .length = 1,
          .angle = AngleUnit::kRadian};
}

inline constexpr Row mujoco = [] {
  using namespace words;
  Row row = make_row(kWxyz);
  row.twist = linear_first(kO, kW, kB);
  row.wrench = kComWorld, row.wrench_sign = 1;
  row.acceleration = AccelerationForm::kRate;
  row.ball = kB, row.joints = JointOrder::kDepthFirst, row.multi_axis = MultiAxis::kDeclared;
  row.zero = JointZero::kReference;
  return row;
}();

// A MuJoCo model whose author takes the world for Earth axes, z down, and writes bodies x forward, y right, z down.
inline constexpr Row mujoco_earth = [] {
  using namespace words;
  Row row = mujoco;
  row.world = kDown, row.body = kDown;
  return row;
}();

inline constexpr Row mujoco_cvel = [] {
  using namespace words;
  Row row;
  row.world = kZUp, row.length = 1;
  row.twist = angular_first(Point::kTreeCom, kW, kW);
  row.acceleration = AccelerationForm::kSpatialMinusGravity;
  return row;
}();

inline constexpr Row newton = [] {
  using namespace words;
  Row row = make_row(kXyzw);
  row.twist = kComWorld;
  row.wrench = kComWorld, row.wrench_sign = 1, row.joint_force_is_wrench = true;
  row.acceleration = AccelerationForm::kRate;
  row.ball = kP, row.joints = JointOrder::kDepthFirst, row.multi_axis = MultiAxis::kLinearFirst;
  row.zero = JointZero::kZero;
  return row;
}();

// Coordinates of a FREE or DISTANCE joint: the pose between the two anchors.
inline constexpr Row newton_joint = [] {
  Row row = newton;
  row.pose_of = PoseOf::kAnchors;
  return row;
}();
inline constexpr Row newton_joint_1_5 = [] {
  using namespace words;
  Row row = newton_joint;
  row.twist = linear_first(kC, kP, kP);
  return row;
}();

inline constexpr Row sap_public = newton;
inline constexpr Row sap_internal = [] {
  using namespace words;
  Row row = newton;
  row.twist = angular_first(kO, kW, kW);
  row.wrench = angular_first(kO, kW, kW), row.wrench_sign = -1, row.joint_force_is_wrench = false;
  return row;
}();

inline constexpr Row isaaclab2 = [] {
  using namespace words;
  Row row = make_row(kWxyz);
  row.twist = kComWorld;
  row.wrench = linear_first(kC, kOpen, kOpen), row.wrench_sign = 1;
  row.acceleration = AccelerationForm::kRate;
  row.joints = JointOrder::kBreadthFirst, row.zero = JointZero::kZero;
  return row;
}();
inline constexpr Row isaacsim = isaaclab2;
inline constexpr Row isaaclab3 = [] {
  Row row = isaaclab2;
  row.quat = QuatOrder::kXyzw;
  return row;
}();
inline constexpr Row isaacgym = [] {
  Row row = isaaclab3;
  row.wrench = {}, row.wrench_sign = 0;
  return row;
}();

inline constexpr Row physx = [] {
  using namespace words;
  Row row = make_row(kXyzw);
  row.pose = PoseOrder::kUnspecified;
  row.world = {}, row.body = {};
  row.twist = kComWorld;
  row.wrench = kComWorld, row.wrench_sign = 1;
  row.acceleration = AccelerationForm::kRate;
  row.joints = JointOrder::kBreadthFirst, row.zero = JointZero::kZero;
  return row;
}();

inline constexpr Row drake = [] {
  using namespace words;
  Row row = make_row(kWxyz);
  row.pose = PoseOrder::kRotationFirst;
  row.twist = angular_first(kO, kW, kW);
  row.wrench = angular_first(Point::kUnspecified, kW, kW), row.wrench_sign = 1;
  row.acceleration = AccelerationForm::kRate;
  row.joints = JointOrder::kDepthFirstFloatingLast, row.multi_axis = MultiAxis::kDeclared;
  row.zero = JointZero::kZero;
  return row;
}();

inline constexpr Row modern_robotics_body = [] {
  using namespace words;
  Row row = make_row(QuatOrder::kUnspecified);
  row.rotation = RotationForm::kMatrix, row.pose = PoseOrder::kRotationFirst;
  row.twist = angular_first(kO, kB, kB);
  row.wrench = angular_first(kO, kB, kB), row.wrench_sign = 1;
  row.acceleration = AccelerationForm::kRate;
  return row;
}();
inline constexpr Row modern_robotics_spatial = [] {
  using namespace words;
  Row row = modern_robotics_body;
  row.twist = angular_first(Point::kWorldOrigin, kW, kW);
  row.wrench = {}, row.wrench_sign = 0;
  return row;
}();
inline constexpr Row modern_robotics_spatial_linear_first = [] {
  Row row = modern_robotics_spatial;
  row.twist.order = BlockOrder::kLinearFirst;
  return row;
}();

inline constexpr Row pinocchio = [] {
  using namespace words;
  Row row = make_row(kXyzw);
  row.twist = linear_first(kO, kB, kB);
  row.wrench = linear_first(kO, kB, kB), row.wrench_sign = 1;
  row.acceleration = AccelerationForm::kRate;
  row.ball = kB, row.joints = JointOrder::kDepthFirst, row.multi_axis = MultiAxis::kDeclared;
  row.zero = JointZero::kZero;
  return row;
}();
// Its URDF reader sorts joints by name; one joint per body, as URDF has it.
inline constexpr Row pinocchio_urdf = [] {
  Row row = pinocchio;
  row.joints = JointOrder::kDepthFirstByJointName, row.multi_axis = MultiAxis::kUnspecified;
  return row;
}();

// The base frame sits at the centre of mass, along the principal axes.
inline constexpr Row bullet = [] {
  using namespace words;
  Row row = make_row(kXyzw);
  row.pose_of = PoseOf::kInertia, row.pose = PoseOrder::kUnspecified;
  row.world = {}, row.body = {};
  row.twist = apart(kC, kW, kW);
  row.acceleration = AccelerationForm::kRate;
  return row;
}();

inline constexpr Row brax = [] {
  using namespace words;
  Row row = make_row(kWxyz);
  row.twist = apart(kO, kW, kW);
  row.acceleration = AccelerationForm::kRate;
  return row;
}();

inline constexpr Row raisim = [] {
  using namespace words;
  Row row = make_row(kWxyz);
  row.twist = linear_first(kO, kW, kW);
  row.acceleration = AccelerationForm::kRate;
  return row;
}();

inline constexpr Row ros = [] {
  using namespace words;
  Row row = make_row(kXyzw);
  row.twist = linear_first(kO, kB, kB);
  row.wrench = linear_first(Point::kUnspecified, kOpen, kOpen), row.wrench_sign = 1;
  row.acceleration = AccelerationForm::kRate;
  return row;
}();

// A library of rotations, without a world of its own: uses ours.
inline constexpr Row scipy = [] {
  Row row = make_row(QuatOrder::kXyzw);
  row.pose = PoseOrder::kUnspecified, row.length = 0, row.angle = AngleUnit::kUnspecified;
  return row;
}();

// The stage specifies its up axis (default: y) and its unit of length. A stage is rotated as a whole: frames of bodies
// keep their own axes.
inline constexpr Row usd = [] {
  using namespace words;
  Row row = make_row(QuatOrder::kUnspecified);
  row.pose = PoseOrder::kUnspecified, row.world = kYUp, row.length = 0, row.angle = kDeg;
  row.twist.angle = kDeg, row.wrench.angle = kRad;  // gains are newton metres per degree
  return row;
}();
inline constexpr Row usd_text = [] {
  Row row = usd;
  row.quat = QuatOrder::kWxyz;
  return row;
}();
inline constexpr Row usd_memory = [] {
  Row row = usd;
  row.quat = QuatOrder::kXyzw;
  return row;
}();

inline constexpr Row gltf = [] {
  using namespace words;
  Row row = make_row(kXyzw);
  row.pose = PoseOrder::kUnspecified, row.world = kGltf, row.body = kGltf;
  return row;
}();

inline constexpr Row unity = [] {
  using namespace words;
  Row row = make_row(kXyzw);
  row.pose = PoseOrder::kUnspecified, row.world = kUnity, row.body = kUnity;
  row.twist = apart(kC, kW, kW);
  row.acceleration = AccelerationForm::kRate;
  return row;
}();

inline constexpr Row unreal = [] {
  using namespace words;
  Row row = make_row(kXyzw);
  row.pose = PoseOrder::kUnspecified, row.world = kUnreal, row.body = kUnreal, row.length = 0.01, row.angle = kDeg;
  row.twist = apart(Point::kUnspecified, kOpen, kOpen, kDeg);
  return row;
}();

inline constexpr Row smpl = [] {
  using namespace words;
  Row row = make_row(QuatOrder::kUnspecified);
  row.rotation = RotationForm::kRotationVector, row.pose = PoseOrder::kUnspecified, row.world = kYUp;
  return row;
}();

inline constexpr Row bvh = [] {
  using namespace words;
  Row row = make_row(QuatOrder::kUnspecified);
  row.rotation = RotationForm::kEuler, row.pose = PoseOrder::kUnspecified, row.world = kYUp;
  row.length = 0, row.angle = kDeg;
  return row;
}();

// Earth and body axes with z down; the position is that of the centre of gravity.
inline constexpr Row ptera = [] {
  using namespace words;
  Row row = make_row(kWxyz);
  row.pose_of = PoseOf::kBodyAtCom, row.world = kDown, row.body = kDown, row.angle = kDeg;
  row.twist = apart(kC, kW, kB, kDeg);
  row.wrench = linear_first(kC, kW, kW), row.wrench_sign = 1, row.joint_force_is_wrench = true;
  row.acceleration = AccelerationForm::kRate;
  return row;
}();
// The twelve numbers of its strong-coupling iteration.
inline constexpr Row ptera_coupling = [] {
  using namespace words;
  Row row = ptera;
  row.twist = apart(kC, kW, kW, kRad);
  return row;
}();

inline constexpr Row sonic = [] {
  Row row = isaaclab2;
  row.pose = PoseOrder::kUnspecified, row.wrench = {}, row.wrench_sign = 0;
  row.twist.order = BlockOrder::kUnspecified;
  row.joints = JointOrder::kDepthFirst;
  return row;
}();

}  // namespace torsor::rows
