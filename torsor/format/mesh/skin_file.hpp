// SKN files: a skin with its bones, as MuJoCo reads them.
#pragma once

#include <string>

#include "torsor/format/mesh/bytes.hpp"
#include "torsor/model/spec.hpp"

namespace torsor {

// Fills vertices, triangles and bones. Throws an Error that names the file.
void read_skin_file(Bytes bytes, const std::string& name, SkinSpec& skin);

}  // namespace torsor
