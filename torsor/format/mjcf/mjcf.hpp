// Reads MJCF, the modelling language of MuJoCo, into a Spec, and writes a Spec as MJCF.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "torsor/model/faults.hpp"
#include "torsor/model/spec.hpp"

namespace torsor {

struct ReadOptions {
  // Sections to leave out, with a warning: contact, equality, tendon, actuator, sensor, deformable, extension. With
  // them go their entries in default classes, and what depends on them in tuples and keyframes. "all" leaves out every
  // element that is not supported, with what refers to it, and nothing else; a warning names each.
  std::vector<std::string> ignore;
  // Files by name, searched before the disk; may be null.
  std::shared_ptr<const FileSystem> files;
  // Folders that included files, assets and attached models may be read from, after symbolic links and `..` are
  // resolved. Without a list, a model that is opened by its path may read any file, as in MuJoCo, and one that is given
  // as a string none. Files in memory are always allowed.
  FolderList restrict {};
  // How many bytes the model may take while it is read and compiled, and with one Data.
  std::int64_t memory_limit = kDefaultMemoryLimit;
};

// Both throw an Error that holds everything found wrong, each with file, line, column and a hint. Warnings are in the
// Spec. Files of meshes and height fields are not read: see load_assets().
Spec read_mjcf_file(const std::string& path, const ReadOptions& options = {});
Spec read_mjcf_string(const std::string& text, const ReadOptions& options = {});

// The same for a caller that goes on to find more: what is wrong is added to the findings, and the Spec is what could
// be read. Throw an Error where nothing could.
Spec read_mjcf_file(const std::string& path, const ReadOptions& options, Findings& findings);
Spec read_mjcf_string(const std::string& text, const ReadOptions& options, Findings& findings);

// The model that compiles to the same Model: numbers to the bit, orientations and default classes as they were written,
// includes in their places, files of assets by name. The string is for the folder of the model that was read; a file
// may be elsewhere, and names the folders of the assets from there. Both throw an Error for a Spec that no file gives.
std::string write_mjcf_string(const Spec& spec);
void write_mjcf_file(const Spec& spec, const std::string& path);

}  // namespace torsor
