// Geoms, lights and the camera of a scene from rows of numbers.
#include "scene_list.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "torsor/core/error.hpp"

namespace torsor::python::scene_list {
namespace {

// Columns of the arrays of update_list().
enum Column {
  kSize = 0,
  kPos = 3,
  kMat = 6,
  kRgba = 15,
  kEmission = 19,
  kSpecular,
  kShininess,
  kReflectance,
  kNumbers
};
enum WholeColumn { kType = 0, kDataId, kMaterial, kIndex, kThrowsShadow, kWholes };
enum LightColumn {
  kIsDirectional = 0,
  kCastsShadow,
  kLightPos,
  kLightDir = 5,
  kAmbient = 8,
  kDiffuse = 11,
  kLightSpecular = 14,
  kAttenuation = 17,
  kCutoff = 20,
  kExponent,
  kLightNumbers
};
constexpr size_t kCameraNumbers = 16;
constexpr int kSkinType = 106;  // mjGEOM_SKIN

template <size_t N>
void copy_floats(const double* from, std::array<float, N>& to) {
  for (size_t i = 0; i < N; ++i) to[i] = static_cast<float>(from[i]);
}

// A shape of a scene: sizes as MjvGeom has them, the half length of capsules and cylinders in z.
render::Instance make_instance(const Model& model, const double* numbers, const int* wholes) {
  const bool is_skin = wholes[kType] == kSkinType;
  render::Instance made{
      .shape = static_cast<GeomType>(wholes[kType]), .object = ObjectType::kGeom, .id = wholes[kIndex]};
  made.data = wholes[kDataId];
  if (is_skin) {
    made.shape = GeomType::kMesh;
    made.skin = made.data;
    if (made.skin < 0 || made.skin >= model.nskin)
      throw Error(fmt::format("a geom of the scene has the skin {}; the model has {}", made.skin, model.nskin));
  }
  const int count = made.shape == GeomType::kHfield ? model.nhfield : model.nmesh;
  const bool has_data =
      made.shape == GeomType::kMesh || made.shape == GeomType::kSdf || made.shape == GeomType::kHfield;
  if (has_data && !is_skin && (made.data < 0 || made.data >= count))
    throw Error(fmt::format("a geom of the scene has the mesh or height field {}; the model has {}", made.data, count));
  const auto size = [&](int i) { return static_cast<float>(numbers[kSize + i]); };
  if (!has_data) made.scale = {size(0), size(1), size(2)};
  if (made.shape == GeomType::kPlane) {
    made.is_endless = size(0) <= 0 || size(1) <= 0;
    made.scale.z = 1;
  }
  if (made.shape == GeomType::kCapsule) {
    made.scale = {size(0), size(0), size(0)};
    made.half = size(2);
  }
  made.throws_shadow = wholes[kThrowsShadow] != 0;
  made.p_WS = load3(numbers + kPos);
  made.R_WS = is_skin ? Mat3<double>{1, 0, 0, 0, 1, 0, 0, 0, 1} : load9(numbers + kMat);
  copy_floats(numbers + kRgba, made.look.rgba);
  made.look.emission = static_cast<float>(numbers[kEmission]);
  made.look.specular = static_cast<float>(numbers[kSpecular]);
  made.look.shininess = static_cast<float>(numbers[kShininess]);
  made.look.reflectance = static_cast<float>(numbers[kReflectance]);
  if (wholes[kMaterial] >= 0 && wholes[kMaterial] < model.nmat)
    render::set_texture(model, wholes[kMaterial], made.look);
  if (is_skin) render::drop_texture_without_place(model, made);
  return made;
}

render::Light make_light(const double* numbers) {
  render::Light made{};
  made.is_directional = numbers[kIsDirectional] != 0;
  made.casts_shadow = numbers[kCastsShadow] != 0;
  made.position_W = load3(numbers + kLightPos);
  made.direction_W = normalized(load3(numbers + kLightDir));
  copy_floats(numbers + kAmbient, made.ambient);
  copy_floats(numbers + kDiffuse, made.diffuse);
  copy_floats(numbers + kLightSpecular, made.specular);
  copy_floats(numbers + kAttenuation, made.attenuation);
  made.cutoff_deg = static_cast<float>(numbers[kCutoff]);
  made.exponent = static_cast<float>(numbers[kExponent]);
  return made;
}

}  // namespace

render::Projection make_projection(const std::vector<double>& numbers) {
  if (numbers.size() != kCameraNumbers) throw Error(fmt::format("expected {} numbers of a camera", kCameraNumbers));
  render::Projection view;
  view.p_WC = load3(&numbers[0]);
  const Vec3<double> forward = load3(&numbers[3]), up = load3(&numbers[6]);
  view.R_WC = mat_from_cols(cross(forward, up), up, -forward);
  view.left = numbers[9], view.right = numbers[10], view.bottom = numbers[11], view.top = numbers[12];
  view.near = numbers[13], view.far = numbers[14];
  view.is_orthographic = numbers[15] != 0;
  const bool is_sound = view.right > view.left && view.top > view.bottom && view.near > 0 && view.far > view.near &&
                        std::isfinite(view.far + norm2(view.p_WC) + norm2(forward) + norm2(up));
  if (!is_sound) throw Error("the camera of the scene is not set: call mjv_updateScene() first");
  return view;
}

render::DrawList make(const Model& model, const Numbers& numbers, const Wholes& wholes, const Numbers& lights) {
  if (numbers.shape(1) != kNumbers || wholes.shape(1) != kWholes || wholes.shape(0) != numbers.shape(0) ||
      lights.shape(1) != kLightNumbers)
    throw Error("the arrays of the scene have other shapes");
  render::DrawList list;
  list.has_headlight = false;  // it is one of the lights
  for (size_t i = 0; i < numbers.shape(0); ++i) {
    render::Instance made = make_instance(model, numbers.data() + i * kNumbers, wholes.data() + i * kWholes);
    const bool is_finite = std::isfinite(norm2(made.p_WS)) && std::isfinite(norm2(made.R_WS.row(0)));
    if (is_finite && made.look.rgba[3] > 0) list.instances.push_back(made);
  }
  for (size_t i = 0; i < lights.shape(0); ++i) list.lights.push_back(make_light(lights.data() + i * kLightNumbers));
  return list;
}

void read_skin(const Model& model, const Skins& skins, const render::Instance& instance, view::PosedSkin& posed) {
  const auto total = static_cast<size_t>(model.nskinvert);
  if (skins.shape(0) != 2 || skins.shape(1) != total || skins.shape(2) != 3)
    throw Error(fmt::format("the scene has the vertices of other skins; the model's have {} vertices", total));
  const auto first = static_cast<size_t>(model.skin_vertadr[instance.skin]);
  const auto count = static_cast<size_t>(model.skin_vertnum[instance.skin]);
  posed.p_WoSo_W = instance.p_WS;
  posed.point.resize(count);
  posed.normal.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const Vec3<double> p = load3<double>(skins.data() + 3 * (first + i)) - instance.p_WS;
    posed.point[i] = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
    posed.normal[i] = load3(skins.data() + 3 * (total + first + i));
  }
}

}  // namespace torsor::python::scene_list
