// Clips for the tests of motion files, and the text of an error.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/support/property.hpp"
#include "torsor/core/error.hpp"
#include "torsor/format/motion/read.hpp"

namespace torsor {

template <class F>
std::string motion_error(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// A figure with a waist and two arms: bodies, joints and offsets; every number random.
inline MotionClip random_clip(Random& random, int frames = 5, bool slides = false) {
  MotionClip clip;
  clip.name = "random", clip.fps = random.integer(1, 240);
  clip.joint_names = {"waist_yaw_joint", "left_elbow_joint", "right_elbow_joint", "left_wrist_roll_joint",
                      "right_wrist_roll_joint"};
  clip.dofs = 5;
  const auto vec = [&] { return Vec3<double>{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; };
  const auto quat = [&] { return quat_from_rotation_vector(vec() * 2.5); };
  const std::pair<const char*, int> tree[] = {{"pelvis", -1},   {"torso", 0},     {"left_arm", 1},
                                              {"left_hand", 2}, {"right_arm", 1}, {"right_hand", 4}};
  for (const auto& [name, parent] : tree) clip.bodies.push_back({name, parent, vec(), Quat<double>::identity()});
  clip.ends = {{3, vec()}, {5, vec()}};
  set_frames(clip, frames);
  for (double& number : clip.root_pos) number = random.uniform(-3, 3);
  for (double& number : clip.dof) number = random.uniform(-1.5, 1.5);
  for (size_t i = 0; i < clip.body_quat.size(); i += 4) store4(&clip.body_quat[i], quat());
  for (int f = 0; f < frames; ++f) store4(&clip.root_quat[size_t(f) * 4], clip.rotation(f, 0));
  if (slides) {
    for (size_t i = 0; i < size_t(frames) * clip.bodies.size() * 3; ++i) clip.body_pos.push_back(random.uniform(-1, 1));
    for (int f = 0; f < frames; ++f) {  // of the root it is the root's position in BVH
      for (size_t k = 0; k < 3; ++k) clip.body_pos[size_t(f) * clip.bodies.size() * 3 + k] = 0;
    }
  }
  return clip;
}

inline MotionClip without_joints(MotionClip clip) {
  clip.joint_names.clear(), clip.dof.clear(), clip.dofs = 0;
  return clip;
}

}  // namespace torsor
