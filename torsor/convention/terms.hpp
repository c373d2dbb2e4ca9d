// The words in which conventions differ. Zero is always "unspecified": a system leaves the matter open, and a
// conversion that would need it is refused.
#pragma once

namespace torsor {

enum class QuatOrder : char { kUnspecified, kWxyz, kXyzw };

// How a rotation is written down.
enum class RotationForm : char { kUnspecified, kQuaternion, kMatrix, kRotationVector, kEuler };

enum class PoseOrder : char { kUnspecified, kPositionFirst, kRotationFirst };

// Whose pose a pose is: of the body's frame in the world; of the same axes at the body's centre of mass; of its
// principal axes there; of a joint's child anchor in its parent anchor.
enum class PoseOf : char { kUnspecified, kBody, kBodyAtCom, kInertia, kAnchors };

// The point whose velocity a linear velocity is, or about which a moment is taken.
enum class Point : char { kUnspecified, kOrigin, kCom, kWorldOrigin, kTreeCom };

// The axes in which a vector is written: of the world, of the body, of the joint's parent anchor.
enum class Frame : char { kUnspecified, kWorld, kBody, kParent };

enum class BlockOrder : char { kUnspecified, kLinearFirst, kAngularFirst };

enum class AngleUnit : char { kUnspecified, kRadian, kDegree };

// What an acceleration of a body is: the rate of its twist's numbers, or Featherstone's spatial acceleration, in MuJoCo
// with gravity taken away.
enum class AccelerationForm : char { kUnspecified, kRate, kSpatialMinusGravity };

// In which order the joints of a tree are listed. Siblings follow the document, or the alphabet: of bodies, or of the
// joints that move them. Floating last is Drake's order: depth first, trees with a free base after all others, and
// among these the base with more children first.
enum class JointOrder : char {
  kUnspecified,
  kDepthFirst,
  kBreadthFirst,
  kDepthFirstByName,
  kBreadthFirstByName,
  kDepthFirstByJointName,
  kDepthFirstFloatingLast,
};

// In which order several axes between one pair of bodies are listed: as the model was written, or slides before hinges.
enum class MultiAxis : char { kUnspecified, kDeclared, kLinearFirst };

// What the coordinate of a hinge or slide is at the pose in which the model was written: its `ref`, or nothing.
enum class JointZero : char { kUnspecified, kReference, kZero };

}  // namespace torsor
