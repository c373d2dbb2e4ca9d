// Collision: from the frames of geoms to the list of contacts.
#pragma once

#include "torsor/contact/shape.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

// Fills data.contact, in this order: by pair of bodies (the smaller id first); in each, pairs that the model names
// (contact/pair) as it names them, then others by the ids of geom[0] and geom[1]; points of one pair as its function
// gives them. Reads geom_xpos and geom_xmat. Whatever does not fit in memory is left out and counted as a warning.
void collide(const Model& model, Data& data);

// What a Shape points to beside the model's own arrays.
struct ShapeParts {
  HullView hull;
  HeightFieldView field;
  TriangleView triangles;
};
// A geom where it is now. `parts` must outlive the shape.
Shape make_shape(const Model& model, const Data& data, int geom, ShapeParts& parts);
// The same at a given pose; R_WG is kept by address.
Shape make_shape(const Model& model, int geom, const double p_WoGo_W[3], const double* R_WG, ShapeParts& parts);

}  // namespace torsor
