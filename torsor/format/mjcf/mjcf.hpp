// Reads MJCF, the modelling language of MuJoCo, into a Spec, and writes a Spec as MJCF. Files whose root element is
// <robot> are URDF, and are read too.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "torsor/format/urdf/options.hpp"
#include "torsor/model/faults.hpp"
#include "torsor/model/spec.hpp"

namespace torsor {

struct ReadOptions {
  // Sections to leave out, with a warning: contact, equality, tendon, actuator, sensor, deformable, extension. Their
  // entries in default classes, and dependent parts of tuples and keyframes, are left out too. "all" leaves out every
  // unsupported element and what refers to it, and nothing else; a warning names each.
  std::vector<std::string> ignore;
  // Files by name, searched before the disk; may be null.
  std::shared_ptr<const FileSystem> files;
  // Folders that included files, assets and attached models may be read from, after symbolic links and `..` are
  // resolved. Without a list, a model that is opened by its path may read any file, as in MuJoCo, and one that is given
  // as a string none. Files in memory are always allowed.
  FolderList restrict {};
  // Limit in bytes for the model while it is read and compiled, and together with one Data.
  std::int64_t memory_limit = kDefaultMemoryLimit;
  // What URDF files leave open.
  UrdfOptions urdf{};
  // Values of the main default class before the file's own; without: MuJoCo's.
  std::optional<DefaultSpec> defaults{};
};

// Both throw an Error that lists all problems, each with file, line, column and a hint. Warnings are in the Spec. Files
// of meshes and height fields are not read: see load_assets().
Spec read_mjcf_file(const std::string& path, const ReadOptions& options = {});
Spec read_mjcf_string(const std::string& text, const ReadOptions& options = {});

// The same, but errors are added to the findings, and the Spec contains what could be read. Throw an Error if nothing
// could be read.
Spec read_mjcf_file(const std::string& path, const ReadOptions& options, Findings& findings);
Spec read_mjcf_string(const std::string& text, const ReadOptions& options, Findings& findings);

// Writes MJCF that compiles to the same Model: numbers to the bit, orientations and default classes as originally
// written, includes expanded, asset files by name. Asset paths in the string are relative to the folder of the original
// model; in a file, to where it is saved. Both throw an Error for a Spec that cannot be expressed in MJCF.
std::string write_mjcf_string(const Spec& spec);
void write_mjcf_file(const Spec& spec, const std::string& path);

}  // namespace torsor
