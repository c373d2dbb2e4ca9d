// SONIC's deployment clips: a folder of CSV files with joints in Isaac Lab's order and quaternions w x y z, 50 frames
// per second. Convention row: isaaclab2.
#pragma once

#include "torsor/format/motion/read.hpp"

namespace torsor {

inline constexpr double kDeploymentRate = 50;

MotionClip read_deployment(const std::string& path, const MotionReadOptions& options);
// The order of the joints is that of the clip. Velocities have a row per frame. The root is the only body.
void write_deployment(const std::string& path, const MotionClip& clip, const std::vector<double>& joint_vel,
                      const std::vector<double>& root_vel, const std::vector<double>& root_angvel);

// Throws an Error about a file.
[[noreturn]] void fail_motion(const std::string& path, const std::string& message, const std::string& hint = {});
// Whole files; errors name the path.
std::string read_motion_file(const std::string& path);
void write_motion_file(const std::string& path, const std::string& bytes);

}  // namespace torsor
