// Quantities that carry their convention in their type: mixing two conventions does not compile, and converting costs
// what hand-written code costs, because the rows are constants.
//
//   using namespace torsor;
//   PoseIn<rows::mujoco> pose = ...;
//   TwistIn<rows::mujoco> twist{.linear = v, .angular = w};
//   TwistIn<rows::newton> there = convert<rows::newton>(twist, pose, body);
//   WrenchIn<rows::newton> load = ...;
//   double p = power(load, there);        // power(load, twist) would not compile
//
// Conversions that need an unspecified cell of a row do not compile either. Specify the cells in a row of your own:
// inline constexpr Row my_physx = [] { Row row = rows::physx; row.world = row.body = kOurAxes; ... }();
#pragma once

#include "torsor/convention/rigid.hpp"
#include "torsor/convention/rows.hpp"

namespace torsor {

namespace typed_detail {
constexpr bool has_axes(const Row& row, Frame frame) {
  return frame == Frame::kWorld ? row.world.known() : (frame != Frame::kUnspecified && row.body.known());
}
constexpr bool has_layout(const Row& row, const SpatialLayout& layout) {
  return layout.point != Point::kUnspecified && layout.angle != AngleUnit::kUnspecified && row.length != 0 &&
         has_axes(row, layout.linear) && has_axes(row, layout.angular);
}
constexpr bool has_pose(const Row& row) {
  return row.pose_of != PoseOf::kUnspecified && row.world.known() && row.body.known() && row.length != 0;
}
}  // namespace typed_detail

// A position and a rotation; the quaternion is a Quat, whatever the storage order of the system. to_numbers() and
// from_numbers() below apply the order.
template <const Row& kRow>
struct PoseIn {
  static_assert(typed_detail::has_pose(kRow), "this row does not specify what a pose needs");
  Vec3<double> p;
  Quat<double> q;
};

template <const Row& kRow>
struct TwistIn {
  static_assert(typed_detail::has_layout(kRow, kRow.twist), "this row does not specify what a twist needs");
  Vec3<double> linear, angular;
};

// A load on a body, in the system's convention.
template <const Row& kRow>
struct WrenchIn {
  static_assert(typed_detail::has_layout(kRow, kRow.wrench) && kRow.wrench_sign != 0,
                "this row does not specify what a wrench needs");
  Vec3<double> linear, angular;
};

// The six generalised forces of a free joint.
template <const Row& kRow>
struct JointForceIn {
  static_assert(typed_detail::has_layout(kRow, joint_force_layout(kRow)),
                "this row does not specify what joint forces need");
  Vec3<double> linear, angular;
};

// Properties of a body that a conversion may need; they do not depend on the pose.
using BodyConstants = BodyPlace<double>;

namespace typed_detail {
template <const Row& kRow>
TORSOR_INLINE Pose<double> our_pose(const PoseIn<kRow>& pose, const BodyConstants& body) {
  return from_row(kRow, body, Pose<double>{pose.p, pose.q});
}
template <const Row& kRow>
inline constexpr SpatialLayout kJointForceLayout = joint_force_layout(kRow);
}  // namespace typed_detail

template <const Row& kTo, const Row& kFrom>
TORSOR_INLINE PoseIn<kTo> convert(const PoseIn<kFrom>& pose, const BodyConstants& body = {}) {
  const Pose<double> result = to_row(kTo, typed_detail::our_pose(pose, body), body);
  return {result.p, result.q};
}

template <const Row& kTo, const Row& kFrom>
TORSOR_INLINE TwistIn<kTo> convert(const TwistIn<kFrom>& twist, const PoseIn<kFrom>& pose,
                                   const BodyConstants& body = {}) {
  if constexpr (same_parts(kFrom, kFrom.twist, kTo, kTo.twist)) {
    return {twist.linear, twist.angular};
  } else {
    const Pose<double> X_WB = typed_detail::our_pose(pose, body);
    const SpatialMap<double> from(kFrom.twist, kFrom, X_WB, body), to(kTo.twist, kTo, X_WB, body);
    const Parts<double> result = to.twist(from.ours({twist.linear, twist.angular}));
    return {result.linear, result.angular};
  }
}

template <const Row& kTo, const Row& kFrom>
TORSOR_INLINE WrenchIn<kTo> convert(const WrenchIn<kFrom>& wrench, const PoseIn<kFrom>& pose,
                                    const BodyConstants& body = {}) {
  const Pose<double> X_WB = typed_detail::our_pose(pose, body);
  const SpatialMap<double> from(kFrom.wrench, kFrom, X_WB, body), to(kTo.wrench, kTo, X_WB, body);
  constexpr double kSign = kFrom.wrench_sign * kTo.wrench_sign;
  const Wrench<double> F_Bo_W = from.ours_wrench({wrench.linear, wrench.angular});
  const Parts<double> result = to.wrench(kSign < 0 ? -F_Bo_W : F_Bo_W);
  return {result.linear, result.angular};
}

template <const Row& kTo, const Row& kFrom>
TORSOR_INLINE JointForceIn<kTo> convert(const JointForceIn<kFrom>& force, const PoseIn<kFrom>& pose,
                                        const BodyConstants& body = {}) {
  const Pose<double> X_WB = typed_detail::our_pose(pose, body);
  const SpatialMap<double> from(typed_detail::kJointForceLayout<kFrom>, kFrom, X_WB, body);
  const SpatialMap<double> to(typed_detail::kJointForceLayout<kTo>, kTo, X_WB, body);
  const Parts<double> result = to.wrench(from.ours_wrench({force.linear, force.angular}));
  return {result.linear, result.angular};
}

// Force times velocity, of one convention whose joint forces are dual to its twists.
template <const Row& kRow>
TORSOR_INLINE double power(const JointForceIn<kRow>& force, const TwistIn<kRow>& twist) {
  static_assert(same_parts(kRow, joint_force_layout(kRow), kRow, kRow.twist), "these are not dual in this convention");
  return dot(force.linear, twist.linear) + dot(force.angular, twist.angular);
}
template <const Row& kRow>
TORSOR_INLINE double power(const WrenchIn<kRow>& wrench, const TwistIn<kRow>& twist) {
  static_assert(same_parts(kRow, kRow.wrench, kRow, kRow.twist), "these are not dual in this convention");
  return (dot(wrench.linear, twist.linear) + dot(wrench.angular, twist.angular)) * kRow.wrench_sign;
}

// Seven and six numbers in the system's storage order.
template <const Row& kRow>
TORSOR_INLINE PoseIn<kRow> pose_from_numbers(const double* numbers) {
  static_assert(kRow.pose != PoseOrder::kUnspecified && kRow.quat != QuatOrder::kUnspecified, "order left open");
  constexpr int kRotation = kRow.pose == PoseOrder::kRotationFirst ? 0 : 3, kPosition = kRotation == 0 ? 4 : 0;
  return {load3(numbers + kPosition), load_quat(kRow.quat, numbers + kRotation)};
}
template <const Row& kRow>
TORSOR_INLINE void to_numbers(const PoseIn<kRow>& pose, double* numbers) {
  static_assert(kRow.pose != PoseOrder::kUnspecified && kRow.quat != QuatOrder::kUnspecified, "order left open");
  constexpr int kRotation = kRow.pose == PoseOrder::kRotationFirst ? 0 : 3, kPosition = kRotation == 0 ? 4 : 0;
  store3(numbers + kPosition, pose.p);
  store_quat(kRow.quat, pose.q, numbers + kRotation);
}
template <const Row& kRow>
TORSOR_INLINE TwistIn<kRow> twist_from_numbers(const double* numbers) {
  static_assert(kRow.twist.order != BlockOrder::kUnspecified, "order left open");
  const Parts<double> parts = load_parts(kRow.twist.order, numbers);
  return {parts.linear, parts.angular};
}
template <const Row& kRow>
TORSOR_INLINE void to_numbers(const TwistIn<kRow>& twist, double* numbers) {
  static_assert(kRow.twist.order != BlockOrder::kUnspecified, "order left open");
  store_parts(kRow.twist.order, Parts<double>{twist.linear, twist.angular}, numbers);
}

}  // namespace torsor
