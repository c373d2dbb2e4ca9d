// Reads the triangles of Collada files (.dae), which URDF robots often have for their looks.
#pragma once

#include <string_view>

#include "torsor/format/mesh/bytes.hpp"
#include "torsor/geometry/mesh.hpp"

namespace torsor {

// All geometry of the file's scene in one mesh: triangles, polygons, fans and strips, placed by their nodes, in metres
// (the file's unit is applied). Axes are as written: up_axis is not applied, as in RViz and Pinocchio. Materials,
// normals and texture coordinates are not read. Skins are in their bind shape. Throws an Error that names the file.
MeshData read_dae(Bytes bytes, std::string_view file_name);

}  // namespace torsor
