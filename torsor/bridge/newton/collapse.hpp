// What collapse_fixed_joints() does about elements that name bodies.
#pragma once

#include <vector>

#include "torsor/bridge/newton/builder.hpp"

namespace torsor::newton {

// Adhesion acts on all contacts of a body: bodies that an actuator names keep their fixed joints, and those of their
// children, so that it does not spread to other shapes.
void keep_adhesion(const ModelBuilder& builder, std::vector<bool>& joint_goes);

}  // namespace torsor::newton
