// Adds builders to builders, and replicates worlds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/bridge/newton/builder.hpp"
#include "torsor/core/error.hpp"
#include "torsor/format/mjcf/references.hpp"

namespace torsor::newton {
namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void append_shifted(std::vector<int>& to, const std::vector<int>& from, int shift) {
  for (const int value : from) to.push_back(value < 0 ? value : value + shift);
}

void append_prefixed(std::vector<std::string>& to, const std::vector<std::string>& from, const std::string& prefix) {
  for (const std::string& name : from) to.push_back(name.empty() ? "" : prefix + name);
}

template <class Element>
void append_renamed(std::vector<Element>& to, const std::vector<Element>& from, const std::string& prefix) {
  for (Element element : from) {
    if (!element.name.empty()) element.name = prefix + element.name;
    mjcf::for_each_reference(element, [&](ObjectType, std::string& name) {
      if (name != "world") name = prefix + name;
    });
    to.push_back(std::move(element));
  }
}

// Moves the world-frame quantities of an equality with the builder.
void move_world(const Pose<double>& X, EqualitySpec& equality) {
  if (equality.objtype != ObjectType::kBody) return;
  const bool is_weld = equality.type == EqualityType::kWeld;
  const bool is_first = equality.object1 == "world",
             is_second = equality.object2 == "world" || equality.object2.empty();
  const bool has_anchor_in_world = is_weld ? is_second : is_first;
  if (has_anchor_in_world) store3(equality.anchor.data(), apply(X, load3(equality.anchor.data())));
  const bool is_given = std::any_of(&equality.relpose[3], &equality.relpose[3] + 4, [](double q) { return q != 0; });
  if (!is_weld || !is_given || !(is_first || is_second)) return;
  // its position is that of the anchor in body 1
  if (is_first) store3(equality.relpose.data(), apply(X, load3(equality.relpose.data())));
  const Quat<double> q_12 = load4(equality.relpose.data() + 3);
  store4(equality.relpose.data() + 3, is_first ? X.q * q_12 : q_12 * conj(X.q));
}

}  // namespace

void ModelBuilder::add_builder(const ModelBuilder& other, const Transform& xform) {
  if (&other == this) throw Error("a builder cannot be added to itself");
  if (other.up_axis != up_axis) throw Error("the two builders have different up axes");
  if (current_world >= 0) {
    world_gravity[current_world] = other.gravity;
  } else {
    if (other.gravity != gravity && body_count() > 0)
      throw Error("the two builders have different gravity: add the other one as a world of its own, with add_world()");
    if (body_count() == 0) gravity = other.gravity;
  }
  const Pose<double> X = to_pose(xform);
  const int bodies = body_count(), joints = joint_count(), shapes = shape_count();
  const int coordinates = joint_coord_count(), dofs = joint_dof_count(), articulations = articulation_count();
  const std::string prefix = fmt::format("{}/", copies_++);

  append(body_qd, other.body_qd);
  append(body_mass, other.body_mass);
  append(body_com, other.body_com);
  append(body_inertia, other.body_inertia);
  append(body_lock_inertia, other.body_lock_inertia);
  append(body_flags, other.body_flags);
  append(body_key, other.body_key);
  append_prefixed(body_native_name, other.body_native_name, prefix);
  for (const Transform& q : other.body_q) body_q.push_back(to_transform(X * to_pose(q)));
  body_world.resize(body_world.size() + other.body_world.size(), current_world);

  append(joint_type, other.joint_type);
  append_shifted(joint_parent, other.joint_parent, bodies);
  append_shifted(joint_child, other.joint_child, bodies);
  append_shifted(joint_q_start, other.joint_q_start, coordinates);
  append_shifted(joint_qd_start, other.joint_qd_start, dofs);
  append_shifted(joint_articulation, other.joint_articulation, articulations);
  append(joint_X_p, other.joint_X_p);
  append(joint_X_c, other.joint_X_c);
  append(joint_dof_dim, other.joint_dof_dim);
  append(joint_enabled, other.joint_enabled);
  append(joint_filters_parent, other.joint_filters_parent);
  append(joint_key, other.joint_key);
  append(joint_q, other.joint_q);
  joint_world.resize(joint_world.size() + other.joint_world.size(), current_world);
  for (auto member : {&ModelBuilder::joint_qd,
                      &ModelBuilder::joint_f,
                      &ModelBuilder::joint_target_pos,
                      &ModelBuilder::joint_target_vel,
                      &ModelBuilder::joint_target_ke,
                      &ModelBuilder::joint_target_kd,
                      &ModelBuilder::joint_limit_lower,
                      &ModelBuilder::joint_limit_upper,
                      &ModelBuilder::joint_limit_ke,
                      &ModelBuilder::joint_limit_kd,
                      &ModelBuilder::joint_armature,
                      &ModelBuilder::joint_damping,
                      &ModelBuilder::joint_friction,
                      &ModelBuilder::joint_effort_limit,
                      &ModelBuilder::joint_velocity_limit,
                      &ModelBuilder::shape_material_ke,
                      &ModelBuilder::shape_material_kd,
                      &ModelBuilder::shape_material_kf,
                      &ModelBuilder::shape_material_ka,
                      &ModelBuilder::shape_material_mu,
                      &ModelBuilder::shape_material_mu_torsional,
                      &ModelBuilder::shape_material_mu_rolling,
                      &ModelBuilder::shape_material_restitution,
                      &ModelBuilder::shape_margin,
                      &ModelBuilder::shape_gap})
    append(this->*member, other.*member);
  append(joint_target_mode, other.joint_target_mode);
  append(joint_axis, other.joint_axis);
  append(dof_native, other.dof_native);
  append_prefixed(dof_native_name, other.dof_native_name, prefix);

  append(shape_type, other.shape_type);
  append_shifted(shape_body, other.shape_body, bodies);
  append(shape_flags, other.shape_flags);
  append(shape_collision_group, other.shape_collision_group);
  append(shape_transform, other.shape_transform);
  append(shape_scale, other.shape_scale);
  append(shape_source, other.shape_source);
  append(shape_filters_parent, other.shape_filters_parent);
  append(shape_key, other.shape_key);
  append(shape_native, other.shape_native);
  append_prefixed(shape_native_name, other.shape_native_name, prefix);
  shape_world.resize(shape_world.size() + other.shape_world.size(), current_world);
  for (const auto& [a, b] : other.shape_collision_filter_pairs)
    shape_collision_filter_pairs.push_back({a + shapes, b + shapes});

  append_shifted(articulation_start, other.articulation_start, joints);
  append(articulation_key, other.articulation_key);
  articulation_world.resize(articulation_world.size() + other.articulation_world.size(), current_world);

  append_renamed(native.actuators, other.native.actuators, prefix);
  append_renamed(native.tendons, other.native.tendons, prefix);
  const size_t equalities = native.equalities.size();
  append_renamed(native.equalities, other.native.equalities, prefix);
  append_renamed(native.excludes, other.native.excludes, prefix);
  append_renamed(native.pairs, other.native.pairs, prefix);
  if (!native.option) native.option = other.native.option;

  // equalities with the world move with the builder
  for (size_t e = equalities; e < native.equalities.size(); ++e) move_world(X, native.equalities[e]);
  for (int s = shapes; s < shape_count(); ++s) {
    if (shape_body[s] < 0) shape_transform[s] = to_transform(X * to_pose(shape_transform[s]));
  }
  for (int j = joints; j < joint_count(); ++j) {
    if (joint_parent[j] >= 0) continue;
    if (joint_type[j] != JointKind::kFree) {
      joint_X_p[j] = to_transform(X * to_pose(joint_X_p[j]));
      continue;
    }
    Transform q;  // a free body's anchor stays at the world's origin
    std::copy_n(&joint_q[joint_q_start[j]], 7, q.begin());
    const Pose<double> X_WA = to_pose(joint_X_p[j]);
    q = to_transform(inverse(X_WA) * X * X_WA * to_pose(q));
    std::copy(q.begin(), q.end(), &joint_q[joint_q_start[j]]);
    for (double* v : {&joint_qd[joint_qd_start[j]], &joint_qd[joint_qd_start[j]] + 3}) store3(v, rotate(X.q, load3(v)));
  }
}

