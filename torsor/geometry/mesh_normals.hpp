// Vertex normals of a triangle mesh, for drawing.
#pragma once

#include <span>
#include <vector>

#include "torsor/math/vec3.hpp"

namespace torsor {

// One unit normal per vertex: the mean of its triangles' normals, weighted by area. Unless `smooth`, triangles that are
// turned far from that mean (its cosine below 0.8) are left out of it, so that sharp edges stay sharp. Tiny triangles
// do not count. (0, 0, 1) where nothing is left.
std::vector<Vec3<double>> compute_normals(std::span<const float> vertices, std::span<const int> faces, bool smooth);

// Unit length; (0, 0, 1) for a normal that has no direction.
Vec3<double> normal_direction(const Vec3<double>& normal);

}  // namespace torsor
