// Textures that can be sampled at any size: each has smaller and smaller copies of itself.
#pragma once

#include <cstdint>
#include <vector>

#include "torsor/render/surface.hpp"
#include "torsor/view/textures.hpp"

namespace torsor::render {

struct Colour {
  float r = 0, g = 0, b = 0;
};

// 0 to 1; 0 for what is not a number.
inline float saturated(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }

class Texture {
 public:
  explicit Texture(const view::TextureImage& image);

  bool is_flat() const { return type_ == view::TextureType::k2d; }
  bool is_sky() const { return type_ == view::TextureType::kSkybox; }
  // The colour of a flat texture at (u, v), which repeats; v runs down. The two pairs are how u and v change from one
  // pixel of the picture to the next, to the right and down.
  Colour sample(float u, float v, const float (&right)[2], const float (&down)[2]) const;
  // The colour of a cube seen from its middle: x right, y up, front towards +z.
  Colour sample(const Vec3f& direction) const;

 private:
  // One face at one size; sides of flat textures repeat.
  struct Level {
    int width, height;
    std::vector<std::uint32_t> pixel;  // red in the lowest byte
    std::uint32_t at(float column, float row, bool repeats) const;
  };
  void add_levels(std::vector<Level>& levels, Level first);

  view::TextureType type_;
  std::vector<std::vector<Level>> faces_;  // of each, the largest level first
};

}  // namespace torsor::render