void ModelBuilder::add_world(const ModelBuilder& other, const Transform& xform) {
  add_shared_world(std::make_shared<const ModelBuilder>(other), xform);
}

void ModelBuilder::add_shared_world(const std::shared_ptr<const ModelBuilder>& other, const Transform& xform) {
  begin_world();
  world_source.back() = {other, xform, body_count(), joint_count(), shape_count()};
  try {
    add_builder(*other, xform);
  } catch (...) {
    end_world(), --world_count, world_gravity.pop_back(), world_source.pop_back();
    throw;
  }
  end_world();
}

// Worlds in a grid about the origin, as close to a square or cube as possible, in the directions with nonzero spacing.
void ModelBuilder::replicate(const ModelBuilder& other, int count, const Vector3& spacing) {
  if (count < 1) throw Error(fmt::format("cannot make {} copies", count));
  constexpr double kMaxElements = 1e7;  // limit against exhausting the memory
  const double elements = 1.0 + other.body_count() + other.joint_count() + other.shape_count();
  if (elements * count > kMaxElements)
    throw Error(fmt::format("{} copies of {} bodies, joints and shapes are more than {:.0f} in all", count,
                            elements - 1, kMaxElements));
  int directions = 0;
  for (const double each : spacing) directions += each != 0;
  const int side =
      directions == 0 ? 1 : static_cast<int>(std::ceil(std::pow(static_cast<double>(count), 1.0 / directions) - 1e-9));
  std::vector<Vector3> places(static_cast<size_t>(count), Vector3{0, 0, 0});
  Vector3 middle{0, 0, 0};
  for (int i = 0; i < count; ++i) {
    int rest = i;
    for (int axis = 0; axis < 3; ++axis) {
      if (spacing[axis] == 0) continue;
      places[i][axis] = spacing[axis] * (rest % side);
      rest /= side;
      middle[axis] += places[i][axis] / count;
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (up_vector()[axis] != 0) middle[axis] = 0;  // the grid is not centred vertically
  }
  const auto shared = std::make_shared<const ModelBuilder>(other);
  for (const Vector3& p : places) {
    const Vec3<double> offset = to_vec(p) - to_vec(middle);
    add_shared_world(shared, to_transform({offset, Quat<double>::identity()}));
  }
}

}  // namespace torsor::newton
