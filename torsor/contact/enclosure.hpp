// How far a convex shape juts out of another one.
#pragma once

#include "torsor/math/pose.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

// A bounded convex shape: the size of a primitive, or a mesh.
struct Solid {
  GeomType type;
  const double* size;
  int mesh;           // -1 for none
  Pose<double> X_SO;  // in the frame of the other shape
};

// The largest signed distance of points of `object` from the surface of `container`, which is in its own frame: how far
// the object juts out, or, negative, how much room it has.
double protrusion(const Model& model, const Solid& container, const Solid& object);

// The reading of the sensor `insidesite` with `enclosed`: the largest protrusion over all geoms or the one site.
double read_enclosure(const Model& model, const Data& data, int sensor);

}  // namespace torsor
