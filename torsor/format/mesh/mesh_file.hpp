// Reads a mesh file from its bytes, choosing the reader by the file's name.
#pragma once

#include <string>
#include <string_view>

#include "torsor/format/mesh/bytes.hpp"
#include "torsor/geometry/mesh.hpp"

namespace torsor {

// By extension (obj, stl, msh, dae, ignoring case); the media type content_type, such as "model/stl", is used only if
// the extension is unknown. Throws an Error that names the file. `cut_faces`, if not null, receives how many faces of
// an OBJ file are not whole (see triangulate_obj_face).
MeshData read_mesh_file(Bytes bytes, std::string_view file_name, std::string_view content_type = {},
                        int* cut_faces = nullptr);

// Whether there is a reader for files of this name.
bool is_mesh_file(std::string_view file_name);

// "stl" for "parts/Arm.STL"; "" for a name without an extension
std::string file_extension(std::string_view file_name);

}  // namespace torsor
