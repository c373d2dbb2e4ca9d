// Orientations in every way that an author may write them, as a unit quaternion.
#pragma once

#include <string>

#include "torsor/compile/draft.hpp"

namespace torsor::compiler {

// How angles are written.
struct AngleUnits {
  bool degree;
  const std::string& eulerseq;  // three letters: x y z turn about the moved axes, X Y Z about the fixed ones

  double radians(double angle) const;
};

// Throws std::invalid_argument with a message without location, such as "zaxis is too short".
Rotation resolve_orientation(const OrientationSpec& orientation, const AngleUnits& units);

// The smallest turn that takes the z axis to a direction; about x when the direction is -z.
Rotation turn_z_to(const Vec& direction);

}  // namespace torsor::compiler
