// Composes the enclosing frames with the body's own pose.
#include "torsor/format/mjcf/reference_pose.hpp"

#include <cmath>
#include <numbers>

#include "torsor/convention/euler.hpp"

namespace torsor::mjcf {
namespace {

using Vec = Vec3<double>;
using Rotation = Quat<double>;

Rotation from_zaxis(const Vec& z) {
  const Vec axis{-z.y, z.x, 0};
  const double sine = norm(axis);
  if (sine == 0) return from_axis_angle(Vec{1, 0, 0}, z.z > 0 ? 0 : std::numbers::pi);
  return from_axis_angle(axis / sine, std::atan2(sine, z.z));
}

Rotation from_xyaxes(const Number6& axes) {
  const Vec x = normalized(load3(axes.data()));
  const Vec y = load3(axes.data() + 3);
  const Vec across = normalized(y - x * dot(x, y));
  return from_mat(mat_from_cols(x, across, cross(x, across)));
}

Rotation rotation_of(const OrientationSpec& orientation, const CompilerSpec& compiler) {
  const double unit = compiler.degree ? std::numbers::pi / 180 : 1;
  const Number4& axisangle = orientation.axisangle;
  const Number3& euler = orientation.euler;
  switch (orientation.form) {
    case OrientationSpec::Form::kAxisAngle:
      return from_axis_angle(normalized(load3(axisangle.data())), axisangle[3] * unit);
    case OrientationSpec::Form::kXyAxes:
      return from_xyaxes(orientation.xyaxes);
    case OrientationSpec::Form::kZAxis:
      return from_zaxis(normalized(load3(orientation.zaxis.data())));
    case OrientationSpec::Form::kEuler:
      return rotations::quat_from_euler(
          rotations::make_euler_sequence(compiler.eulerseq, rotations::EulerSpelling::kMujoco),
          {euler[0] * unit, euler[1] * unit, euler[2] * unit});
    case OrientationSpec::Form::kQuat:
      break;
  }
  return normalized(load4(orientation.quat.data()));
}

}  // namespace

std::optional<Pose<double>> find_reference_pose(const BodySpec& body, const Spec& spec) {
  Pose<double> X_PB{load3(body.pos.data()), rotation_of(body.orientation, spec.compiler)};
  const std::vector<FrameSpec>& frames = spec.bodies[static_cast<std::size_t>(body.parent)].frames;
  for (int f = body.frame; f >= 0; f = frames[static_cast<std::size_t>(f)].parent_frame) {
    const FrameSpec& frame = frames[static_cast<std::size_t>(f)];
    X_PB = Pose<double>{load3(frame.pos.data()), rotation_of(frame.orientation, spec.compiler)} * X_PB;
  }
  const Rotation& q = X_PB.q;
  if (!std::isfinite(q.w + q.x + q.y + q.z)) return std::nullopt;
  return X_PB;
}

}  // namespace torsor::mjcf
