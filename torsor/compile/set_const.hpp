// Recomputes the derived values of a Model after the user has edited others.
#pragma once

#include "torsor/model/model.hpp"

namespace torsor {

// Recomputes flags, subtree masses, sameframe flags, the inverse weights and lengths of bodies and dofs, the reference
// poses of cameras and lights, and model.stat, all in qpos0. Throws Error if the inertial frame of a body that was
// compiled as simple is no longer its body frame, since the structure of M would be wrong.
void set_const(Model& model);

}  // namespace torsor
