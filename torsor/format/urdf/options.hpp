// What a URDF file leaves open, and its reader must be told.
#pragma once

#include <string>
#include <vector>

namespace torsor {

// Whether the root link is fixed to the world or free to move. A file whose root link is called `world` says so itself.
enum class UrdfBase { kNotGiven, kFixed, kFloating };

struct UrdfOptions {
  UrdfBase base = UrdfBase::kNotGiven;  // an error unless it is given or the root link is the world
  // Where `package://name/...` is looked for: folders with packages in them, or packages themselves. Then the folders
  // above the file are tried.
  std::vector<std::string> packages;
  // Merges links that are fixed to their parents into them. Off: every link stays a body.
  bool merge_fixed = false;
  bool visuals = true;  // geoms that are for looking at only
};

}  // namespace torsor
