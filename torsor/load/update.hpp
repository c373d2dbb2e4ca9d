// Takes edits of a Model back into its Spec.
#pragma once

#include "torsor/load/load.hpp"

namespace torsor {

// Changes the Spec that `model` was compiled from, so that it compiles to the model with its edited numbers: masses,
// poses, sizes, joint and contact parameters, options, keyframes and so on. Elements that were not edited stay as they
// are written. Throws an Error that names the arrays whose edits no model file can hold, and leaves the Spec alone
// then.
void update_spec(Spec& spec, const Model& model);

}  // namespace torsor
