// Checks textures, which are for drawing: whoever draws finds files of sizes that fit.
#pragma once

#include "torsor/model/spec.hpp"

namespace torsor {

// Reports patterns without a size, and images that are missing, broken or do not fit the sides of a cube. Images are
// not decoded: their sizes are in their headers.
void check_texture(const Spec& spec, const TextureSpec& texture, Diagnostics& diagnostics);

}  // namespace torsor
