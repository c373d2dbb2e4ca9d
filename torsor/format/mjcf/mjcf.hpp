// Reads MJCF, the modelling language of MuJoCo, into a Spec.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "torsor/model/spec.hpp"

namespace torsor {

struct ReadOptions {
  // Sections that are not supported yet and shall be left out, with a warning: contact, equality, tendon, actuator,
  // sensor, deformable, extension. With them go their entries in default classes, and what depends on them in tuples
  // and keyframes.
  std::vector<std::string> ignore;
  // Files by name, searched before the disk; may be null.
  std::shared_ptr<const FileSystem> files;
};

// Both throw an Error that holds everything found wrong, each with file, line, column and a hint. Warnings are in the
// Spec. Files of meshes and height fields are not read: see load_assets().
Spec read_mjcf_file(const std::string& path, const ReadOptions& options = {});
Spec read_mjcf_string(const std::string& text, const ReadOptions& options = {});

}  // namespace torsor
