// Reads binary STL files. Text files are refused, as in MuJoCo.
#pragma once

#include <string_view>

#include "torsor/format/mesh/bytes.hpp"
#include "torsor/geometry/mesh.hpp"

namespace torsor {

// Vertices that are equal bit by bit become one, numbered as they first appear. At most 200,000 triangles.
MeshData read_stl(Bytes bytes, std::string_view file_name);

}  // namespace torsor
