// Two surfaces of triangles.
#pragma once

#include "torsor/contact/shape.hpp"

namespace torsor {

// Two meshes that collide as triangles; `sign` times the normals from a to b.
int mesh_mesh(const Shape& a, const Shape& b, double margin, double sign, ContactPoint* out);

// A height field and a mesh that collides as triangles.
int field_mesh(const Shape& field, const Shape& mesh, double margin, ContactPoint* out);

}  // namespace torsor
