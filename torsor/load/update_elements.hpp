// Edits of the arrays of bodies, joints, geoms and so on, taken back into the elements of a Spec.
#pragma once

#include "torsor/model/model.hpp"
#include "torsor/model/spec.hpp"

namespace torsor {

// `before` is what the Spec compiles to, `after` the same with edits. Masses are left to update_spec().
void update_elements(Spec& spec, const Model& before, const Model& after);

}  // namespace torsor
