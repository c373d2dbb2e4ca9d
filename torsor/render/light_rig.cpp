// Lights in the frame of the camera: the headlight, then those of the model.
#include "torsor/render/light_rig.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace torsor::render {
namespace {

// The side of a shadow map: about one pixel of it per pixel of the picture.
int map_side(const Screen& screen) {
  const int longest = std::max(screen.width(), screen.height());
  return std::clamp(static_cast<int>(std::bit_ceil(static_cast<unsigned>(longest + longest / 4))), 512, 4096);
}

void store(const Vec3<double>& from, float (&to)[3]) {
  for (int i = 0; i < 3; ++i) to[i] = static_cast<float>(from[i]);
}

LightSource in_camera(const Light& light, const Projection& view) {
  LightSource source{};
  source.is_directional = light.is_directional;
  store(transposed_mul(view.R_WC, light.position_W - view.p_WC), source.position);
  store(transposed_mul(view.R_WC, light.direction_W), source.direction);
  std::copy_n(light.ambient.begin(), 3, source.ambient);
  std::copy_n(light.diffuse.begin(), 3, source.diffuse);
  std::copy_n(light.specular.begin(), 3, source.specular);
  std::copy_n(light.attenuation.begin(), 3, source.attenuation);
  const bool is_spot = light.cutoff_deg < 180;
  source.cos_cutoff = is_spot ? std::cos(light.cutoff_deg * std::numbers::pi_v<float> / 180) : -2.0f;
  source.exponent = is_spot ? light.exponent : 0;
  return source;
}

// Shines from the camera, along its axis, or where the list says.
LightSource headlight(const Model& model, const DrawList& list, const Projection& view, bool is_studio) {
  constexpr float kStudioAmbient = 0.15f;  // what a bright sky adds in the shadow
  LightSource source{};
  source.is_directional = true;
  source.direction[2] = -1;
  if (list.headlight_W) store(transposed_mul(view.R_WC, *list.headlight_W), source.direction);
  std::copy_n(model.vis.headlight.ambient, 3, source.ambient);
  std::copy_n(model.vis.headlight.diffuse, 3, source.diffuse);
  std::copy_n(model.vis.headlight.specular, 3, source.specular);
  for (float& part : source.ambient) part += is_studio ? kStudioAmbient : 0;
  return source;
}

// From above, behind the left shoulder of the default camera.
Light studio_light() {
  Light light{};
  light.is_directional = light.casts_shadow = true;
  light.direction_W = normalized(Vec3<double>{0.35, 0.5, -1});
  light.diffuse = {0.6f, 0.6f, 0.58f};
  light.specular = {0.2f, 0.2f, 0.2f};
  light.attenuation = {1, 0, 0};
  return light;
}

Sky make_sky(const Model& model, bool is_studio, const Texture* texture) {
  Sky sky;
  sky.texture = texture;
  const float* haze = model.vis.rgba.haze;
  if (texture) sky.haze = Colour{haze[0], haze[1], haze[2]};
  if (!texture && is_studio) {
    sky.above = {0.36f, 0.53f, 0.74f};
    sky.horizon = {0.86f, 0.90f, 0.94f};
    sky.below = {0.62f, 0.65f, 0.68f};
    sky.haze = sky.horizon;
  }
  sky.haze_start = std::clamp(1 - model.vis.map.haze, 0.0f, 0.999f);
  return sky;
}

}  // namespace

LitScene make_lit_scene(const Model& model, const DrawList& list, bool with_shadows, bool is_studio, const Texture* sky,
                        const Screen& screen, const ScreenTriangles& triangles, const std::vector<Drawn>& drawn,
                        const TextureList& textures) {
  LitScene scene{&screen, &triangles, &drawn, &textures, {}, {}, make_sky(model, is_studio, sky)};
  std::vector<Light> lights = list.lights;
  if (is_studio && lights.empty()) lights.push_back(studio_light());
  if (list.has_headlight && model.vis.headlight.active) {
    scene.lights.push_back(headlight(model, list, screen.view(), is_studio));
    scene.shadows.push_back(nullptr);
  }
  for (const Light& light : lights) {
    scene.lights.push_back(in_camera(light, screen.view()));
    const bool has_shadow = with_shadows && light.casts_shadow;
    scene.shadows.push_back(has_shadow ? std::make_unique<ShadowMap>(light, drawn, screen.view(), map_side(screen))
                                       : nullptr);
  }
  return scene;
}

}  // namespace torsor::render
