// Converts all forms of orientation in MJCF to unit quaternions.
#pragma once

#include <string>

#include "torsor/compile/draft.hpp"

namespace torsor::compiler {

// Conventions for angles.
struct AngleUnits {
  bool degree;
  const std::string& eulerseq;  // three letters: x y z rotate about moving axes, X Y Z about fixed ones

  double radians(double angle) const;
};

// Throws std::invalid_argument with a message without location, such as "zaxis is too short".
Rotation resolve_orientation(const OrientationSpec& orientation, const AngleUnits& units);

// The smallest rotation that takes the z axis to a direction; about x if the direction is -z.
Rotation turn_z_to(const Vec& direction);

}  // namespace torsor::compiler
