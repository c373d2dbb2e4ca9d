// Reads URDF, the robot description format of ROS, into a Spec. The functions that read MJCF call this for files whose
// root element is <robot>.
#pragma once

#include "torsor/format/mjcf/document.hpp"
#include "torsor/format/urdf/options.hpp"
#include "torsor/format/urdf/robot.hpp"

namespace torsor::urdf {

// Mistakes are added to the report; what URDF allows and the engine has no use for is a warning, once per kind.
Robot read_robot(const mjcf::Element& root, mjcf::Report& report);

// Adds the robot to a Spec that may have settings from the file's <mujoco> element. Links become bodies and keep their
// names; the joints of a planar joint are called j_TX, j_TY, j_RZ, those of a floating joint between moving links j_TX,
// j_TY, j_TZ, j_R; the free joint of a floating base is called floating_base_joint. Neighbours do not collide.
void add_robot(const Robot& robot, const UrdfOptions& options, Spec& spec, mjcf::Report& report);

// The path of a mesh: `package://name/path`, `file://path`, or relative to the folder of the model. Where nothing is
// found, the path that would have been taken, so that the error names it.
std::string find_mesh(const std::string& written, const UrdfOptions& options, const Spec& spec);

}  // namespace torsor::urdf
