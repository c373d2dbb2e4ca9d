// Writes the elements of a model that the page draws or lists.
#include "torsor/view/scene.hpp"

#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "torsor/view/bytes.hpp"
#include "torsor/view/scene_meshes.hpp"

namespace torsor::view {
namespace {

using Json = nlohmann::json;
constexpr int kRoles = 10, kColourRole = 1;  // of textures in a material

template <class T>
Json numbers(const T* values, int count) {
  Json list = Json::array();
  // JSON has no infinity and no NaN: the page reads null as 0
  for (int i = 0; i < count; ++i) list.push_back(static_cast<double>(values[i]));
  return list;
}

class SceneWriter {
 public:
  SceneWriter(const Model& model, const TextureSource& textures) : model_(model), textures_(textures) {}

  std::string write() {
    scene_["version"] = 1;
    scene_["name"] = model_.name();
    write_settings();
    write_bodies();
    write_joints();
    write_geoms();
    write_sites();
    write_materials();
    write_textures();
    write_meshes(model_, scene_, data_);
    write_hfields(model_, scene_, data_);
    write_skins(model_, scene_, data_);
    write_lights_and_cameras();
    write_tendons();
    write_controls();
    scene_["warnings"] = warnings_;
    std::string text = scene_.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.resize((text.size() + 3) / 4 * 4, ' ');
    std::string blob;
    put(blob, static_cast<std::uint32_t>(text.size()));
    return blob + text + data_;
  }

 private:
  std::string_view name(ObjectType type, int id) const { return model_.name(type, id); }

  void write_settings() {
    const Visual& vis = model_.vis;
    scene_["statistic"] = {{"center", numbers(model_.stat.center, 3)},
                           {"extent", model_.stat.extent},
                           {"meansize", model_.stat.meansize},
                           {"meanmass", model_.stat.meanmass}};
    scene_["visual"] = {{"azimuth", vis.global.azimuth},
                        {"elevation", vis.global.elevation},
                        {"fovy", vis.global.fovy},
                        {"force", vis.map.force},
                        {"znear", vis.map.znear},
                        {"zfar", vis.map.zfar},
                        {"headlight", vis.headlight.active},
                        {"ambient", numbers(vis.headlight.ambient, 3)},
                        {"diffuse", numbers(vis.headlight.diffuse, 3)}};
    const Option& opt = model_.opt;
    scene_["option"] = {{"timestep", opt.timestep},     {"gravity", numbers(opt.gravity, 3)},
                        {"wind", numbers(opt.wind, 3)}, {"density", opt.density},
                        {"viscosity", opt.viscosity},   {"integrator", opt.integrator},
                        {"solver", opt.solver},         {"cone", opt.cone},
                        {"iterations", opt.iterations}, {"tolerance", opt.tolerance},
                        {"impratio", opt.impratio},     {"disableflags", opt.disableflags}};
    scene_["up"] = up_axis();
    scene_["sizes"] = {{"nq", model_.nq},
                       {"nv", model_.nv},
                       {"nu", model_.nu},
                       {"ntree", model_.ntree},
                       {"nsensordata", model_.nsensordata}};
    scene_["keys"] = Json::array();
    for (int k = 0; k < model_.nkey; ++k) scene_["keys"].push_back(name(ObjectType::kKey, k));
  }

  // The direction in the world of the model that the page shows as up.
  Json up_axis() const {
    const Vec3<double> up = to_axes(model_.axes.world, Vec3<double>{0, 0, 1});
    return {up.x, up.y, up.z};
  }

  void write_bodies() {
    Json& list = scene_["bodies"] = Json::array();
    for (int b = 0; b < model_.nbody; ++b) {
      list.push_back({{"name", name(ObjectType::kBody, b)},
                      {"parent", model_.body_parentid[b]},
                      {"tree", model_.body_treeid[b]},
                      {"pos", numbers(model_.body_pos.row(b, 3), 3)},
                      {"quat", numbers(model_.body_quat.row(b, 4), 4)},
                      {"mass", model_.body_mass[b]},
                      {"ipos", numbers(model_.body_ipos.row(b, 3), 3)},
                      {"iquat", numbers(model_.body_iquat.row(b, 4), 4)},
                      {"inertia", numbers(model_.body_inertia.row(b, 3), 3)}});
    }
    scene_["moving"] = moving_bodies(model_);
  }

