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
// Whether a range that is inherited was edited: that of the activation, if the actuator integrates its control.
bool has_own_range(const Edits& edits, int actuator, ActuatorDynamics dynamics);

// Pairs of geoms and equalities. update_constraints.cpp
void update_constraints(const Edits& edits, Spec& spec);
// The row of each pair of the Spec.
std::vector<int> find_pair_rows(const Spec& spec, const Model& model);

// Makes the masses of bodies explicit that were aligned with their inertia, if the Spec compiles to other ones now.
void keep_inertials(Spec& spec, const Origins& origins, const Model& now, const Model& model);

// Makes masses explicit that differ from what the Spec compiles to now. Corrections of masses are disabled if they
// would change them; with `is_stubborn`, bounds too. update_inertials.cpp
void update_inertials(Spec& spec, const Origins& origins, const Model& now, const Model& after, bool is_stubborn);

}  // namespace torsor
