// The tree of a Model in terms of convention/order.hpp.
#include "torsor/bridge/model_order.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace torsor {
namespace {

// The listed joints and their ids.
struct ListedJoints {
  TreeJoints joints;
  std::vector<int> ids;
};

ListedJoints make_joints(const Model& model, FreeJoints free_joints) {
  ListedJoints listed;
  for (int j = 0; j < model.njnt; ++j) {
    const bool is_free = static_cast<JointType>(model.jnt_type[j]) == JointType::kFree;
    if (is_free && free_joints == FreeJoints::kSkip) continue;
    listed.joints.names.emplace_back(model.name(ObjectType::kJoint, j));
    listed.joints.bodies.push_back(model.jnt_bodyid[j]);
    listed.ids.push_back(j);
  }
  return listed;
}

// An order by names needs a name for every joint; errors refer to the model's ids.
void check_named(const Order& order, const ListedJoints& listed) {
  if (!std::holds_alternative<std::vector<std::string>>(order)) return;
  for (size_t i = 0; i < listed.ids.size(); ++i) {
    if (listed.joints.names[i].empty())
      throw Error(fmt::format("joint {} has no name, and an order given by names needs one", listed.ids[i]));
  }
}

int dof_count(JointType type) { return type == JointType::kFree ? 6 : type == JointType::kBall ? 3 : 1; }
int qpos_count(JointType type) { return type == JointType::kFree ? 7 : type == JointType::kBall ? 4 : 1; }

std::vector<int> list_addresses(const Model& model, std::span<const int> joints, const Field<int>& addresses,
                                int (*count)(JointType)) {
  std::vector<int> listed;
  for (const int j : joints) {
    for (int k = 0; k < count(static_cast<JointType>(model.jnt_type[j])); ++k) listed.push_back(addresses[j] + k);
  }
  return listed;
}

}  // namespace

Tree make_tree(const Model& model) {
  Tree tree;
  for (int b = 0; b < model.nbody; ++b) {
    tree.names.emplace_back(model.name(ObjectType::kBody, b));
    tree.parents.push_back(b == 0 ? -1 : model.body_parentid[b]);
    const int first = model.body_jntnum[b] > 0 ? model.body_jntadr[b] : -1;
    tree.joints.emplace_back(first < 0 ? "" : model.name(ObjectType::kJoint, first));
    if (first >= 0 && static_cast<JointType>(model.jnt_type[first]) == JointType::kFree) tree.floating.push_back(b);
  }
  return tree;
}

std::vector<int> list_body_ids(const Model& model, const Order& order, WorldBody world) {
  const Tree tree = make_tree(model);
  if (world == WorldBody::kList) return list_bodies(tree, order);
  Order with_world = order;
  if (auto* names = std::get_if<std::vector<std::string>>(&with_world)) names->insert(names->begin(), tree.names[0]);
  std::vector<int> ids = list_bodies(tree, with_world);
  std::erase(ids, 0);
  return ids;
}

std::vector<int> list_joint_ids(const Model& model, const Order& order, FreeJoints free_joints) {
  const ListedJoints listed = make_joints(model, free_joints);
  check_named(order, listed);
  std::vector<int> ids = list_joints(make_tree(model), listed.joints, order);
  for (int& id : ids) id = listed.ids[static_cast<size_t>(id)];
  return ids;
}

std::vector<int> list_dofs(const Model& model, const Order& order, FreeJoints free_joints) {
  return list_addresses(model, list_joint_ids(model, order, free_joints), model.jnt_dofadr, &dof_count);
}

std::vector<int> list_qpos(const Model& model, const Order& order, FreeJoints free_joints) {
  return list_addresses(model, list_joint_ids(model, order, free_joints), model.jnt_qposadr, &qpos_count);
}

std::vector<int> list_actuator_ids(const Model& model, std::span<const int> driven_joints, const Order& order,
                                   FreeJoints free_joints) {
  const ListedJoints listed = make_joints(model, free_joints);
  check_named(order, listed);
  std::vector<int> driven;
  for (const int id : driven_joints) {
    if (id < 0 || id >= model.njnt)
      throw Error(fmt::format("actuator {} drives joint {}, but the model has {}", driven.size(), id, model.njnt));
    const auto found = std::lower_bound(listed.ids.begin(), listed.ids.end(), id);
    if (found == listed.ids.end() || *found != id)
      throw Error(
          fmt::format("actuator {} drives joint {}, a free joint, and those are not listed", driven.size(), id));
    driven.push_back(static_cast<int>(found - listed.ids.begin()));
  }
  return list_actuators(make_tree(model), listed.joints, driven, order);
}

std::vector<int> find_joints(const Model& model, std::span<const std::string> names) {
  std::vector<int> ids;
  for (const std::string& name : names) {
    ids.push_back(model.find(ObjectType::kJoint, name));
    if (ids.back() >= 0) continue;
    const std::string nearest = find_nearest(name, make_joints(model, FreeJoints::kList).joints.names);
    const std::string hint = nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
    throw Error(fmt::format("the model has no joint '{}'{}", name, hint));
  }
  return ids;
}

Permutation body_permutation(const Model& model, const Order& source, const Order& target, WorldBody world) {
  return gather_between(list_body_ids(model, source, world), list_body_ids(model, target, world));
}

Permutation joint_permutation(const Model& model, const Order& source, const Order& target, FreeJoints free_joints) {
  return gather_between(list_joint_ids(model, source, free_joints), list_joint_ids(model, target, free_joints));
}

Permutation dof_permutation(const Model& model, const Order& source, const Order& target, FreeJoints free_joints) {
  return gather_between(list_dofs(model, source, free_joints), list_dofs(model, target, free_joints));
}

Permutation qpos_permutation(const Model& model, const Order& source, const Order& target, FreeJoints free_joints) {
  return gather_between(list_qpos(model, source, free_joints), list_qpos(model, target, free_joints));
}

Permutation actuator_permutation(const Model& model, std::span<const int> driven_joints, const Order& source,
                                 const Order& target, FreeJoints free_joints) {
  return gather_between(list_actuator_ids(model, driven_joints, source, free_joints),
                        list_actuator_ids(model, driven_joints, target, free_joints));
}

}  // namespace torsor
