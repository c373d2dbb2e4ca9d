// Shadows: the scene as a light sees it says which points it reaches.
#pragma once

#include <vector>

#include "torsor/render/screen.hpp"

namespace torsor::render {

// An instance with the surface that it is drawn with.
struct Drawn {
  Instance instance;
  const Surface* surface;
  // Radius of a sphere around the instance's origin that holds it.
  double radius() const;
};

class ShadowMap {
 public:
  // Looks at everything that throws shadows: all but planes and what the model excepts. `pixels` is the side of the
  // map.
  ShadowMap(const Light& light, const std::vector<Drawn>& scene, const Projection& camera, int pixels);

  // Part of the light that arrives at a point with this normal, both in the frame of the camera: 0 to 1, softened by
  // about a pixel of the map.
  float visible(const Vec3f& p_C, const Vec3f& normal_C) const;

 private:
  void draw(const Screen& screen, const std::vector<Drawn>& scene);
  void find_largest();

  int pixels_;
  bool is_empty_ = true, is_orthographic_ = false;
  float texel_ = 0;  // side of a pixel of the map in metres; at depth 1 unless orthographic
  // from the frame of the camera to that of the light, and on to pixels
  Vec3f p_LC_, row_x_, row_y_, row_z_;
  float scale_ = 1, middle_ = 0;
  std::vector<float> key_;
  // The largest key of each square of kSquare pixels: most points need no closer look.
  static constexpr int kSquare = 8;
  int squares_ = 0;  // per side
  std::vector<float> largest_;
};

}  // namespace torsor::render
