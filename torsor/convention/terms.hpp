// The terms in which conventions differ. Zero always means "unspecified": the system does not define it, and a
// conversion that needs it is refused.
#pragma once

namespace torsor {

enum class QuatOrder : char { kUnspecified, kWxyz, kXyzw };

// The form of a rotation.
enum class RotationForm : char { kUnspecified, kQuaternion, kMatrix, kRotationVector, kEuler };

enum class PoseOrder : char { kUnspecified, kPositionFirst, kRotationFirst };

// The frame that a pose describes: the body's frame in the world; the same axes at the body's centre of mass; its
// principal axes there; or a joint's child anchor in its parent anchor.
enum class PoseOf : char { kUnspecified, kBody, kBodyAtCom, kInertia, kAnchors };

// The point whose velocity is given, or about which a moment is taken.
enum class Point : char { kUnspecified, kOrigin, kCom, kWorldOrigin, kTreeCom };

// The axes of a vector: those of the world, of the body, or of the joint's parent anchor.
enum class Frame : char { kUnspecified, kWorld, kBody, kParent };

enum class BlockOrder : char { kUnspecified, kLinearFirst, kAngularFirst };

enum class AngleUnit : char { kUnspecified, kRadian, kDegree };

// The definition of a body's acceleration: the rate of its twist's numbers, or Featherstone's spatial acceleration (in
// MuJoCo, minus gravity).
enum class AccelerationForm : char { kUnspecified, kRate, kSpatialMinusGravity };

// The order of the joints of a tree. Siblings are in document order, or sorted by name: of bodies, or of the joints
// that move them. Floating last is Drake's order: depth first, trees with a free base after all others, and among these
// the base with more children first.
enum class JointOrder : char {
  kUnspecified,
  kDepthFirst,
  kBreadthFirst,
  kDepthFirstByName,
  kBreadthFirstByName,
  kDepthFirstByJointName,
  kDepthFirstFloatingLast,
};

// The order of several axes between one pair of bodies: document order, or slides before hinges.
enum class MultiAxis : char { kUnspecified, kDeclared, kLinearFirst };

// The coordinate of a hinge or slide in the reference pose: its `ref`, or zero.
enum class JointZero : char { kUnspecified, kReference, kZero };

}  // namespace torsor
