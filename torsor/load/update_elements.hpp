// Transfers edits of the arrays of bodies, joints, geoms and so on to the elements of a Spec.
#pragma once

#include "torsor/compile/origins.hpp"
#include "torsor/load/update_edits.hpp"

namespace torsor {

// All but masses, which update_inertials() transfers.
void update_bodies(const Edits& edits, const Origins& origins, Spec& spec);
void update_assets(const Edits& edits, Spec& spec);
void update_custom(const Edits& edits, Spec& spec);

// Tendons, actuators and sensors. update_drives.cpp
void update_drives(const Edits& edits, Spec& spec);

// Makes masses explicit that differ from what the Spec compiles to now. Corrections of masses are disabled if they
// would change them; with `is_stubborn`, bounds too. update_inertials.cpp
void update_inertials(Spec& spec, const Origins& origins, const Model& now, const Model& after, bool is_stubborn);

}  // namespace torsor