  void write_joints() {
    Json& list = scene_["joints"] = Json::array();
    for (int j = 0; j < model_.njnt; ++j) {
      list.push_back({{"name", name(ObjectType::kJoint, j)},
                      {"type", model_.jnt_type[j]},
                      {"body", model_.jnt_bodyid[j]},
                      {"qpos", model_.jnt_qposadr[j]},
                      {"pos", numbers(model_.jnt_pos.row(j, 3), 3)},
                      {"axis", numbers(model_.jnt_axis.row(j, 3), 3)},
                      {"limited", model_.jnt_limited[j]},
                      {"range", numbers(model_.jnt_range.row(j, 2), 2)}});
    }
  }

  void write_geoms() {
    Json& list = scene_["geoms"] = Json::array();
    for (int g = 0; g < model_.ngeom; ++g) {
      Json geom{{"name", name(ObjectType::kGeom, g)},
                {"type", model_.geom_type[g]},
                {"body", model_.geom_bodyid[g]},
                {"group", model_.geom_group[g]},
                {"pos", numbers(model_.geom_pos.row(g, 3), 3)},
                {"quat", numbers(model_.geom_quat.row(g, 4), 4)},
                {"size", numbers(model_.geom_size.row(g, 3), 3)},
                {"rgba", numbers(model_.geom_rgba.row(g, 4), 4)},
                {"material", model_.geom_matid[g]},
                {"data", model_.geom_dataid[g]},
                {"collides", model_.geom_contype[g] != 0 || model_.geom_conaffinity[g] != 0},
                {"friction", numbers(model_.geom_friction.row(g, 3), 3)},
                {"shadow", model_.geom_castshadow[g]}};
      list.push_back(std::move(geom));
    }
  }

  void write_sites() {
    Json& list = scene_["sites"] = Json::array();
    for (int s = 0; s < model_.nsite; ++s) {
      list.push_back({{"name", name(ObjectType::kSite, s)},
                      {"type", model_.site_type[s]},
                      {"body", model_.site_bodyid[s]},
                      {"group", model_.site_group[s]},
                      {"pos", numbers(model_.site_pos.row(s, 3), 3)},
                      {"quat", numbers(model_.site_quat.row(s, 4), 4)},
                      {"size", numbers(model_.site_size.row(s, 3), 3)},
                      {"rgba", numbers(model_.site_rgba.row(s, 4), 4)},
                      {"material", model_.site_matid[s]}});
    }
  }

  void write_materials() {
    Json& list = scene_["materials"] = Json::array();
    for (int m = 0; m < model_.nmat; ++m) {
      list.push_back({{"name", name(ObjectType::kMaterial, m)},
                      {"rgba", numbers(model_.mat_rgba.row(m, 4), 4)},
                      {"texture", model_.mat_texid.row(m, kRoles)[kColourRole]},
                      {"repeat", numbers(model_.mat_texrepeat.row(m, 2), 2)},
                      {"uniform", model_.mat_texuniform[m]},
                      {"emission", model_.mat_emission[m]},
                      {"specular", model_.mat_specular[m]},
                      {"shininess", model_.mat_shininess[m]},
                      {"reflectance", model_.mat_reflectance[m]},
                      {"metallic", model_.mat_metallic[m]},
                      {"roughness", model_.mat_roughness[m]}});
    }
  }

  // A texture that cannot be shown is null.
  void write_textures() {
    Json& list = scene_["textures"] = Json::array();
    if (textures_.count() != model_.ntex) {
      if (model_.ntex > 0) warnings_.push_back("the textures are not shown: a compiled model does not hold them");
      return;
    }
    for (int t = 0; t < model_.ntex; ++t) list.push_back(texture(t));
  }

  Json texture(int t) {
    constexpr const char* kTypes[] = {"2d", "cube", "skybox"};
    try {
      const TextureImage image = textures_.make(t);
      if (image.width == 0) return nullptr;
      const size_t at = data_.size();
      data_.append(reinterpret_cast<const char*>(image.rgb.data()), image.rgb.size());
      data_.resize((data_.size() + 3) / 4 * 4, '\0');
      return {{"type", kTypes[static_cast<int>(image.type)]},
              {"width", image.width},
              {"height", image.height},
              {"rgb", {{"at", at}, {"count", image.rgb.size()}}}};
    } catch (const Error& error) {
      warnings_.push_back(error.what());
      return nullptr;
    }
  }

