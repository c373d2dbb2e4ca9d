// Cells of directions.
#pragma once

#include "torsor/math/config.hpp"

namespace torsor {

// A cube around the origin: `cells` x `cells` of them on each of its six sides.
TORSOR_INLINE constexpr int count_cells(int cells) { return 6 * cells * cells; }

// The cell of a direction of any length; some cell for numbers that are none. Without branches: nobody can foresee
// where a direction points.
TORSOR_INLINE int cell_of_direction(const double* d, int cells) {
  const double x = d[0] < 0 ? -d[0] : d[0], y = d[1] < 0 ? -d[1] : d[1], z = d[2] < 0 ? -d[2] : d[2];
  const double of_two = x > y ? x : y, most = of_two > z ? of_two : z;
  const int not_x = x < most, axis = not_x + (not_x & (y < most));
  const double half = 0.5 * cells, last = cells - 1, scale = half / most;
  const auto cell = [=](double along) {
    double at = along * scale + half;
    at = at < last ? at : last;  // `last` where it is no number
    return static_cast<int>(at > 0 ? at : 0);
  };
  const int side = 2 * axis + (d[axis] < 0);
  return (side * cells + cell(d[axis == 0])) * cells + cell(d[2 - (axis == 2)]);
}

}  // namespace torsor
