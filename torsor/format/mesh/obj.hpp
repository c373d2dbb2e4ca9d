// Reads Wavefront OBJ files.
#pragma once

#include <string_view>

#include "torsor/format/mesh/bytes.hpp"
#include "torsor/geometry/mesh.hpp"

namespace torsor {

// All vertices, normals and texture coordinates of the file (with v from the top, as in MuJoCo), but only the faces of
// its first object or group. Faces with more than three corners are triangulated; materials, lines and curves are
// skipped. `cut_faces`, if not null, receives how many faces are not whole (see triangulate_obj_face).
MeshData read_obj(Bytes bytes, std::string_view file_name, int* cut_faces = nullptr);

}  // namespace torsor
