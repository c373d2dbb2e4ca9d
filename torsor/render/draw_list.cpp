// Geoms, sites, tendons, skins and lights. What is shared with the page (web/) is in torsor/view/.
#include "torsor/render/draw_list.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/view/scene.hpp"

namespace torsor::render {
namespace {

bool is_shown(const std::array<bool, kGroups>& groups, int group) {
  return groups[static_cast<size_t>(std::clamp(group, 0, kGroups - 1))];
}

template <size_t N>
void copy(const float* from, std::array<float, N>& to) {
  std::copy_n(from, N, to.begin());
}

class ListMaker {
 public:
  ListMaker(const Model& model, const Data& data, const DrawOptions& options, DrawList& list)
      : model_(model), data_(data), options_(options), list_(list) {}

  void add_geoms() {
    for (int g = 0; g < model_.ngeom; ++g) {
      if (!is_shown(options_.geomgroup, model_.geom_group[g])) continue;
      Instance geom{.shape = static_cast<GeomType>(model_.geom_type[g]), .object = ObjectType::kGeom, .id = g};
      geom.data = model_.geom_dataid[g];
      geom.look = make_look(model_.geom_rgba.row(g, 4), model_.geom_matid[g]);
      set_size(geom, model_.geom_size.row(g, 3));
      geom.throws_shadow = model_.geom_castshadow[g];
      add(geom, data_.geom_xpos.row(g, 3), data_.geom_xmat.row(g, 9));
    }
  }

  void add_sites() {
    for (int s = 0; s < model_.nsite; ++s) {
      if (!is_shown(options_.sitegroup, model_.site_group[s])) continue;
      Instance site{.shape = static_cast<GeomType>(model_.site_type[s]), .object = ObjectType::kSite, .id = s};
      site.look = make_look(model_.site_rgba.row(s, 4), model_.site_matid[s]);
      set_size(site, model_.site_size.row(s, 3));
      add(site, data_.site_xpos.row(s, 3), data_.site_xmat.row(s, 9));
    }
  }

  void add_tendons() {
    for (const int t : view::spatial_tendons(model_)) {
      if (!is_shown(options_.tendongroup, model_.tendon_group[t])) continue;
      for (int k = 0; k + 1 < data_.ten_wrapnum[t]; ++k) {
        const int from = data_.ten_wrapadr[t] + k;
        if (data_.wrap_obj[from] == kPulley || data_.wrap_obj[from + 1] == kPulley) continue;
        add_segment(t, load3(data_.wrap_xpos.row(from, 3)), load3(data_.wrap_xpos.row(from + 1, 3)));
      }
    }
  }

  void add_skins() {
    for (int s = 0; s < model_.nskin; ++s) {
      if (!is_shown(options_.skingroup, model_.skin_group[s]) || model_.skin_bonenum[s] == 0) continue;
      constexpr double kWorldAxes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
      Instance skin{.shape = GeomType::kMesh, .skin = s, .object = ObjectType::kSkin, .id = s};
      skin.look = make_look(model_.skin_rgba.row(s, 4), model_.skin_matid[s]);
      drop_texture_without_place(model_, skin);
      add(skin, data_.xpos.row(model_.skin_bonebodyid[model_.skin_boneadr[s]], 3), kWorldAxes);
    }
  }

  void add_lights() {
    for (int l = 0; l < model_.nlight; ++l) {
      if (!model_.light_active[l] || model_.light_type[l] == kImageLight) continue;
      Light light{};
      light.is_directional = model_.light_type[l] == kDirectionalLight;
      light.casts_shadow = model_.light_castshadow[l];
      light.position_W = load3(data_.light_xpos.row(l, 3));
      light.direction_W = normalized(load3(data_.light_xdir.row(l, 3)));
      copy(model_.light_ambient.row(l, 3), light.ambient);
      copy(model_.light_diffuse.row(l, 3), light.diffuse);
      copy(model_.light_specular.row(l, 3), light.specular);
      copy(model_.light_attenuation.row(l, 3), light.attenuation);
      const bool is_spot = model_.light_type[l] == kSpotLight;
      light.cutoff_deg = is_spot ? model_.light_cutoff[l] : 180;
      light.exponent = is_spot ? std::clamp(model_.light_exponent[l], 0.0f, 128.0f) : 0;
      list_.lights.push_back(light);
    }
  }

