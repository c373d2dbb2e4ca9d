// Checks textures, which are not used by the engine, so that renderers find valid files.
#pragma once

#include "torsor/model/spec.hpp"

namespace torsor {

// Whether the pixels are part of a model. Plain images of files on the disk can be left to viewers.
bool is_embedded(const Spec& spec, const TextureSpec& texture);

// Reports patterns without a size, and images that are missing, broken or do not fit the sides of a cube. Images are
// not decoded: their sizes come from their headers.
void check_texture(const Spec& spec, const TextureSpec& texture, Diagnostics& diagnostics);

}  // namespace torsor
