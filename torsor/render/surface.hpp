// Surfaces that are drawn: triangles of points with normals, in the frame of their shape.
#pragma once

#include <array>
#include <vector>

#include "torsor/math/vec3.hpp"
#include "torsor/model/model.hpp"

namespace torsor::render {

using Vec3f = Vec3<float>;

// Triangles are counter-clockwise from outside.
struct Surface {
  std::vector<Vec3f> point, normal;
  std::vector<float> end;                  // +1 or -1: the end of a capsule that a point belongs to; else empty
  std::vector<std::array<float, 2>> uv;    // texture coordinates, v down; empty: they follow from x and y
  std::vector<std::array<int, 3>> corner;  // points of each triangle
  float radius = 0;                        // of a sphere around the origin that holds all points
};

// Shapes of unit size. A shape of size s is drawn by scaling: points p -> s p + end * (0, 0, half length), see
// draw_list.hpp. Round shapes have `slices` sides.
Surface make_sphere(int slices);
Surface make_capsule(int slices);
Surface make_cylinder(int slices);
Surface make_cone(int slices);
Surface make_box();
Surface make_square();  // in the plane z = 0, from -1 to 1

// The triangles of a mesh as graphics needs them: corners with a point, a normal and texture coordinates each.
Surface make_mesh(const Model& model, int mesh);
// The triangles of a skin with their texture coordinates; its points are set when it is posed.
Surface make_skin(const Model& model, int skin);
// Computes the radius from the points.
void set_radius(Surface& surface);
// The surface of a height field, with walls down to its base.
Surface make_height_field(const Model& model, int hfield);

}  // namespace torsor::render
