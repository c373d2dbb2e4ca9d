// Parameters of the ellipsoid fluid model of a geom.
#pragma once

#include "torsor/compile/draft.hpp"

namespace torsor::compiler {

// 1, the five coefficients of fluidcoef, then virtual masses and virtual moments along the axes of the ellipsoid that
// approximates the geom, both per unit density of the medium.
std::array<double, 12> fluid_parameters(GeomType type, const Number5& coefficients, const Vec& size);

}  // namespace torsor::compiler
