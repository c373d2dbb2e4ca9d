// Frames with a scale: what they hold is resized before anything else is compiled.
#pragma once

#include "torsor/compile/draft.hpp"

namespace torsor {

// A Spec without scales of frames that compiles to the same Model.
Spec bake_frame_scales(const Spec& spec);

namespace compiler {

bool has_scaled_frames(const Spec& spec);

// A copy of the Spec whose frames have no scale, with all that they hold and all that refers to it in its final size.
Spec apply_frame_scales(const Spec& spec, Diagnostics& diagnostics);

}  // namespace compiler
}  // namespace torsor
