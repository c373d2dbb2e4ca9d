// Height fields: a grid of elevations over a rectangle, and the box and sphere around it.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "torsor/geometry/shapes.hpp"

namespace torsor {

// Elevations row by row; row 0 is at the lowest y, column 0 at the lowest x.
struct ElevationGrid {
  int rows = 0, columns = 0;
  std::vector<float> elevations;
};

// half x, half y, height of elevation 1, depth of the base under elevation 0
using HfieldSize = std::array<double, 4>;

// Converts between the order of files and images (the highest y first) and that of ElevationGrid.
void flip_rows(int rows, int columns, std::vector<float>& elevations);

// Checks a grid and its size, uses zeros if there are no elevations, and scales elevations to [0, 1], or to 0 if all
// are the same. Throws an Error that names the height field.
void prepare_hfield(ElevationGrid& grid, const HfieldSize& size, std::string_view name);

// geom_size, geom_aabb and geom_rbound of a height field. They depend only on its size, so elevations may change during
// a simulation.
Vec3<double> hfield_extent(const HfieldSize& size);
Aabb bounding_box(const HfieldSize& size);
double bounding_radius(const HfieldSize& size);

}  // namespace torsor
