// Types of Newton's interface: enums with Newton's values, transforms as seven numbers (position, then quaternion
// xyzw), and configurations of shapes and joint axes. Defaults are Newton's.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "torsor/math/mat3.hpp"
#include "torsor/math/pose.hpp"
#include "torsor/model/spec.hpp"

namespace torsor::newton {

enum class Axis : int { kX = 0, kY = 1, kZ = 2 };
Axis to_axis(int number);  // these throw an Error for numbers outside the enum

enum class JointKind : int {
  kPrismatic = 0,
  kRevolute = 1,
  kBall = 2,
  kFixed = 3,
  kFree = 4,
  kDistance = 5,
  kD6 = 6,
};
const char* to_string(JointKind kind);
JointKind to_joint_kind(int number);

enum class ShapeType : int {
  kPlane = 1,
  kHeightfield = 2,
  kSphere = 3,
  kCapsule = 4,
  kEllipsoid = 5,
  kCylinder = 6,
  kBox = 7,
  kMesh = 8,
  kCone = 9,
  kConvexMesh = 10,
};
const char* to_string(ShapeType type);
ShapeType to_shape_type(int number);

// How an axis is driven. kInferred: towards both targets, as far as their gains are not zero.
enum class TargetMode : int {
  kInferred = -1,
  kNone = 0,
  kPosition = 1,
  kVelocity = 2,
  kPositionVelocity = 3,
  kEffort = 4,
};
TargetMode to_target_mode(int number);

// The axes of joint_qd of a free joint: those of the world or, since Newton 1.5, of the joint's parent anchor. The two
// differ if the anchor is rotated relative to the world.
enum class Version : int { kWorldAxes = 0, kParentAxes = 1 };
Version to_version(int number);

using Transform = std::array<double, 7>;
using Vector3 = std::array<double, 3>;
using Vector6 = std::array<double, 6>;
using Matrix3 = std::array<double, 9>;  // by rows

constexpr Transform kIdentity{0, 0, 0, 0, 0, 0, 1};
constexpr double kUnlimited = 1e10;  // limits of at least this size mean no limit

// Throws an Error for numbers that are not finite or not a rotation.
Pose<double> to_pose(const Transform& transform);
Transform to_transform(const Pose<double>& X);
inline Vec3<double> to_vec(const Vector3& v) { return {v[0], v[1], v[2]}; }
inline Vector3 to_array(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

// Bits of shape_flags.
enum ShapeFlags : int { kVisible = 1, kCollideShapes = 2, kCollideParticles = 4, kSite = 8 };

// Values of body_flags.
enum BodyFlags : int { kDynamic = 1, kKinematic = 2 };

struct ShapeConfig {
  double density = 1000;
  double ke = 2.5e3, kd = 100;  // of contact, N/m and N s/m
  double kf = 1000, ka = 0;     // stored, but not used by any solver here
  double mu = 1, mu_torsional = 0.005, mu_rolling = 0.0001;
  double restitution = 0;  // stored, but not used by any solver here
  double margin = 0, gap = 0;
  bool is_solid = true;
  int collision_group = 1;  // 0: collides with nothing; negative: with all but the same group
  bool collision_filter_parent = true;
  bool has_shape_collision = true, has_particle_collision = true;
  bool is_visible = true, is_site = false;
};

struct DofConfig {
  Vector3 axis{1, 0, 0};
  double limit_lower = -kUnlimited, limit_upper = kUnlimited;
  double limit_ke = 1e4, limit_kd = 1e1;
  double target_pos = 0, target_vel = 0, target_ke = 0, target_kd = 0;
  double damping = 0, armature = 0;
  double effort_limit = 1e6, velocity_limit = 1e6;
  double friction = 0;
  TargetMode mode = TargetMode::kInferred;
};

// The data of a mesh or height field shape; several shapes may share one.
struct Source {
  MeshSpec mesh;      // of meshes and convex hulls
  HfieldSpec hfield;  // of height fields
  double min_z = 0;   // the height of the lowest point of a height field
};
using SourcePtr = std::shared_ptr<const Source>;

// Triangles counter-clockwise seen from outside, three indices each.
SourcePtr make_mesh(const std::vector<double>& vertices, const std::vector<int>& indices);
// Heights row by row, the first row at the lowest y; hx and hy are half lengths. Heights are scaled to the range from
// min_z to max_z if these differ.
SourcePtr make_heightfield(const std::vector<double>& heights, int nrow, int ncol, double hx, double hy, double min_z,
                           double max_z);

}  // namespace torsor::newton
