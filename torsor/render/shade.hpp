// The colours of pixels: which surfaces are seen in a row of the picture, their textures, and the light on them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "torsor/render/shadow.hpp"
#include "torsor/render/texture.hpp"

namespace torsor::render {

using TextureList = std::vector<std::unique_ptr<Texture>>;  // null: cannot be shown

// What is behind everything.
struct Sky {
  const Texture* texture = nullptr;
  Colour below{0, 0, 0}, horizon{0, 0, 0}, above{0, 0, 0};  // without a texture
  std::optional<Colour> haze;                               // what planes without end fade into at the far plane
  float haze_start = 1;                                     // part of the far depth where that begins
};

// A scene that is ready to be drawn: lights in the frame of the camera.
struct LitScene {
  const Screen* screen;
  const ScreenTriangles* triangles;
  const std::vector<Drawn>* drawn;
  const TextureList* textures;
  std::vector<LightSource> lights;
  std::vector<std::unique_ptr<ShadowMap>> shadows;  // of each light; null for one without
  Sky sky;
};

// Colours rows of a band. Keeps its arrays, so that a picture allocates once.
class RowShader {
 public:
  RowShader(const LitScene& scene, int samples, const float (*offset)[2]);

  // Blends row y of the band into `rgb`, 3 numbers per pixel: the sky where a sample has no triangle (or nothing, with
  // `is_layer`), and surfaces with their opacity.
  void shade(const Band& band, int y, bool is_layer, float* rgb);

 private:
  struct Share {  // of a pixel, seen of one triangle
    int pixel, triangle, samples;
    float x, y;  // middle of these samples
  };
  // Texture coordinates of the triangle that was sampled last: numerators and their common denominator.
  struct FlatTexture {
    int triangle = -1;
    Vec3<double> u, v, sum;
    void set(int id, const Triangle& t, const Drawn& drawn, const int (&corner)[3]);
    Colour sample(const Texture& texture, double x, double y) const;
  };
  void find_shares(const Band& band, int y, bool is_layer, float* rgb);
  void read(int at, const Share& share);
  Colour texture_colour(const Share& share, const Drawn& drawn, const float (&weight)[3]);
  Colour sky_at(float x, float y) const;
  void light(int count);
  void resize(size_t count);

  const LitScene& scene_;
  int samples_;
  const float (*offset_)[2];
  FlatTexture flat_{};
  std::vector<Share> shares_;
  std::vector<float> x_, y_, z_, normal_x_, normal_y_, normal_z_, specular_, shininess_, visible_, all_visible_;
  std::vector<float> diffuse_[3], highlight_[3];
  std::vector<Colour> base_;
  std::vector<float> emission_, alpha_, haze_;
};

}  // namespace torsor::render
