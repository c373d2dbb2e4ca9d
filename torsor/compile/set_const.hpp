// Refreshes what follows from other values of a Model, after the user has edited some of them.
#pragma once

#include "torsor/model/model.hpp"

namespace torsor {

// Recomputes flags, subtree masses, sameframe flags, the inverse weights and lengths of bodies and dofs, the reference
// poses of cameras and lights, and model.stat, all in qpos0. Throws Error when a body that was compiled as simple no
// longer has its inertial frame in its body frame, since the structure of M would be wrong.
void set_const(Model& model);

}  // namespace torsor
