// Reads MuJoCo's own binary mesh files: counts of vertices, normals, texcoords and triangles as int32, then the arrays
// as float32 and int32.
#pragma once

#include <string_view>

#include "torsor/format/mesh/bytes.hpp"
#include "torsor/geometry/mesh.hpp"

namespace torsor {

MeshData read_msh(Bytes bytes, std::string_view file_name);

}  // namespace torsor
