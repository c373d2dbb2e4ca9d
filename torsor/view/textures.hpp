// The pixels of a model's textures. The compiled Model has none (the engine does not need them): they are made from the
// Spec that the model was compiled from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "torsor/model/spec.hpp"

namespace torsor::view {

enum class TextureType { k2d, kCube, kSkybox };

struct TextureImage {
  TextureType type = TextureType::kCube;
  // Rows from the top. A cube or skybox has six squares one below the other: right, left, up, down, front, back.
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // 3 bytes per pixel
};

// A texture as MuJoCo keeps it in a compiled model.
struct TextureContents {
  int type = 1, colorspace = 0;  // 2d, cube, skybox; auto, linear, sRGB
  int width = 0, height = 0, channels = 3;
  bool is_embedded = true;          // false: a viewer reads the file
  std::string path;                 // of the file, if it is one
  std::vector<std::uint8_t> bytes;  // rows from the top; a cube made of one square is that square
};

// Everything of a Spec that its textures need: builtin patterns by their numbers, images by their files. Small, so that
// whoever shows a model can keep it.
class TextureSource {
 public:
  TextureSource() = default;
  explicit TextureSource(const Spec& spec);

  int count() const { return static_cast<int>(spec_.textures.size()); }
  // Draws the pattern or reads the image; one without width is a texture that this viewer cannot show (KTX). Throws an
  // Error for an image that is missing or damaged.
  TextureImage make(int texture) const;
  // Of one that is not embedded only what the model says of it, unless all are wanted.
  TextureContents contents(int texture, bool all = false) const;

 private:
  Spec spec_;  // without bodies and meshes
};

}  // namespace torsor::view
