// Directions in cells, and for each cell the corners of a hull that are furthest along some direction in it: whoever
// looks for the furthest corner looks at these few alone.
#pragma once

#include <vector>

#include "torsor/geometry/direction_cell.hpp"
#include "torsor/geometry/flat_side.hpp"

namespace torsor {

struct HullCells {
  std::vector<int> first;   // of each cell, its first corner in `corner`; one entry more than cells
  std::vector<int> corner;  // ascending in each cell, at least one
};

// Corners that are nearly furthest are listed too: neither rounding of heights nor of cells loses one. Empty for a hull
// whose lists would be long, or that has corners without edges.
HullCells list_cells(const HullCorners& hull, int cells);

// How many cells are worth it.
int choose_cells(int corners);

}  // namespace torsor
