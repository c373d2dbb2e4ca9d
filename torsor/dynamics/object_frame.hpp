// Frames of objects: bodies, geoms, sites and cameras.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// An object's body, origin and axes in W.
struct ObjectFrame {
  int body;
  const double* xpos;
  const double* xmat;
};

// Throws Error for objects that do not exist or have no frame.
ObjectFrame frame_of(const Model& model, const Data& data, ObjectType type, int id);

}  // namespace torsor
