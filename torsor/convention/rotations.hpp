// One rotation at a time: conversions between forms, and common operations in robotics. Quaternions have unit length; q
// and -q are the same rotation. For many rotations, in any order of elements, see rotation_rows.hpp.
#pragma once

#include <array>
#include <cstdint>

#include "torsor/convention/terms.hpp"
#include "torsor/math/quat.hpp"

namespace torsor::rotations {

// How six numbers hold the first two columns of a rotation matrix.
enum class SixLayout : char {
  kUnspecified,
  kColumns,      // the first column, then the second
  kInterleaved,  // row by row, two numbers of each: the memory of R[:, :2]
};

struct AxisAngle {
  Vec3<double> axis;  // of unit length
  double angle;
};

struct SwingTwist {
  Quat<double> swing, twist;
};

// Axis and angle in [0, pi]; the x axis if there is no rotation.
AxisAngle axis_angle(const Quat<double>& q);

// The rotation nearest to a matrix that is one up to rounding (its polar factor).
Mat3<double> nearest_rotation(const Mat3<double>& R);
// How far a matrix is from a rotation: the largest element of R'R - I, or infinity for a reflection.
double rotation_error(const Mat3<double>& R);

// The first two columns of a rotation matrix.
std::array<double, 6> six_from_quat(SixLayout layout, const Quat<double>& q);
// The two columns in six numbers, of any length.
std::array<Vec3<double>, 2> columns_of(SixLayout layout, const double six[6]);
// Gram-Schmidt: the first column gives the x axis, the second the half plane of the y axis. Neither may be zero, nor
// the two parallel.
Quat<double> quat_from_columns(const std::array<Vec3<double>, 2>& columns);

// q or -q: w positive, or else the first of x, y, z that is not zero.
Quat<double> standardise_sign(const Quat<double>& q);

// The angle of the rotation that leads from one to the other, in [0, pi].
double angle_between(const Quat<double>& a, const Quat<double>& b);

// The direction of the rotated x axis seen from above: its angle from the world's x axis about z, in [-pi, pi]. This is
// the yaw of roll, pitch, yaw. Zero if the x axis is vertical. The twist about z that swing_twist() finds is a
// different angle, unless the rotation is level.
double heading(const Quat<double>& q);
// The rotation about z by that angle, w >= 0.
Quat<double> heading_quat(const Quat<double>& q);

// q = swing * twist: first a rotation about the axis (unit length, the same in both frames), then about a line at right
// angles to it by at most half a turn (swing.w >= 0). For a swing of half a turn, the twist is arbitrary and set to
// zero.
SwingTwist swing_twist(const Quat<double>& q, const Vec3<double>& axis);

// The same parts in the other order, q = twist * swing: first about a line at right angles to the axis, then about the
// axis. The twist is the same rotation in both.
SwingTwist twist_swing(const Quat<double>& q, const Vec3<double>& axis);

// The smallest rotation that takes the direction of u to that of v, both of any length but zero; w >= 0. For opposite
// directions it is half a turn about a line at right angles to u: the one nearest to the x axis, or to y if u is along
// x.
Quat<double> quat_between(const Vec3<double>& u, const Vec3<double>& v);

// The same angle in [-pi, pi].
double wrap_angle(double angle);

// The rotated x axis (tangent) and the rotated z axis (normal): a continuous form of a rotation in six numbers.
std::array<double, 6> tan_norm_from_quat(const Quat<double>& q);
// Gram-Schmidt: the tangent gives the x axis, the normal the half plane of the z axis. Neither may be zero, nor the two
// parallel.
Quat<double> quat_from_tan_norm(const double six[6]);

// From a (t = 0) to b (t = 1) at constant speed along the shorter arc; outside [0, 1], the same motion continues.
// Starts at a itself and ends at b or -b. Equal rotations, such as q and -q, do not move; of two arcs of the same
// length (half a turn), the one towards b is taken, not that towards -b.
Quat<double> slerp(const Quat<double>& a, const Quat<double>& b, double t);

// The constant angular velocity that leads from a to b in time dt along the shorter arc, in the axes of the world or of
// the body. Throws an Error for any other frame.
Vec3<double> angular_velocity(const Quat<double>& a, const Quat<double>& b, double dt, Frame frame);

// A uniformly distributed rotation from three uniform numbers in [0, 1). [Shoemake 1992]
Quat<double> quat_from_uniform(const Vec3<double>& u);

// A uniformly distributed rotation. The generator must return 64 random bits at a time, like std::mt19937_64.
template <class Generator>
Quat<double> random_quat(Generator& generator) {
  static_assert(Generator::min() == 0 && Generator::max() == UINT64_MAX, "a generator of 64 bits is needed");
  const auto uniform = [&] { return static_cast<double>(generator() >> 11) * 0x1p-53; };
  const double x = uniform(), y = uniform(), z = uniform();
  return quat_from_uniform({x, y, z});
}

}  // namespace torsor::rotations
