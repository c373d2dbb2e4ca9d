// One rotation at a time: other ways to write it, and the questions that robotics asks about it. Quaternions are of
// unit length, and the same rotation as their negatives. Many at a time, in any order of elements: rotation_rows.hpp.
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
  kInterleaved,  // row after row, two numbers of each: what R[:, :2] is in memory
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

// Where the rotated x axis points when seen from above: its angle from the world's x axis about z, in [-pi, pi]. This
// is the yaw of roll, pitch, yaw. Zero where the x axis is vertical. The turn about z that swing_twist() finds is
// another angle, unless the rotation is level.
double heading(const Quat<double>& q);
// The rotation about z by that angle, w >= 0.
Quat<double> heading_quat(const Quat<double>& q);

// q = swing * twist: first turn about the axis (unit length, the same in both frames), then about a line at right
// angles to it by at most half a turn (swing.w >= 0). A swing by half a turn goes with any twist: then there is none.
SwingTwist swing_twist(const Quat<double>& q, const Vec3<double>& axis);

// From a (t = 0) to b (t = 1) at constant speed the short way; beyond, the same motion goes on. Starts at a itself and
// ends at b or -b. Equal rotations, q and -q among them, stay where they are; of two ways of the same length (half a
// turn) the one towards b as it is given, not towards -b.
Quat<double> slerp(const Quat<double>& a, const Quat<double>& b, double t);

// The constant angular velocity that leads from a to b in a time dt, the short way, in the axes of the world or of the
// body, which are the same at both ends as seen from the body. Throws an Error for any other frame.
Vec3<double> angular_velocity(const Quat<double>& a, const Quat<double>& b, double dt, Frame frame);

// Any rotation, all alike, from three numbers that are uniform in [0, 1). [Shoemake 1992]
Quat<double> quat_from_uniform(const Vec3<double>& u);

// Any rotation, all alike. The generator gives 64 random bits at a time, such as std::mt19937_64.
template <class Generator>
Quat<double> random_quat(Generator& generator) {
  static_assert(Generator::min() == 0 && Generator::max() == UINT64_MAX, "a generator of 64 bits is needed");
  const auto uniform = [&] { return static_cast<double>(generator() >> 11) * 0x1p-53; };
  const double x = uniform(), y = uniform(), z = uniform();
  return quat_from_uniform({x, y, z});
}

}  // namespace torsor::rotations
