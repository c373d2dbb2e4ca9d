// The surface velocity (conveyor belts) of contacts, from that of their geoms.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

void set_surface_velocities(const Model& model, Data& data);  // contact.surfacevel, if some geom has one

}  // namespace torsor
