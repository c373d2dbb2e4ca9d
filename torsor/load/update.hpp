// Transfers edits of a Model back to its Spec.
#pragma once

#include "torsor/load/load.hpp"

namespace torsor {

// What becomes of values that were not edited, if the compiler computes them from others that were: masses from sizes,
// spring lengths from sites, gains of servos from masses.
enum class Unedited {
  kKept,      // they stay as they are in the model
  kInferred,  // they are computed anew
};

// Changes the Spec that `model` was compiled from, so that it compiles to the model with its edits: masses, poses,
// sizes, joint and contact parameters, options, keyframes and so on. Elements that were not edited stay as written.
// Throws an Error that names the arrays whose edits a model file cannot express; the Spec is then unchanged.
void update_spec(Spec& spec, const Model& model, Unedited unedited = Unedited::kKept);

}  // namespace torsor
