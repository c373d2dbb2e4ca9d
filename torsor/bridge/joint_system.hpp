// The properties of a tree of joints that its coordinates depend on: kinds, names, `ref`s, centres of mass, anchors.
// Made from a Model, or by hand for joints that MJCF does not have, such as Newton's distance joints.
#pragma once

#include <string>
#include <vector>

#include "torsor/convention/order.hpp"
#include "torsor/convention/rigid.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

// A distance joint has the coordinates of a free joint and limits the distance between its anchors.
enum class CoordinateKind : char { kFree, kDistance, kBall, kHinge, kSlide };

struct JointCoordinates {
  std::string name;
  CoordinateKind kind = CoordinateKind::kHinge;
  int body = 0;                  // hinges and slides of one body are the axes of one multi-axis joint
  double ref = 0;                // coordinate of a hinge or slide in the reference pose
  Vec3<double> axis_B{0, 0, 1};  // of a hinge or slide
  BodyPlace<double> place;       // of the child body: COM, principal axes, anchors; poses are not read
};

struct JointSystem {
  Tree tree;                             // bodies
  std::vector<JointCoordinates> joints;  // in document order; their places are in our axes
  ModelAxes axes{};                      // of the coordinates in the engine
};

// Anchors are as an importer of MJCF makes them: at the world's origin for free joints, along the body's axes for all.
JointSystem make_joint_system(const Model& model);

constexpr bool is_pose(CoordinateKind kind) { return kind <= CoordinateKind::kDistance; }
constexpr int dof_count(CoordinateKind kind) { return is_pose(kind) ? 6 : (kind == CoordinateKind::kBall ? 3 : 1); }

// The joints in the order of a convention: by its rule, or by `order` if given; several axes of one body as the
// convention lists them. Throws if the order is unspecified and matters, or if slides and hinges cannot be exchanged.
std::vector<int> list_joints(const JointSystem& system, const struct Convention& convention, const Order* order);

}  // namespace torsor
