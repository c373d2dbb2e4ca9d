// Reads a URDF file with its meshes, for callers that make something else than a Spec of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "torsor/format/urdf/options.hpp"
#include "torsor/format/urdf/robot.hpp"

namespace torsor::urdf {

struct LoadedRobot {
  Robot robot;                             // its links are a tree
  std::map<std::string, MeshSpec> meshes;  // by Shape::file, without scale; visuals that cannot be read have none
  std::vector<Diagnostic> warnings;
};

// A path, or URDF as a string, which may then not refer to files. Of the options, `packages` and `visuals` are used.
// Throws an Error that lists all problems.
LoadedRobot load_robot(const std::string& source, const UrdfOptions& options);

}  // namespace torsor::urdf
