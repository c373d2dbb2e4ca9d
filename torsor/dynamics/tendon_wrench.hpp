// Forces of spatial tendons on bodies, for the sensors of forces between bodies.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

bool has_spatial_tendon(const Model& model);

// cfrc_ext += the pulls of springs, dampers, armature, actuators and constraint rows of spatial tendons. Needs qacc and
// the forces of the rows.
void add_tendon_wrenches(const Model& model, Data& data);

// J-dot v: the acceleration of a tendon's length by the present velocities alone.
double tendon_length_product(const Model& model, const Data& data, int tendon);

}  // namespace torsor