  void write_lights_and_cameras() {
    Json& lights = scene_["lights"] = Json::array();
    for (int l = 0; l < model_.nlight; ++l) {
      lights.push_back({{"name", name(ObjectType::kLight, l)},
                        {"type", model_.light_type[l]},
                        {"body", model_.light_bodyid[l]},
                        {"active", model_.light_active[l]},
                        {"shadow", model_.light_castshadow[l]},
                        {"pos", numbers(model_.light_pos.row(l, 3), 3)},
                        {"dir", numbers(model_.light_dir.row(l, 3), 3)},
                        {"cutoff", model_.light_cutoff[l]},
                        {"diffuse", numbers(model_.light_diffuse.row(l, 3), 3)},
                        {"ambient", numbers(model_.light_ambient.row(l, 3), 3)}});
    }
    Json& cameras = scene_["cameras"] = Json::array();
    for (int c = 0; c < model_.ncam; ++c) {
      cameras.push_back({{"name", name(ObjectType::kCamera, c)},
                         {"body", model_.cam_bodyid[c]},
                         {"pos", numbers(model_.cam_pos.row(c, 3), 3)},
                         {"quat", numbers(model_.cam_quat.row(c, 4), 4)},
                         {"orthographic", model_.cam_projection[c] == 1},
                         {"fovy", model_.cam_fovy[c]}});
    }
    scene_["trackingLights"] = tracking_lights(model_);
    scene_["trackingCameras"] = tracking_cameras(model_);
  }

  void write_tendons() {
    Json& list = scene_["tendons"] = Json::array();
    for (int t = 0; t < model_.ntendon; ++t) {
      list.push_back({{"name", name(ObjectType::kTendon, t)},
                      {"group", model_.tendon_group[t]},
                      {"width", model_.tendon_width[t]},
                      {"rgba", numbers(model_.tendon_rgba.row(t, 4), 4)},
                      {"material", model_.tendon_matid[t]}});
    }
    scene_["spatialTendons"] = spatial_tendons(model_);
  }

  void write_controls() {
    Json& list = scene_["actuators"] = Json::array();
    for (int a = 0; a < model_.nactuator; ++a) {
      for (int k = 0; k < model_.actuator_ctrlnum[a]; ++k) {
        const int u = model_.actuator_ctrladr[a] + k;
        list.push_back({{"name", name(ObjectType::kActuator, a)},
                        {"ctrl", u},
                        {"limited", model_.actuator_ctrllimited[u]},
                        {"range", numbers(model_.actuator_ctrlrange.row(u, 2), 2)}});
      }
    }
    Json& sensors = scene_["sensors"] = Json::array();
    for (int s = 0; s < model_.nsensor; ++s) {
      sensors.push_back(
          {{"name", name(ObjectType::kSensor, s)}, {"at", model_.sensor_adr[s]}, {"dim", model_.sensor_dim[s]}});
    }
  }

  const Model& model_;
  const TextureSource& textures_;
  Json scene_;
  std::string data_;  // what the JSON refers to
  std::vector<std::string> warnings_;
};

}  // namespace

std::vector<int> moving_bodies(const Model& model) {
  std::vector<int> bodies;
  for (int b = 1; b < model.nbody; ++b) {
    if (model.body_jntnum[b] > 0 || model.body_mocapid[b] >= 0) bodies.push_back(b);
  }
  return bodies;
}

std::vector<int> spatial_tendons(const Model& model) {
  std::vector<int> tendons;
  for (int t = 0; t < model.ntendon; ++t) {
    if (static_cast<WrapType>(model.wrap_type[model.tendon_adr[t]]) != WrapType::kJoint) tendons.push_back(t);
  }
  return tendons;
}

std::vector<int> tracking_cameras(const Model& model) {
  std::vector<int> cameras;
  for (int c = 0; c < model.ncam; ++c) {
    if (static_cast<TrackingMode>(model.cam_mode[c]) != TrackingMode::kFixed) cameras.push_back(c);
  }
  return cameras;
}

std::vector<int> tracking_lights(const Model& model) {
  std::vector<int> lights;
  for (int l = 0; l < model.nlight; ++l) {
    if (static_cast<TrackingMode>(model.light_mode[l]) != TrackingMode::kFixed) lights.push_back(l);
  }
  return lights;
}

std::string make_scene(const Model& model, const TextureSource& textures) {
  return SceneWriter(model, textures).write();
}

}  // namespace torsor::view
