// Orders of the bodies, joints, dofs, coordinates and actuators of a Model, and the gathers between two orders.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "torsor/convention/order.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

// All bodies, the world first: indices are the model's ids.
Tree make_tree(const Model& model);

// Whether free joints are listed. Isaac Lab has no root joint among its joints.
enum class FreeJoints : char { kSkip, kList };
// Whether body 0 is listed. MuJoCo has it, Isaac Lab does not.
enum class WorldBody : char { kSkip, kList };

// Ids in an order. Bodies that are welded to their parents count as bodies: an importer that merges them has a
// shallower tree, whose breadth-first order may differ; use a list of names then.
//   list_joint_ids(model, JointOrder::kBreadthFirst) are the joints as Isaac Lab lists them
std::vector<int> list_body_ids(const Model& model, const Order& order, WorldBody world = WorldBody::kSkip);
std::vector<int> list_joint_ids(const Model& model, const Order& order, FreeJoints free_joints = FreeJoints::kSkip);

// Addresses in qvel and qpos, joint by joint in an order: isaac_joint_pos[i] = data.qpos[list_qpos(...)[i]].
std::vector<int> list_dofs(const Model& model, const Order& order, FreeJoints free_joints = FreeJoints::kSkip);
std::vector<int> list_qpos(const Model& model, const Order& order, FreeJoints free_joints = FreeJoints::kSkip);

// Actuators by the joints that they drive, given as one joint id per actuator.
std::vector<int> list_actuator_ids(const Model& model, std::span<const int> driven_joints, const Order& order,
                                   FreeJoints free_joints = FreeJoints::kSkip);

// Ids of joints by name; throws an Error that suggests the nearest name.
std::vector<int> find_joints(const Model& model, std::span<const std::string> names);

// The gather from order `source` to order `target`: out[i] = in[map[i]]. Values are those of the listed bodies, joints,
// dofs or coordinates, contiguous.
//   joint_permutation(model, JointOrder::kBreadthFirst, JointOrder::kDepthFirst).gather(isaac_lab, mujoco);
Permutation body_permutation(const Model& model, const Order& source, const Order& target,
                             WorldBody world = WorldBody::kSkip);
Permutation joint_permutation(const Model& model, const Order& source, const Order& target,
                              FreeJoints free_joints = FreeJoints::kSkip);
Permutation dof_permutation(const Model& model, const Order& source, const Order& target,
                            FreeJoints free_joints = FreeJoints::kSkip);
Permutation qpos_permutation(const Model& model, const Order& source, const Order& target,
                             FreeJoints free_joints = FreeJoints::kSkip);
Permutation actuator_permutation(const Model& model, std::span<const int> driven_joints, const Order& source,
                                 const Order& target, FreeJoints free_joints = FreeJoints::kSkip);

}  // namespace torsor
