// Speculative contacts: geoms that would pass through each other between two steps get a contact before they touch.
// [MuJoCo 4.0, "Speculative contacts"; Mirtich 1996 for conservative advancement]
//
// A pair is fast if a point of one of its geoms may move further in this step than the thinnest half size of the boxes
// around both. Fast pairs that have no contact are moved along their present velocities until they are nearly in
// contact, at the part t of the step. The contact is placed at their surfaces before the step, with a distance such
// that the solver takes 1 - t of the approaching velocity v: what is left, t v, ends at the surface. With b and k of
// the row, b0 = h b and k0 = h^2 k,
//     dist = margin - (1 - t - b0) / k0 h v        discrete: margin - (1 - t - t (b0 + k0)) / k0 h v
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// Adds them to data.contact, which stays sorted by pairs of bodies. Call after collide(). Reads geom_xpos, geom_xmat,
// cdof and qvel.
void add_speculative_contacts(const Model& model, Data& data);

}  // namespace torsor
