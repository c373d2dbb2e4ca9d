// Reads the files that a Spec refers to, so that compile() needs no files.
#pragma once

#include "torsor/model/faults.hpp"
#include "torsor/model/spec.hpp"

namespace torsor {

// Decodes the files of meshes and height fields into the Spec's arrays. Each is looked for in Spec::files, then on
// disk: in the model's folder, below compiler.meshdir, then next to the file that contains the element. Throws an Error
// that lists every missing or unreadable file, with the location of its element. Textures are checked, not decoded.
void load_assets(Spec& spec);

// Adds errors to the findings instead of throwing; elements already known to be wrong are skipped.
void load_assets(Spec& spec, Findings& findings);

}  // namespace torsor
