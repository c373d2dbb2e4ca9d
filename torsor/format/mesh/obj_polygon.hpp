// Triangulates the faces of OBJ files as MuJoCo does.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "torsor/math/vec3.hpp"

namespace torsor {

// Triangles as indices into `corners`. Of a polygon that touches or crosses itself, some may be missing, as in MuJoCo,
// and all of one with more than 100 corners: a face of n corners is whole if there are n - 2.
std::vector<std::array<int, 3>> triangulate_obj_face(std::span<const Vec3<double>> corners);

}  // namespace torsor
