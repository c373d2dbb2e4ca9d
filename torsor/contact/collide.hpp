// Collision: from the frames of geoms to the list of contacts.
#pragma once

#include "torsor/contact/parameters.hpp"
#include "torsor/contact/shape.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

// Fills data.contact in this order: by pair of bodies (the smaller id first); within each, predefined pairs
// (contact/pair) in model order, then other pairs by the ids of geom[0] and geom[1]; the points of a pair as its
// function returns them. Reads geom_xpos and geom_xmat. Contacts that do not fit in memory are dropped, with a warning.
void collide(const Model& model, Data& data);

// What a Shape points to besides the arrays of the model.
struct ShapeParts {
  HullView hull;
  HeightFieldView field;
  TriangleView triangles;
};
// A geom in its current pose. `parts` must outlive the shape.
Shape make_shape(const Model& model, const Data& data, int geom, ShapeParts& parts);
// The same at a given pose; R_WG is kept by address.
Shape make_shape(const Model& model, int geom, const double p_WoGo_W[3], const double* R_WG, ShapeParts& parts);

// The hull of a mesh, empty if it has none.
HullView make_hull_view(const Model& model, int mesh);

}  // namespace torsor
