// Builtin meshes of sensor cells: a point per cell, with three normals each (out, and the two directions of the grid).
// builtin_mesh.cpp has checked the parameters.
#pragma once

#include <array>

#include "torsor/geometry/mesh.hpp"

namespace torsor {

// resolution and field of view (degrees from the middle) along phi, about y, and theta, towards y; gamma moves cells
// towards the middle. No faces: the mesh is the hull.
MeshData make_wedge_points(const std::array<int, 2>& resolution, const std::array<double, 2>& fov, double gamma);
MeshData make_plate(int resolution_x, int resolution_y);

}  // namespace torsor
