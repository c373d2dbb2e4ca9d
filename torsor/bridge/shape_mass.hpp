// Mass properties of a shape in any convention: combines the rows of convention/ with the formulas of geometry/.
#pragma once

#include "torsor/convention/shapes.hpp"
#include "torsor/geometry/shapes.hpp"
#include "torsor/math/mat3.hpp"

namespace torsor {

// A solid of unit density, in the frame S of the shape in its system.
struct ShapeMass {
  double volume = 0;
  Vec3<double> p_SoScm_S = Vec3<double>::zero();
  Sym3<double> I_SScm_S = Sym3<double>::zero();
};

// A cone's centre of mass is a quarter of its height above the base, (0, 0, -h / 2) for the half height h along z.
//   shape_mass({{ShapeKind::kCone, {1, 2, 0}}}).p_SoScm_S is 0 0 -1
// Throws for planes and meshes, whose mass is not determined by their size.
ShapeMass shape_mass(const PlacedShape& placed);

}  // namespace torsor
