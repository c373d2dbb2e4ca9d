// Reads the files that a Spec mentions, so that compile() needs none.
#pragma once

#include "torsor/model/faults.hpp"
#include "torsor/model/spec.hpp"

namespace torsor {

// Decodes the files of meshes and height fields into the Spec's arrays. Each is looked for in Spec::files, then on
// disk: in the model's folder, below compiler.meshdir, then beside the file that the element was written in. Throws an
// Error that holds every missing or unreadable file, with the place of its element. Textures are
// checked, not decoded.
void load_assets(Spec& spec);

// The same for a caller that goes on to find more; elements that are known to be wrong are skipped.
void load_assets(Spec& spec, Findings& findings);

}  // namespace torsor
