#include "torsor/bridge/detect/rows.hpp"

#include <algorithm>
#include <cmath>

namespace torsor::detection {
namespace {

template <class Word>
bool agree(Word known, Word shown) {
  return known == Word{} || shown == Word{} || known == shown;
}

bool has_twist(const Row& row) { return row.twist != SpatialLayout{}; }
bool has_pose(const Row& row) { return row.rotation != RotationForm::kUnspecified; }
bool is_posed_at_com(const Row& row) { return row.pose_of == PoseOf::kBodyAtCom || row.pose_of == PoseOf::kInertia; }
bool is_com(Point point) { return point == Point::kCom || point == Point::kTreeCom; }

// A parent anchor at rest is equivalent to the world.
Frame plain(Frame frame) { return frame == Frame::kParent ? Frame::kWorld : frame; }

bool frames_agree(const Row& row, const Reading& reading) {
  if (reading.turned) {  // the pose is in other axes than the velocities
    if (row.pose_of != PoseOf::kAnchors) return false;
    return row.twist.linear == Frame::kWorld && row.twist.angular == Frame::kWorld;
  }
  return agree(plain(row.twist.linear), reading.row.twist.linear) &&
         agree(plain(row.twist.angular), reading.row.twist.angular);
}

bool orders_agree(const Row& row, const Row& shown) {
  return agree(row.rotation, shown.rotation) && agree(row.quat, shown.quat) && agree(row.pose, shown.pose) &&
         agree(row.twist.order, shown.twist.order) && agree(row.twist.angle, shown.twist.angle);
}

// Compares the fitted offset with the known centre of mass, in the row's axes and unit.
bool offset_agrees(const Row& row, const Shown& shown) {
  if (!shown.options.p_BoBcm_B || row.length == 0 || row.pose_of != PoseOf::kBody) return true;
  const Reading& reading = shown.reading;
  const Vec3<double> com = *shown.options.p_BoBcm_B / row.length;
  const auto near = [](double value, double target, double error) {
    return std::abs(value - target) < 5 * error + 0.05 * std::abs(target) + 1e-3;
  };
  if (!row.body.known()) return near(norm(reading.offset), norm(com), norm(reading.offset_error));
  const Vec3<double> expected = to_axes(row.body, com);
  for (int i = 0; i < 3; ++i) {
    if (!near(reading.offset[i], expected[i], reading.offset_error[i] + 0.01 * norm(expected))) return false;
  }
  return true;
}

Match match_point(const Row& row, const Shown& shown) {
  const Point seen = shown.reading.row.twist.point, point = row.twist.point;
  if (seen == Point::kUnspecified || point == Point::kUnspecified) return Match::kYes;
  if (seen == Point::kCom) {
    return is_com(point) && !is_posed_at_com(row) && offset_agrees(row, shown) ? Match::kYes : Match::kNo;
  }
  if (seen == Point::kOrigin && is_com(point)) {
    if (is_posed_at_com(row) || shown.offset_known_zero) return Match::kYes;
    return shown.options.p_BoBcm_B ? Match::kNo : Match::kIfComAtOrigin;
  }
  return seen == point ? Match::kYes : Match::kNo;
}

bool gravity_agrees(const Row& row, const SeenGravity& gravity) {
  if (gravity.sign == 0) return true;
  if (row.length != 0 && gravity.length != 0 && std::abs(row.length / gravity.length - 1) > 0.01) return false;
  if (!row.world.known() || row.pose_of == PoseOf::kAnchors) return true;  // anchors may be rotated
  const Vec3<double> up = to_axes(row.world, Vec3<double>{0, 0, 1});
  return up[gravity.axis] * gravity.sign > 0.5;
}

}  // namespace

Match match(const Row& row, const Shown& shown) {
  if (!has_pose(row) || (shown.has_twist && !has_twist(row))) return Match::kNo;
  if (!orders_agree(row, shown.reading.row) || !frames_agree(row, shown.reading)) return Match::kNo;
  if (!gravity_agrees(row, shown.gravity)) return Match::kNo;
  return match_point(row, shown);
}

}  // namespace torsor::detection
