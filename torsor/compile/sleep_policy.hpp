// Sleep policies that the author of a model leaves open.
#pragma once

#include "torsor/model/model.hpp"

namespace torsor::compiler {

// Trees that actuators drive, or tendons with stiffness or damping couple to others, stay awake; others may sleep.
void refresh_sleep_policies(Model& model);

}  // namespace torsor::compiler