 private:
  static constexpr int kPulley = -2;  // in wrap_obj
  static constexpr int kSpotLight = 0, kDirectionalLight = 1, kImageLight = 3;

  // A colour that the element does not give is that of its material.
  Look make_look(const float* rgba, int material) const {
    constexpr float kNotGiven[4] = {0.5f, 0.5f, 0.5f, 1};
    Look look;
    copy(rgba, look.rgba);
    if (material < 0) return look;
    if (std::equal(rgba, rgba + 4, kNotGiven)) copy(model_.mat_rgba.row(material, 4), look.rgba);
    look.emission = model_.mat_emission[material];
    look.specular = model_.mat_specular[material];
    look.shininess = model_.mat_shininess[material];
    look.reflectance = model_.mat_reflectance[material];
    if (options_.with_textures) set_texture(model_, material, look);
    return look;
  }

  static void set_size(Instance& instance, const double* size) {
    const Vec3f s{static_cast<float>(size[0]), static_cast<float>(size[1]), static_cast<float>(size[2])};
    switch (instance.shape) {
      case GeomType::kPlane:
        instance.is_endless = s.x <= 0 || s.y <= 0;
        instance.scale = {s.x, s.y, 1};
        break;
      case GeomType::kSphere:
        instance.scale = {s.x, s.x, s.x};
        break;
      case GeomType::kCapsule:
        instance.scale = {s.x, s.x, s.x};
        instance.half = s.y;
        break;
      case GeomType::kCylinder:
      case GeomType::kCone:
        instance.scale = {s.x, s.x, s.y};
        break;
      case GeomType::kEllipsoid:
      case GeomType::kBox:
        instance.scale = s;
        break;
      case GeomType::kHfield:
      case GeomType::kMesh:
      case GeomType::kSdf:
        break;
    }
  }

  void add(Instance& instance, const double* position, const double* rotation) {
    if (!(instance.look.rgba[3] > 0)) return;
    instance.p_WS = load3(position);
    instance.R_WS = load9(rotation);
    if (!std::isfinite(norm2(instance.p_WS)) || !std::isfinite(norm2(instance.R_WS.row(0)))) return;
    list_.instances.push_back(instance);
  }

  // A piece of a tendon is a capsule without ends that overlap.
  void add_segment(int tendon, const Vec3<double>& from, const Vec3<double>& to) {
    const Vec3<double> along = to - from;
    const double length = norm(along);
    if (!(length > 1e-9)) return;
    const Vec3<double> z = along / length, other = std::abs(z.x) < 0.7 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
    const Vec3<double> x = normalized(cross(other, z)), middle = (from + to) * 0.5;
    const Mat3<double> R = mat_from_cols(x, cross(z, x), z);
    Instance piece{.shape = GeomType::kCapsule, .object = ObjectType::kTendon, .id = tendon};
    const auto radius = static_cast<float>(model_.tendon_width[tendon]);
    piece.scale = {radius, radius, radius};
    piece.half = static_cast<float>(length / 2);
    piece.look = make_look(model_.tendon_rgba.row(tendon, 4), model_.tendon_matid[tendon]);
    const double position[3] = {middle.x, middle.y, middle.z};
    add(piece, position, R.m);
  }

  const Model& model_;
  const Data& data_;
  const DrawOptions& options_;
  DrawList& list_;
};

}  // namespace

void set_texture(const Model& model, int material, Look& look) {
  constexpr int kRoles = 10, kColourRole = 1;  // of textures in a material
  look.texture = model.mat_texid.row(material, kRoles)[kColourRole];
  look.is_uniform = model.mat_texuniform[material];
  copy(model.mat_texrepeat.row(material, 2), look.repeat);
}

void drop_texture_without_place(const Model& model, Instance& skin) {
  if (model.skin_texcoordadr[skin.skin] < 0) skin.look.texture = -1;
}

void fill_draw_list(const Model& model, const Data& data, const DrawOptions& options, DrawList& list) {
  list = DrawList{std::move(list.instances), std::move(list.lights)};
  list.instances.clear();
  list.lights.clear();
  ListMaker maker(model, data, options, list);
  maker.add_geoms();
  maker.add_sites();
  maker.add_tendons();
  maker.add_skins();
  maker.add_lights();
}

}  // namespace torsor::render
