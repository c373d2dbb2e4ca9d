// Reads Wavefront OBJ files.
#pragma once

#include <string_view>

#include "torsor/format/mesh/bytes.hpp"
#include "torsor/geometry/mesh.hpp"

namespace torsor {

// All vertices, normals and texture coordinates of the file (their v counted from the top, as in MuJoCo), but the faces
// of its first object or group only. Faces with more than three corners are cut into triangles; materials, lines and
// curves are passed over.
MeshData read_obj(Bytes bytes, std::string_view file_name);

}  // namespace torsor
