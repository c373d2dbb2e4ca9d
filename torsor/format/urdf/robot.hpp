// A robot as URDF describes it: links, joints, materials, in the words and units of the format (full lengths, radians).
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "torsor/core/error.hpp"
#include "torsor/math/quat.hpp"
#include "torsor/model/spec.hpp"

namespace torsor::urdf {

// A pose in the frame of a link or joint. Angles are roll, pitch, yaw about fixed axes: R = Rz(yaw) Ry(pitch) Rx(roll).
struct Origin {
  Number3 xyz{0, 0, 0};
  Number3 rpy{0, 0, 0};
};

Quat<double> quat_of(const Number3& rpy);
Number3 rpy_of(const Quat<double>& q);

struct Inertial {
  Origin origin;
  double mass = 0;
  Number6 inertia{0, 0, 0, 0, 0, 0};  // xx xy xz yy yz zz about the centre of mass, in the axes of `origin`
};

// The moments of inertia in the axes of the link: xx yy zz xy xz yz, as a Spec has them.
Number6 inertia_in_link(const Inertial& inertial);

enum class ShapeType { kBox, kCylinder, kSphere, kCapsule, kMesh };

struct Shape {
  Location where;
  std::string name;
  Origin origin;
  ShapeType type = ShapeType::kSphere;
  Number3 size{0, 0, 0};  // edges of a box; radius and length
  std::string file;       // of a mesh, as written
  Number3 scale{1, 1, 1};
  std::string material;
  std::optional<Float4> rgba;
};

struct Link {
  Location where;
  std::string name;
  std::optional<Inertial> inertial;
  std::vector<Shape> visuals, collisions;
};

enum class JointKind { kRevolute, kContinuous, kPrismatic, kFixed, kFloating, kPlanar, kSpherical };

struct Mimic {
  Location where;
  std::string joint;
  double multiplier = 1, offset = 0;
};

// URDF asks for limits of position and effort where there are none: numbers of this size stand for none.
constexpr double kUnlimited = 1e9;

struct Joint {
  Location where;
  std::string name;
  JointKind kind = JointKind::kFixed;
  std::string parent, child;  // links
  Origin origin;              // of the child in the parent, at zero
  Number3 axis{1, 0, 0};      // in the child
  std::optional<Number2> range;
  double effort = 0;  // 0, or kUnlimited and more: no limit
  double damping = 0, friction = 0;
  std::optional<double> most_effort, most_velocity;  // as written
  std::optional<Mimic> mimic;
};

struct Robot {
  Location where;
  std::string name;
  std::vector<Link> links;
  std::vector<Joint> joints;
  std::map<std::string, Float4> materials;
};

}  // namespace torsor::urdf
