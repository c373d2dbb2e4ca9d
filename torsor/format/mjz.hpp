// MJZ, MuJoCo's archives: a ZIP file with a model and all files that it refers to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "torsor/model/spec.hpp"

namespace torsor {

struct MjzArchive {
  FileSystem files;   // by names that begin with the path of the archive, for messages
  std::string model;  // the one of them that is the model
};

// Throws an Error for damaged archives, members outside the archive, and more than `most_bytes` of members. The model
// is `model.xml`, `STEM.xml`, `STEM/STEM.xml`, `STEM/model.xml` where STEM is that of the path, or else the only XML
// file.
MjzArchive read_mjz(std::string_view bytes, const std::string& path, std::int64_t most_bytes = kDefaultMemoryLimit);

// The model as model.xml, with the files of its meshes, height fields and textures in the folder `assets`. Throws an
// Error for a file that cannot be read.
std::string write_mjz(const Spec& spec);

// Collects the files of the model's assets under names in `folder`, and makes the Spec refer to these, in memory.
FileSystem pack_assets(Spec& spec, const std::string& folder);

// Puts meshes in Collada files, which MuJoCo does not read, into the model itself.
void inline_collada(Spec& spec);

}  // namespace torsor
