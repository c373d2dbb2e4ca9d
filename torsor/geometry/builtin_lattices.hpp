// Builtin meshes on lattices of points, the shapes that MuJoCo's flexcomp has too. builtin_mesh.cpp has checked the
// parameters.
#pragma once

#include <array>

#include "torsor/geometry/mesh.hpp"

namespace torsor {

struct Lattice {
  std::array<int, 3> count;       // points along x, y, z
  std::array<double, 3> spacing;  // m
};

// All points of the lattice about the origin; no faces: the mesh is the hull.
MeshData make_grid_points(const Lattice& lattice);
// A lattice of one layer, with triangles.
MeshData make_square(const Lattice& lattice);
// The same, moved onto circles about the origin. The radii are the products of a point's own and of the half sizes, as
// in MuJoCo.
MeshData make_disc(const Lattice& lattice);

enum class LatticeShape { kBox, kCylinder, kEllipsoid };
// The surface of the lattice, moved onto a cylinder or an ellipsoid of the same size. Solid: the points with the
// centre, no faces. Open: without the top, with triangles.
MeshData make_solid_points(LatticeShape shape, const Lattice& lattice);
MeshData make_open_surface(LatticeShape shape, const Lattice& lattice);

}  // namespace torsor
