// Cells of a height field's grid.
#pragma once

#include <cmath>

#include "torsor/math/config.hpp"

namespace torsor {

// Clamps a cell index, possibly outside the grid or NaN, to the cells that exist; there is at least one.
TORSOR_HD inline int existing_cell(double cell, int cells) {
  if (cell >= cells - 1) return cells - 1;
  return cell > 0 ? static_cast<int>(cell) : 0;  // NaN: the first
}

// The cell in which x lies, of a field from -half to half.
TORSOR_HD inline int cell_of(double x, double half, int cells) {
  return existing_cell(std::floor((x + half) / (2 * half) * cells), cells);
}

}  // namespace torsor
