// What the narrow phase works on: shapes with their poses in, points of contact out.
#pragma once

#include "torsor/contact/kernels/hull.hpp"
#include "torsor/geometry/shapes.hpp"
#include "torsor/math/mat3.hpp"

namespace torsor {

// The triangles of a mesh and the tree over them, as mesh_tri* and mesh_tree* have them.
struct TriangleView {
  int count = 0;
  const float* vertex = nullptr;  // 3 numbers each
  const int* corner = nullptr;    // 3 vertices per triangle
  const int* neighbor = nullptr;  // 3 per triangle
  const int* link = nullptr;      // 2 per node
  const float* box = nullptr;     // 6 per node
  bool is_solid = false;
};

struct HeightFieldView {
  int rows, columns;
  const double* size;  // half x, half y, height of elevation 1, depth of the base
  const float* elevation;
};

// Shapes that everything else lies on, never they on each other.
TORSOR_HD inline bool is_ground(GeomType type) { return type == GeomType::kPlane || type == GeomType::kHfield; }

// G is the frame of the shape.
struct Shape {
  GeomType type;
  const double* size;  // as in geom_size
  Vec3<double> p_WoGo_W;
  const double* R_WG;                       // by rows
  const HullView* hull = nullptr;           // of a mesh
  const double* bounds = nullptr;           // of a mesh: the box around it in G, centre and half sizes
  const HeightFieldView* field = nullptr;   // of a height field
  const TriangleView* triangles = nullptr;  // of a mesh that collides as its triangles

  TORSOR_HD Vec3<double> axis(int i) const { return {R_WG[i], R_WG[3 + i], R_WG[6 + i]}; }
};

// A mesh without a hull: nothing collides with it.
TORSOR_HD inline bool has_no_hull(const Shape& shape) {
  return shape.type == GeomType::kMesh && (!shape.hull || shape.hull->count == 0);
}

struct ContactPoint {
  double dist;             // negative: penetration
  Vec3<double> pos_W;      // midway between the surfaces
  Vec3<double> normal_W;   // unit, from the first shape to the second
  Vec3<double> tangent_W;  // where the first tangent should point; zero: no wish
};

// No pair of shapes gives more points, but for height fields, which have a limit of their own.
inline constexpr int kMaxPoints = 8;
inline constexpr int kMaxFieldPoints = 50;

// Points not further apart than `margin`, at most kMaxPoints. The type of `a` is not larger than that of `b`.
using PairFunction = int (*)(const Shape& a, const Shape& b, double margin, ContactPoint* out);

}  // namespace torsor
