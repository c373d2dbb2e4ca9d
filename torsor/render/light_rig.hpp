// Lights, shadows and sky of a scene, ready for shading.
#pragma once

#include "torsor/render/shade.hpp"

namespace torsor::render {

// `sky` is the texture of the sky, null for none. In a studio, a model without lights or sky gets some.
LitScene make_lit_scene(const Model& model, const DrawList& list, bool with_shadows, bool is_studio, const Texture* sky,
                        const Screen& screen, const ScreenTriangles& triangles, const std::vector<Drawn>& drawn,
                        const TextureList& textures);

}  // namespace torsor::render
