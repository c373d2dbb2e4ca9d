// Turns imported files to the up axis of a builder.
#pragma once

#include <cmath>

#include "torsor/bridge/newton/types.hpp"

namespace torsor::newton {

// Rotates the axis `from` to the axis `to`.
inline Quat<double> turn_up(Axis from, Axis to) {
  if (from == to) return Quat<double>::identity();
  const auto unit = [](Axis axis) {
    return Vec3<double>{axis == Axis::kX ? 1.0 : 0, axis == Axis::kY ? 1.0 : 0, axis == Axis::kZ ? 1.0 : 0};
  };
  return from_axis_angle(cross(unit(from), unit(to)), M_PI / 2);
}

}  // namespace torsor::newton
