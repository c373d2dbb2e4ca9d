// Reads binary STL files. Text files are rejected, as in MuJoCo.
#pragma once

#include <string_view>

#include "torsor/format/mesh/bytes.hpp"
#include "torsor/geometry/mesh.hpp"

namespace torsor {

// Vertices that are equal to the bit are merged, numbered in order of first appearance. At most 200,000 triangles.
MeshData read_stl(Bytes bytes, std::string_view file_name);

}  // namespace torsor
