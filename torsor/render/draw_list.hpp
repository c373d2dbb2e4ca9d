// What is drawn of a model at one moment: shapes with their poses and looks, and lights.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "torsor/geometry/shapes.hpp"
#include "torsor/math/mat3.hpp"
#include "torsor/model/data.hpp"
#include "torsor/render/surface.hpp"

namespace torsor::render {

inline constexpr int kGroups = 6;
inline constexpr float kOpaque = 0.999f;  // the least opacity of what hides all behind it

// Groups as MuJoCo shows them by default: 0, 1 and 2.
struct DrawOptions {
  std::array<bool, kGroups> geomgroup{true, true, true, false, false, false};
  std::array<bool, kGroups> sitegroup{true, true, true, false, false, false};
  std::array<bool, kGroups> tendongroup{true, true, true, false, false, false};
  std::array<bool, kGroups> skingroup{true, true, true, false, false, false};
  bool with_textures = true;
  bool with_reflections = true;
  bool with_sky = true;
};

// How a surface looks.
struct Look {
  std::array<float, 4> rgba{};
  float emission = 0, specular = 0.5f, shininess = 0.5f;
  float reflectance = 0;  // of planes, and of the upper face of boxes
  int texture = -1;
  bool is_uniform = false;  // the texture repeats per metre, not per size of the shape
  std::array<float, 2> repeat{1, 1};
};

// A shape in the world. Points of its surface are scale * p + end * (0, 0, half).
struct Instance {
  GeomType shape;
  int data = -1;  // mesh or height field
  int skin = -1;  // whose shape is a mesh that is posed anew in each scene
  Vec3f scale{1, 1, 1};
  float half = 0;
  Vec3<double> p_WS{};
  Mat3<double> R_WS{};
  Look look{};
  ObjectType object;
  int id;
  bool throws_shadow = true;     // planes do not
  bool is_endless = false;       // a plane without a size
  Vec3f texture_shift{0, 0, 0};  // where the origin of its texture is not that of the shape

  // What a cube texture is fitted to.
  Vec3f cube_size() const {
    const bool has_size = !look.is_uniform && shape != GeomType::kMesh && shape != GeomType::kHfield;
    return has_size ? Vec3f{scale.x, scale.y, half > 0 ? half : scale.z} : Vec3f{1, 1, 1};
  }
  // How often a flat texture repeats over the texture coordinates of the surface.
  std::array<float, 2> uv_repeat() const {
    const bool has_size = look.is_uniform && shape != GeomType::kMesh;
    return {look.repeat[0] * (has_size ? scale.x : 1), look.repeat[1] * (has_size ? scale.y : 1)};
  }
};

struct Light {
  bool is_directional, casts_shadow;
  Vec3<double> position_W, direction_W;
  std::array<float, 3> ambient, diffuse, specular, attenuation;
  float cutoff_deg = 180, exponent = 0;
};

struct DrawList {
  std::vector<Instance> instances;
  std::vector<Light> lights;                  // without the headlight
  bool has_headlight = true;                  // that of the model, where it is active
  std::optional<Vec3<double>> headlight_W{};  // where it shines; empty: along the axis of the camera
};

// The texture of a material, and how it is laid on a surface.
void set_texture(const Model& model, int material, Look& look);

// A skin has a texture only with texture coordinates: any other would swim as it moves.
void drop_texture_without_place(const Model& model, Instance& skin);

// Poses are those in `data`, as they are.
void fill_draw_list(const Model& model, const Data& data, const DrawOptions& options, DrawList& list);

}  // namespace torsor::render
