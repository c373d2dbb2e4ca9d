// Recomputes the derived values of a Model after the user has edited others.
#pragma once

#include "torsor/model/model.hpp"

namespace torsor {

// Recomputes flags, bounds of geoms, subtree masses, sameframe flags, the inverse weights and lengths of bodies and
// dofs, the poses of equalities that follow qpos0 and the reference poses of cameras and lights, all in qpos0. Throws
// Error if the inertial frame of a body that was compiled as simple is no longer its body frame, since the structure of
// M would be wrong.
void set_const(Model& model);

// The same for a new Model, where it also replaces what the author left to the compiler: damping ratios by dampings,
// open spring lengths of tendons, model.stat.
namespace compiler {
void set_const_and_settle(Model& model);
}

}  // namespace torsor
