// Mass properties of a triangle mesh.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "torsor/geometry/mesh.hpp"
#include "torsor/math/mat3.hpp"

namespace torsor {

// At unit density, along the axes A that the vertices are given in.
struct MeshMass {
  double volume;  // area for kShell
  Vec3<double> p_AoMo_A;
  Sym3<double> I_Mo_A;
};

// The mesh is the union of pyramids from each triangle to one point; [O'Rourke 1998, section 1.3.8]. Throws an Error
// that names the mesh if it is too small, inside out, or (kExact) not consistently oriented.
MeshMass compute_mesh_mass(std::span<const Vec3<double>> vertices, std::span<const int> faces, MeshInertia mode,
                           std::string_view mesh_name);

}  // namespace torsor
