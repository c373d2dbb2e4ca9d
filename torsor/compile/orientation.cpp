// Conversion of each written form of an orientation.
#include "torsor/compile/orientation.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace torsor::compiler {
namespace {

Vec unit(const Vec& v, const char* what) {
  if (!has_direction(v)) throw std::invalid_argument(fmt::format("{} is too short to give a direction", what));
  return v / norm(v);
}

Rotation from_quat(const Number4& quat) {
  const Rotation q{quat[0], quat[1], quat[2], quat[3]};
  if (!has_direction(q)) throw std::invalid_argument("quat is zero");
  return normalized(q);
}

// Gram-Schmidt: x stays, y is made orthogonal to x, z is their cross product.
Rotation from_axes(const Number6& axes) {
  const Vec x = unit({axes[0], axes[1], axes[2]}, "the x axis of xyaxes");
  const Vec y_written{axes[3], axes[4], axes[5]};
  const Vec y = unit(y_written - x * dot(x, y_written), "the y axis of xyaxes, across the x axis,");
  return from_mat(mat_from_cols(x, y, unit(cross(x, y), "the z axis of xyaxes")));
}

Rotation from_euler(const Number3& euler, const AngleUnits& units) {
  constexpr double kAxes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (units.eulerseq.size() != 3) throw std::invalid_argument("eulerseq must have three letters");
  Rotation q = Rotation::identity();
  for (size_t i = 0; i < 3; ++i) {
    const char letter = units.eulerseq[i];
    const int axis = std::tolower(static_cast<unsigned char>(letter)) - 'x';
    if (axis < 0 || axis > 2) throw std::invalid_argument("eulerseq may hold only x, y, z, X, Y and Z");
    const Rotation turn = from_axis_angle(load3(kAxes[axis]), units.radians(euler[i]));
    q = letter >= 'x' ? q * turn : turn * q;
  }
  return normalized(q);
}

}  // namespace

double AngleUnits::radians(double angle) const { return degree ? angle * (std::numbers::pi / 180) : angle; }

Rotation turn_z_to(const Vec& direction) {
  const Vec z = direction / norm(direction);
  const Vec axis{-z.y, z.x, 0};  // cross product of the z axis and the direction; its length is the sine
  if (!has_direction(axis)) return from_axis_angle(Vec{1, 0, 0}, z.z > 0 ? 0 : std::numbers::pi);
  const double sine = norm(axis);
  return from_axis_angle(axis / sine, std::atan2(sine, z.z));
}

Rotation resolve_orientation(const OrientationSpec& orientation, const AngleUnits& units) {
  switch (orientation.form) {
    case OrientationSpec::Form::kAxisAngle: {
      const Number4& a = orientation.axisangle;
      return from_axis_angle(unit({a[0], a[1], a[2]}, "the axis of axisangle"), units.radians(a[3]));
    }
    case OrientationSpec::Form::kXyAxes:
      return from_axes(orientation.xyaxes);
    case OrientationSpec::Form::kZAxis:
      return turn_z_to(unit(to_vec(orientation.zaxis), "zaxis"));
    case OrientationSpec::Form::kEuler:
      return from_euler(orientation.euler, units);
    case OrientationSpec::Form::kQuat:
      break;
  }
  return from_quat(orientation.quat);
}

}  // namespace torsor::compiler
