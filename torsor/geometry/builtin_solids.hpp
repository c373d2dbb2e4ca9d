// Builtin meshes that enclose a volume. builtin_mesh.cpp has checked the parameters.
#pragma once

#include "torsor/geometry/mesh.hpp"

namespace torsor {

MeshData make_icosphere(int subdivision);
MeshData make_hemisphere(int resolution);
MeshData make_cone_points(int corners, double top_radius);  // no faces: the mesh is the hull
MeshData make_supersphere(int resolution, double e, double n);
MeshData make_supertorus(int resolution, double tube_radius, double s, double t);

}  // namespace torsor
