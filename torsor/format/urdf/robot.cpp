// Angles and inertias of a Robot.
#include "torsor/format/urdf/robot.hpp"

#include <cmath>

namespace torsor::urdf {

Quat<double> quat_of(const Number3& rpy) {
  const auto about = [](double angle, int axis) {
    Quat<double> q{std::cos(angle / 2), 0, 0, 0};
    (axis == 0 ? q.x : axis == 1 ? q.y : q.z) = std::sin(angle / 2);
    return q;
  };
  return about(rpy[2], 2) * about(rpy[1], 1) * about(rpy[0], 0);
}

Number3 rpy_of(const Quat<double>& q) {
  const Mat3<double> R = to_mat(normalized(q));
  const double level = std::hypot(R(0, 0), R(1, 0));
  if (level < 1e-9)
    return {std::atan2(-R(1, 2), R(1, 1)), std::atan2(-R(2, 0), level), 0};  // only roll -+ yaw is defined
  return {std::atan2(R(2, 1), R(2, 2)), std::atan2(-R(2, 0), level), std::atan2(R(1, 0), R(0, 0))};
}

Number6 inertia_in_link(const Inertial& inertial) {
  const Number6& i = inertial.inertia;
  const Mat3<double> I_C{i[0], i[1], i[2], i[1], i[3], i[4], i[2], i[4], i[5]};
  const Mat3<double> R_LC = to_mat(quat_of(inertial.origin.rpy));
  const Mat3<double> I_L = R_LC * I_C * transpose(R_LC);
  return {I_L(0, 0), I_L(1, 1), I_L(2, 2), I_L(0, 1), I_L(0, 2), I_L(1, 2)};
}

}  // namespace torsor::urdf
