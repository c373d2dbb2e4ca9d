// Operations that change a whole Spec, under the names of MuJoCo's mjs_fuseStatic and so on.
#pragma once

#include "torsor/model/spec.hpp"

namespace torsor {

// Each of these compiles a copy where it needs masses, and throws an Error, with the Spec unchanged, if that fails.

// Turns bodies without joints into frames of their parents, which take over their masses: the bodies that the compiler
// fuses with `fusestatic`. Returns how many. A new frame has the location of its body.
int fuse_static(Spec& spec);

// Deletes materials, textures, geoms that do not collide, and meshes that are then not used, unless something refers to
// them by name; masses stay. Returns how many.
int discard_visual(Spec& spec);

// Merges equal textures, and equal meshes, into the first of them. Returns how many were deleted.
int dedup_assets(Spec& spec);

// Makes the inertia that a body has from its geoms an explicit one. Does nothing if it is explicit.
void adopt_inertial(Spec& spec, int body);

}  // namespace torsor
