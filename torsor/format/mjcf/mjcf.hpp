// Reads MJCF, the modelling language of MuJoCo, into a Spec, and writes a Spec as MJCF.
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

// The model that compiles to the same Model: numbers to the bit, orientations and default classes as they were written,
// includes in their places, files of assets by name. The string is for the folder of the model that was read; a file
// may be elsewhere, and names the folders of the assets from there. Both throw an Error for a Spec that no file gives.
std::string write_mjcf_string(const Spec& spec);
void write_mjcf_file(const Spec& spec, const std::string& path);

}  // namespace torsor
