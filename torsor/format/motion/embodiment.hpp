// Robots whose names and orders of joints we know: tables between the orders of Isaac Lab and MuJoCo.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "torsor/convention/order.hpp"

namespace torsor {

struct Embodiment {
  std::string name;                          // "g1"
  std::string robot;                         // "Unitree G1, 29 joints"
  std::vector<std::string> mujoco_joints;    // depth first, as in MJCF
  std::vector<std::string> isaaclab_joints;  // breadth first, as in Isaac Lab
  std::string root;                          // body that the free joint moves
  std::vector<std::string> feet;             // bodies that stand on the ground

  // out[i] = in[map[i]]
  Permutation isaaclab_to_mujoco() const { return match_names(isaaclab_joints, mujoco_joints); }
  Permutation mujoco_to_isaaclab() const { return match_names(mujoco_joints, isaaclab_joints); }
};

std::vector<std::string> embodiment_names();
// Throws an Error that lists the known names.
Embodiment find_embodiment(std::string_view name);

}  // namespace torsor
