// Triangulates polygons.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "torsor/math/vec3.hpp"

namespace torsor {

// Triangles of a simple polygon, convex or not, as indices into `corners`. Ears are cut off beginning at corner 0, so a
// convex polygon becomes a fan. If no ear is left (the polygon crosses itself), the rest becomes a fan too.
std::vector<std::array<int, 3>> triangulate_polygon(std::span<const Vec3<double>> corners);

}  // namespace torsor
