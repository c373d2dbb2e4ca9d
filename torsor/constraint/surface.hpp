// Contacts with surface velocity or adhesion.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

void add_surface_velocity(const Model& model, Data& data);    // to efc_vel
void add_adhesion_reference(const Model& model, Data& data);  // to efc_aref

}  // namespace torsor
