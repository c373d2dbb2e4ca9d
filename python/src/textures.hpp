// What the textures of a model are made of, for those who draw it.
#pragma once

#include "objects.hpp"
#include "torsor/view/textures.hpp"

namespace torsor::python {

// A texture that cannot be read is a warning of whoever draws; a model file that is gone means no textures.
inline view::TextureSource textures_of(const ModelObject& model) {
  try {
    return model.textures ? model.textures() : view::TextureSource();
  } catch (const Error&) {
    return {};
  }
}

// tex_data and its like.
void bind_textures(nb::class_<ModelObject>& cls);

}  // namespace torsor::python
