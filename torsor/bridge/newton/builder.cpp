// Bodies, joints, articulations and worlds; shapes are in shapes.cpp, copies in merge.cpp, files in mjcf.cpp.
#include "torsor/bridge/newton/builder.hpp"

#include <fmt/format.h>

#include <cmath>

#include "torsor/bridge/newton/layout.hpp"
#include "torsor/core/error.hpp"

namespace torsor::newton {
namespace {

void require_finite(double value, const char* what) {
  if (!std::isfinite(value)) throw Error(fmt::format("{} is {}, not a number", what, value));
}

void require_not_negative(double value, const char* what) {
  require_finite(value, what);
  if (value < 0) throw Error(fmt::format("{} is {}; it must not be negative", what, value));
}

// Of a free or distance joint, which no drive moves.
DofConfig unlimited(const Vector3& axis) {
  DofConfig result;
  result.axis = axis;
  result.limit_ke = result.limit_kd = 0;
  result.mode = TargetMode::kNone;
  return result;
}

const std::vector<DofConfig> kThree{unlimited({1, 0, 0}), unlimited({0, 1, 0}), unlimited({0, 0, 1})};

Vector3 unit(Axis axis) { return {axis == Axis::kX ? 1.0 : 0, axis == Axis::kY ? 1.0 : 0, axis == Axis::kZ ? 1.0 : 0}; }

void check_axes(JointKind kind, size_t linear, size_t angular) {
  const auto require = [&](bool good, const char* rule) {
    if (!good) throw Error(fmt::format("a {} joint has {}", to_string(kind), rule));
  };
  switch (kind) {
    case JointKind::kPrismatic:
      return require(linear == 1 && angular == 0, "one linear axis");
    case JointKind::kRevolute:
      return require(linear == 0 && angular == 1, "one angular axis");
    case JointKind::kBall:
      return require(linear == 0 && angular == 3, "three angular axes");
    case JointKind::kFixed:
      return require(linear == 0 && angular == 0, "no axis");
    case JointKind::kFree:
    case JointKind::kDistance:
      return require(linear == 3 && angular == 3, "three linear and three angular axes");
    case JointKind::kD6:
      return require(linear <= 3 && angular <= 3, "at most three linear and three angular axes");
  }
}

}  // namespace

ModelBuilder::ModelBuilder(Axis up, double along_up) : up_axis(up), gravity{} {
  require_finite(along_up, "gravity");
  to_axis(static_cast<int>(up));
  gravity[static_cast<size_t>(up)] = along_up;
}

ModelBuilder::ModelBuilder(Axis up, const Vector3& vector) : up_axis(up), gravity(vector) {
  for (const double g : vector) require_finite(g, "gravity");
  to_axis(static_cast<int>(up));
}

Vector3 ModelBuilder::up_vector() const { return unit(up_axis); }

int ModelBuilder::q_end(int joint) const {
  return joint + 1 < joint_count() ? joint_q_start[joint + 1] : joint_coord_count();
}
int ModelBuilder::qd_end(int joint) const {
  return joint + 1 < joint_count() ? joint_qd_start[joint + 1] : joint_dof_count();
}

int ModelBuilder::add_link(const LinkOptions& options) {
  to_pose(options.xform);  // throws if invalid
  require_not_negative(options.mass, "mass");
  require_not_negative(options.armature, "armature");
  for (const double number : options.inertia) require_finite(number, "a number of the inertia");
  for (const double number : options.com) require_finite(number, "a coordinate of the centre of mass");
  const int body = body_count();
  Matrix3 inertia = options.inertia;
  for (int i = 0; i < 3; ++i) inertia[4 * i] += options.armature;
  body_q.push_back(options.xform);
  body_qd.push_back({});
  body_mass.push_back(options.mass);
  body_com.push_back(options.com);
  body_inertia.push_back(inertia);
  body_lock_inertia.push_back(options.lock_inertia);
  body_flags.push_back(options.is_kinematic ? kKinematic : kDynamic);
  body_world.push_back(current_world);
  body_key.push_back(options.key.empty() ? fmt::format("body_{}", body) : options.key);
  body_native_name.emplace_back();
  return body;
}

int ModelBuilder::add_body(const LinkOptions& options) {
  const int body = add_link(options);
  JointOptions joint;
  if (!options.key.empty()) joint.key = options.key + "_free_joint";
  add_articulation({add_joint_free(body, -1, joint)}, options.key.empty() ? "" : options.key + "_articulation");
  return body;
}

void ModelBuilder::append_axis(const DofConfig& axis) {
  joint_axis.push_back(to_array(normalized(to_vec(axis.axis))));
  joint_limit_lower.push_back(std::max(axis.limit_lower, -kUnlimited));
  joint_limit_upper.push_back(std::min(axis.limit_upper, kUnlimited));
  joint_limit_ke.push_back(axis.limit_ke);
  joint_limit_kd.push_back(axis.limit_kd);
  const bool inside = axis.target_pos >= axis.limit_lower && axis.target_pos <= axis.limit_upper;
  joint_target_pos.push_back(inside ? axis.target_pos : 0.5 * (axis.limit_lower + axis.limit_upper));
  joint_target_vel.push_back(axis.target_vel);
  joint_target_ke.push_back(axis.target_ke);
  joint_target_kd.push_back(axis.target_kd);
  joint_damping.push_back(axis.damping);
  joint_armature.push_back(axis.armature);
  joint_effort_limit.push_back(axis.effort_limit);
  joint_velocity_limit.push_back(axis.velocity_limit);
  joint_friction.push_back(axis.friction);
  joint_target_mode.push_back(static_cast<int>(axis.mode));
  joint_qd.push_back(0);
  joint_f.push_back(0);
  dof_native.push_back(nullptr);
  dof_native_name.emplace_back();
}

int ModelBuilder::add_joint(JointKind kind, int parent, int child, const std::vector<DofConfig>& linear,
                            const std::vector<DofConfig>& angular, const JointOptions& options) {
  to_joint_kind(static_cast<int>(kind));  // throws if invalid
  if (parent < -1 || parent >= body_count()) throw Error(fmt::format("there is no parent body {}", parent));
  if (child < 0 || child >= body_count()) throw Error(fmt::format("there is no child body {}", child));
  if (parent == child) throw Error(fmt::format("a joint cannot connect body {} to itself", child));
  for (const int body : {parent, child}) {
    if (body >= 0 && body_world[body] != current_world) {
      throw Error(fmt::format("body {} belongs to world {}, but the current world is {}", body, body_world[body],
                              current_world));
    }
  }
  to_pose(options.parent_xform), to_pose(options.child_xform);  // throw if invalid
  check_axes(kind, linear.size(), angular.size());
  for (const auto* axes : {&linear, &angular}) {
    for (const DofConfig& axis : *axes) {
      // the first axis of a distance joint holds its range, in which a negative bound means no bound
      if (kind != JointKind::kDistance) check_axis(axis);
    }
  }
  const int joint = joint_count();
  const bool has_pose = kind == JointKind::kFree || kind == JointKind::kDistance;
  joint_type.push_back(kind);
  joint_parent.push_back(parent);
  joint_child.push_back(child);
  joint_X_p.push_back(options.parent_xform);
  joint_X_c.push_back(options.child_xform);
  joint_dof_dim.push_back({static_cast<int>(linear.size()), static_cast<int>(angular.size())});
  joint_q_start.push_back(joint_coord_count());
  joint_qd_start.push_back(joint_dof_count());
  joint_articulation.push_back(-1);
  joint_world.push_back(current_world);
  joint_enabled.push_back(options.enabled);
  joint_filters_parent.push_back(options.collision_filter_parent);
  joint_key.push_back(options.key.empty() ? fmt::format("joint_{}", joint + 1) : options.key);
  for (const DofConfig& axis : linear) append_axis(axis);
  for (const DofConfig& axis : angular) append_axis(axis);
  if (has_pose) {
    joint_q.insert(joint_q.end(), kIdentity.begin(), kIdentity.end());
  } else if (kind == JointKind::kBall) {
    joint_q.insert(joint_q.end(), {0, 0, 0, 1});
  } else {
    joint_q.resize(joint_q.size() + linear.size() + angular.size(), 0.0);
  }
  if (has_pose) {  // where the bodies are now
    const Pose<double> X_WP = parent < 0 ? Pose<double>::identity() : to_pose(body_q[parent]);
    const Pose<double> X_WA = X_WP * to_pose(options.parent_xform);
    const Transform q = to_transform(inverse(X_WA) * to_pose(body_q[child]) * to_pose(options.child_xform));
    std::copy(q.begin(), q.end(), joint_q.end() - 7);
  }
  return joint;
}

int ModelBuilder::add_joint_free(int child, int parent, const JointOptions& options) {
  return add_joint(JointKind::kFree, parent, child, kThree, kThree, options);
}

int ModelBuilder::add_joint_distance(int parent, int child, double min_distance, double max_distance,
                                     const JointOptions& options) {
  require_finite(min_distance, "min_distance");
  require_finite(max_distance, "max_distance");
  if (max_distance >= 0 && min_distance > max_distance)
    throw Error(fmt::format("min_distance {} is above max_distance {}", min_distance, max_distance));
  std::vector<DofConfig> linear = kThree;
  linear[0].limit_lower = min_distance, linear[0].limit_upper = max_distance;
  linear[0].limit_ke = 1e4, linear[0].limit_kd = 10;
  return add_joint(JointKind::kDistance, parent, child, linear, kThree, options);
}

int ModelBuilder::add_joint_ball(int parent, int child, double armature, double friction, const JointOptions& options) {
  std::vector<DofConfig> axes = kThree;
  for (DofConfig& axis : axes) axis.armature = armature, axis.friction = friction, axis.mode = TargetMode::kInferred;
  return add_joint(JointKind::kBall, parent, child, {}, axes, options);
}

void ModelBuilder::add_articulation(const std::vector<int>& joints, const std::string& key) {
  if (joints.empty()) throw Error("an articulation needs a joint");
  for (size_t i = 0; i < joints.size(); ++i) {
    const int joint = joints[i];
    if (joint < 0 || joint >= joint_count()) throw Error(fmt::format("there is no joint {}", joint));
    if (joint_articulation[joint] >= 0)
      throw Error(fmt::format("joint {} is part of articulation {} already", joint, joint_articulation[joint]));
    if (i > 0 && joint != joints[i - 1] + 1)
      throw Error("joints of an articulation must be next to each other in the builder, in ascending order");
    if (joint_world[joint] != joint_world[joints[0]])
      throw Error(fmt::format("joint {} is in another world than joint {}", joint, joints[0]));
    for (size_t k = 0; k < i; ++k) {
      if (joint_child[joints[k]] == joint_child[joint]) {
        throw Error(
            fmt::format("loops in the articulation: joints {} and {} both have body {} as their child; leave the one "
                        "that closes the loop out of the list",
                        joints[k], joint, joint_child[joint]));
      }
    }
  }
  const int articulation = articulation_count();
  for (const int joint : joints) joint_articulation[joint] = articulation;
  articulation_start.push_back(joints[0]);
  articulation_world.push_back(joint_world[joints[0]]);
  articulation_key.push_back(key.empty() ? fmt::format("articulation_{}", articulation) : key);
}

void ModelBuilder::begin_world() {
  if (current_world >= 0) throw Error(fmt::format("world {} is open: call end_world() first", current_world));
  current_world = world_count++;
  world_gravity.push_back(gravity);
  world_source.emplace_back();
}

void ModelBuilder::end_world() {
  if (current_world < 0) throw Error("no world is open: call begin_world() first");
  current_world = -1;
}

}  // namespace torsor::newton
