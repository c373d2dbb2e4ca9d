// The flat side of a hull that one of its triangles lies in: the corners of a polygon, in order.
#pragma once

#include "torsor/math/vec3.hpp"

namespace torsor {

// Corners and triangles of a hull, 3 numbers each. Neighbours of corner i are edge[edge_address[i]] and on; `edge` may
// be null: then all corners are looked at.
struct HullCorners {
  int count;
  const float* corner;
  const int *edge_address, *edge_count, *edge;
  const int* face;
};

// A polygon of more corners has some of them, all around.
inline constexpr int kSideCorners = 24;

struct FlatSide {
  int count = 0;  // of corners; fewer than 3 where the triangle has no area
  int corner[kSideCorners];
};

// The normal of a triangle, as long as twice its area.
TORSOR_HD inline Vec3<double> triangle_normal(const HullCorners& hull, int face) {
  const auto corner = [&](int c) { return load3<double>(hull.corner + 3 * hull.face[3 * face + c]); };
  const Vec3<double> a = corner(0);
  return cross(corner(1) - a, corner(2) - a);
}

// All corners in the plane of the triangle, counter-clockwise seen from outside.
FlatSide find_flat_side(const HullCorners& hull, int face);

}  // namespace torsor
