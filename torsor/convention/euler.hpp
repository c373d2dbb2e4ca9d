// Euler angles in every sequence, in the two common spellings, which contradict each other.
#pragma once

#include <string>
#include <vector>

#include "torsor/math/quat.hpp"

namespace torsor::rotations {

// The meaning of the letters of a sequence. There is no default, because the same letters mean opposite things:
//   kMujoco  lower case rotates about moving axes (intrinsic), upper case about fixed axes (extrinsic); the two
//            may be mixed, and any three letters are allowed
//   kScipy   upper case intrinsic, lower case extrinsic, never mixed; neighbouring letters differ
enum class EulerSpelling : char { kUnspecified, kMujoco, kScipy };

// A product of three rotations about coordinate axes, from left to right. An intrinsic rotation is multiplied from the
// right, an extrinsic one from the left, so every sequence, mixed ones included, is such a product.
struct EulerSequence {
  int axis[3];   // of each factor: 0 1 2 for x y z
  int angle[3];  // of each factor: which of the three angles it uses

  // Whether every rotation can be written in this sequence: it cannot if neighbouring factors share an axis.
  bool reaches_every_rotation() const { return axis[0] != axis[1] && axis[1] != axis[2]; }
};

// "xyz", "ZYX", ... as a sequence; throws an Error that suggests the nearest one.
EulerSequence make_euler_sequence(const std::string& letters, EulerSpelling spelling);

// The 24 sequences of a spelling: 12 choices of axes, each intrinsic and extrinsic.
std::vector<std::string> all_euler_sequences(EulerSpelling spelling);

// URDF's roll, pitch, yaw: about the fixed x, then y, then z axis.
inline constexpr EulerSequence kRollPitchYaw{{2, 1, 0}, {2, 1, 0}};

// Angles in radians, in the order of the letters.
Quat<double> quat_from_euler(const EulerSequence& sequence, const Vec3<double>& angles);

// The angles of a unit quaternion, radians: first and third in [-pi, pi]; the second in [-pi/2, pi/2] if all three axes
// differ, else in [0, pi] (of a mixed sequence, "second" is the angle of the factor in the middle). If the second is
// within kGimbalLock of the end of its range, the first and third rotate about the same line and only their sum or
// difference matters: the third is then zero. Throws an Error if the sequence does not reach every rotation.
Vec3<double> euler_from_quat(const EulerSequence& sequence, const Quat<double>& q);

// Wide enough for the rounding of a rotation, narrow enough for angles to reproduce their rotation to 12 digits.
inline constexpr double kGimbalLock = 2e-12;

}  // namespace torsor::rotations
