// Checks the data of a mesh before anything is read by index.
#pragma once

#include "torsor/geometry/mesh.hpp"

namespace torsor {

// Throws an Error that names the mesh for inconsistent sizes, too few vertices, numbers that are not finite, and
// indices that do not exist.
void check_mesh_input(const MeshInput& input);

}  // namespace torsor
