// Builtin meshes that enclose a volume. Parameters are in range: builtin_mesh.cpp has checked them.
#pragma once

#include "torsor/geometry/mesh.hpp"

namespace torsor {

MeshData make_icosphere(int subdivision);
MeshData make_hemisphere(int resolution);
MeshData make_cone_points(int corners, double top_radius);  // no faces: its hull is the mesh
MeshData make_supersphere(int resolution, double e, double n);
MeshData make_supertorus(int resolution, double tube_radius, double s, double t);

}  // namespace torsor
