// Checks what an author or a file gave as a mesh, before anything reads it by index.
#pragma once

#include "torsor/geometry/mesh.hpp"

namespace torsor {

// Throws an Error that names the mesh: sizes that do not fit, too few vertices, numbers that are not finite, indices
// that do not exist.
void check_mesh_input(const MeshInput& input);

}  // namespace torsor
