// Cuts polygons into triangles.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "torsor/math/vec3.hpp"

namespace torsor {

// Triangles of a simple polygon, convex or not, as indices into `corners`: ears are cut off, beginning at corner 0, so
// that a convex polygon becomes a fan. Corners that allow no ear (a polygon that crosses itself) end in a fan too.
std::vector<std::array<int, 3>> triangulate_polygon(std::span<const Vec3<double>> corners);

}  // namespace torsor
