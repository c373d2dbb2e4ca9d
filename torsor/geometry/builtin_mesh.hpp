// Meshes that the compiler makes from a few parameters: <mesh builtin="sphere" params="3"/>.
#pragma once

#include <span>
#include <string_view>

#include "torsor/geometry/mesh.hpp"

namespace torsor {

struct BuiltinMesh {
  MeshData data;
  bool is_shell = false;    // its inertia mode is always kShell
  bool is_surface = false;  // has no volume: kLegacy means kShell
};

// Kinds and their parameters:
//   sphere       subdivision (0 to 4): an icosahedron on the unit sphere whose triangles are quartered this many times
//   hemisphere   resolution (0 to 10): the upper half of the unit sphere, from a subdivided octahedron, and its base
//   cone         nvert, radius: regular polygons at z = -1 (radius 1) and z = 1; radius 0 is an apex
//   supersphere  resolution, e, n: superellipsoid with exponents e (around z) and n (towards the poles)
//   supertorus   resolution, radius, s, t: around z, radius 1; exponents s of the tube and t of the ring
//   wedge        res_phi, res_theta, fov_phi, fov_theta (degrees), gamma: a patch of the unit sphere about -z
//   plate        res_x, res_y: a square of points at z = -1
//   grid, box, cylinder, ellipsoid  count[3], spacing[3], dim: lattices of points, solid (dim 3, also without it) or a
//                surface without its top (dim 2)
//   square, disc count[3], spacing[3]: lattices of one layer
// Throws an Error that names the mesh for an unknown kind, or parameters out of range.
BuiltinMesh make_builtin_mesh(std::string_view kind, std::span<const double> params, std::string_view mesh_name);

}  // namespace torsor
