// Builtin meshes of sensor cells: a point per cell, with three normals each (out, and the two directions of the grid).
// Parameters are in range: builtin_mesh.cpp has checked them.
#pragma once

#include <array>

#include "torsor/geometry/mesh.hpp"

namespace torsor {

// resolution and field of view (degrees from the middle) along phi, about y, and theta, towards y; gamma draws cells
// towards the middle. No faces: the hull is the mesh.
MeshData make_wedge_points(const std::array<int, 2>& resolution, const std::array<double, 2>& fov, double gamma);
MeshData make_plate(int resolution_x, int resolution_y);

}  // namespace torsor
