// Vertex normals of a triangle mesh, for rendering.
#pragma once

#include <span>
#include <vector>

#include "torsor/math/vec3.hpp"

namespace torsor {

// One unit normal per vertex: the mean of its triangles' normals, weighted by area. Unless `smooth`, triangles whose
// normal differs much from that mean (cosine below 0.8) are left out, so that sharp edges stay sharp. Tiny triangles do
// not count. (0, 0, 1) if nothing is left.
std::vector<Vec3<double>> compute_normals(std::span<const float> vertices, std::span<const int> faces, bool smooth);

// Unit length; (0, 0, 1) for a zero normal.
Vec3<double> normal_direction(const Vec3<double>& normal);

}  // namespace torsor
