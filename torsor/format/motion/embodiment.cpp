#include "torsor/format/motion/embodiment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "torsor/core/error.hpp"

namespace torsor {
namespace {

// MuJoCo's joint i is Isaac Lab's joint kG1IsaacLabToMujoco[i], as SONIC publishes it.
constexpr int kG1IsaacLabToMujoco[29] = {0,  3,  6,  9,  13, 17, 1,  4,  7,  10, 14, 18, 2,  5, 8,
                                         11, 15, 19, 21, 23, 25, 27, 12, 16, 20, 22, 24, 26, 28};

Embodiment make_g1() {
  Embodiment g1{"g1",     "Unitree G1 with 29 joints",
                {},       std::vector<std::string>(29),
                "pelvis", {"left_ankle_roll_link", "right_ankle_roll_link"}};
  const auto add = [&](const std::string& side, std::initializer_list<const char*> joints) {
    for (const char* joint : joints) g1.mujoco_joints.push_back(fmt::format("{}{}_joint", side, joint));
  };
  for (const char* side : {"left_", "right_"})
    add(side, {"hip_pitch", "hip_roll", "hip_yaw", "knee", "ankle_pitch", "ankle_roll"});
  add("", {"waist_yaw", "waist_roll", "waist_pitch"});
  for (const char* side : {"left_", "right_"})
    add(side, {"shoulder_pitch", "shoulder_roll", "shoulder_yaw", "elbow", "wrist_roll", "wrist_pitch", "wrist_yaw"});
  for (size_t i = 0; i < 29; ++i) g1.isaaclab_joints[size_t(kG1IsaacLabToMujoco[i])] = g1.mujoco_joints[i];
  return g1;
}

}  // namespace

std::vector<std::string> embodiment_names() { return {"g1"}; }

Embodiment find_embodiment(std::string_view name) {
  if (name == "g1") return make_g1();
  throw Error(
      fmt::format("no table for the robot '{}'; there is one for {}", name, fmt::join(embodiment_names(), ", ")));
}

}  // namespace torsor
