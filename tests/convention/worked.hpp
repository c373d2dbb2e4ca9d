// The situation of the worked examples (rows.cpp) in the numbers of any row.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "torsor/convention/convention.hpp"
#include "torsor/convention/convert.hpp"
#include "torsor/convention/joint.hpp"
#include "torsor/convention/order.hpp"
#include "torsor/convention/row_fields.hpp"

namespace torsor {

inline BodyPlace<double> worked_place() {
  const Quat<double> about_x = from_axis_angle(Vec3<double>{1, 0, 0}, M_PI / 2);
  BodyPlace<double> place;
  place.X_WB = {{3, 1, 2}, from_axis_angle(Vec3<double>{0, 0, 1}, M_PI / 2)};
  place.p_BoBcm_B = {1, 0, 0};
  place.q_BI = {0, 1, 0, 0};
  place.X_WP = {{1, 0, 0}, about_x};
  place.X_BA = {{0, 2, 0}, about_x};
  place.p_WoTcm_W = {3, 1, 3};
  place.g_W = {0, 0, -10};
  return place;
}

inline WorkedExample work_out(const Row& row) {
  const BodyPlace<double> place = worked_place();
  const Twist<double> V_WBo_W{{1, 2, 3}, {4, 5, 6}};
  const Wrench<double> F_Bo_W = Wrench<double>{{10, 11, 12}, {7, 8, 9}}.at({0, -1, 0});
  WorkedExample result;
  for (const RowField& field : row_fields()) {
    if (field.get(row) == kUnspecifiedWord) result.open += (result.open.empty() ? "" : " ") + std::string(field.name);
  }
  const auto six = [](BlockOrder order, const Parts<double>& parts) {
    std::vector<double> numbers(6);
    store_parts(order, parts, numbers.data());
    return numbers;
  };
  const auto known = [&](Quantity quantity) { return open_cells(row, quantity).empty(); };
  if (known(Quantity::kPose)) {
    result.pose.resize(width(row, Quantity::kPose));
    write_pose(row, place, result.pose.data());
  }
  const SpatialMap<double> map(row.twist, row, place);
  if (known(Quantity::kTwist)) result.twist = six(row.twist.order, map.twist(V_WBo_W));
  if (known(Quantity::kAcceleration)) {
    result.acceleration = six(row.twist.order, map.rate(V_WBo_W, {{1, 1, 2}, {2, 0, 1}}));
  }
  if (known(Quantity::kWrench)) {
    result.wrench = six(row.wrench.order, SpatialMap<double>(row.wrench, row, place).wrench(F_Bo_W * row.wrench_sign));
  }
  if (known(Quantity::kJointForce)) {
    const SpatialLayout layout = joint_force_layout(row);
    result.joint_force = six(layout.order, SpatialMap<double>(layout, row, place).wrench(F_Bo_W));
  }
  if (row.ball != Frame::kUnspecified && row.body.known()) {
    // the parent is the anchor P itself, so the body's rotation from its written pose is (q_BA q_PW q_WB)
    const Quat<double> q = place.X_BA.q * conj(place.X_WP.q) * place.X_WB.q;
    const Vec3<double> w = to_row_ball_rate(row, place.X_BA.q, q, rotate_inverse(place.X_WB.q, V_WBo_W.w));
    result.ball = {w.x, w.y, w.z};
  }
  if (row.angle != AngleUnit::kUnspecified) {
    result.hinge_force = {3 * scalar_force_factor(row, true)};
    result.hinge_rate = {2 * scalar_factor(row, true)};
    if (row.zero != JointZero::kUnspecified) {
      result.hinge = {(0.5 + scalar_offset(row, 0.25)) * scalar_factor(row, true)};
    }
  }
  if (row.joints != JointOrder::kUnspecified) {
    const Tree tree{{"root", "base", "head", "left", "foot", "arm", "hand"},
                    {-1, 0, 1, 0, 3, 0, 5},
                    {1},
                    {"", "f", "g", "b", "d", "a", "c"}};
    for (const int body : list_bodies(tree, row.joints)) {
      if (body > 0) result.joints += (result.joints.empty() ? "" : " ") + tree.joints[body];
    }
  }
  if (row.multi_axis != MultiAxis::kUnspecified) {
    result.multi_axis = row.multi_axis == MultiAxis::kLinearFirst ? "s h" : "h s";
  }
  return result;
}

// "", or the first thing in which an example worked by hand differs from what the row gives.
inline std::string find_difference(const WorkedExample& hand, Row row) {
  if (const std::string open = work_out(row).open; open != hand.open) return "open cells: " + open;
  set_cells(row, hand.assume);
  const WorkedExample result = work_out(row);
  const auto differs = [](const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) return true;
    for (size_t i = 0; i < a.size(); ++i) {
      if (!(std::abs(a[i] - b[i]) <= 1e-13 * std::max(100.0, std::abs(b[i])))) return true;
    }
    return false;
  };
  if (differs(result.pose, hand.pose)) return "pose";
  if (differs(result.twist, hand.twist)) return "twist";
  if (differs(result.acceleration, hand.acceleration)) return "acceleration";
  if (differs(result.wrench, hand.wrench)) return "wrench";
  if (differs(result.joint_force, hand.joint_force)) return "joint force";
  if (differs(result.ball, hand.ball)) return "ball";
  if (differs(result.hinge, hand.hinge)) return "hinge";
  if (differs(result.hinge_force, hand.hinge_force)) return "hinge force";
  if (differs(result.hinge_rate, hand.hinge_rate)) return "hinge rate";
  if (result.multi_axis != hand.multi_axis) return "multi-axis";
  return result.joints == hand.joints ? "" : "joints: " + result.joints;
}

}  // namespace torsor
