// Primitive shapes fitted to a mesh: <geom type="capsule" mesh="..."/>.
#pragma once

#include <string_view>

#include "torsor/geometry/mesh.hpp"

namespace torsor {

struct FittedShape {
  Vec3<double> size;  // see GeomType; unused numbers are 0
  Pose<double> X_AS;  // the shape in the asset's frame, like X_AM for the mesh
};

// Fits to the box of equal inertia or, with `to_aabb` (the compiler option fitaabb), to the bounding box of the mesh.
// `scale` is the geom's fitscale. A fitted size may be 0 (a capsule around something wide); the caller checks sizes.
// Throws an Error for a shape that cannot be fitted.
FittedShape fit_primitive(const CompiledMesh& mesh, GeomType shape, bool to_aabb, double scale,
                          std::string_view mesh_name);

// Half lengths of the solid box that has these moments at this mass.
Vec3<double> equal_inertia_box(double mass, const Vec3<double>& moments);

}  // namespace torsor
