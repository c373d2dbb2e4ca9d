// Mass properties of shapes in the frame of their system.
#include "torsor/bridge/shape_mass.hpp"

#include <fmt/format.h>

#include "torsor/core/error.hpp"

namespace torsor {
namespace {

GeomType geom_type_of(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::kSphere:
      return GeomType::kSphere;
    case ShapeKind::kBox:
      return GeomType::kBox;
    case ShapeKind::kCapsule:
      return GeomType::kCapsule;
    case ShapeKind::kCylinder:
      return GeomType::kCylinder;
    case ShapeKind::kCone:
      return GeomType::kCone;
    case ShapeKind::kEllipsoid:
      return GeomType::kEllipsoid;
    case ShapeKind::kPlane:
    case ShapeKind::kMesh:
      break;
  }
  throw Error(fmt::format("the mass of a {} is not determined by its size", to_string(kind)));
}

}  // namespace

ShapeMass shape_mass(const PlacedShape& placed) {
  const MassProperties of_C = solid_properties(geom_type_of(placed.shape.kind), placed.shape.size);
  return {of_C.mass, apply(placed.X_SC, of_C.p_SoScm_S), rotate_diagonal(to_mat(placed.X_SC.q), of_C.moments)};
}

}  // namespace torsor
