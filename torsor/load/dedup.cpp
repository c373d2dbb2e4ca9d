// Merging equal assets.
#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <vector>

#include "torsor/load/operations.hpp"

namespace torsor {
namespace dedup {
namespace {

std::string plain_path(const std::string& file) {
  return file.empty() ? file : std::filesystem::path(file).lexically_normal().string();
}

// All that decides what an asset compiles to. Arrays that were read from a file are known by its name.
auto contents(const MeshSpec& m) {
  return std::make_tuple(plain_path(m.file), m.content_type, m.scale, m.refpos, m.refquat, m.stretch, m.inertia,
                         m.smoothnormal, m.maxhullvert, m.builtin, m.material, m.params, m.vertex, m.normal, m.texcoord,
                         m.face, m.face_normal, m.face_texcoord);
}

std::vector<std::pair<std::string, std::string>> contents(const TextureSpec& texture) {
  auto attributes = texture.attributes;
  for (auto& [name, text] : attributes) {
    if (name.starts_with("file")) text = plain_path(text);
  }
  std::sort(attributes.begin(), attributes.end());
  return attributes;
}

using Renaming = std::map<std::string, std::string>;

// Deletes all but the first of equal elements. Returns the names of the others, and what they are now.
template <class T>
Renaming merge(std::vector<T>& list) {
  std::vector<T> kept;
  Renaming renamed;
  for (T& each : list) {
    const auto is_twin = [&](const T& other) { return !other.name.empty() && contents(other) == contents(each); };
    const auto twin = each.name.empty() ? kept.end() : std::find_if(kept.begin(), kept.end(), is_twin);
    if (twin == kept.end())
      kept.push_back(std::move(each));
    else
      renamed[each.name] = twin->name;
  }
  list = std::move(kept);
  return renamed;
}

class Renamer {
 public:
  Renamer(Spec& spec, const Renaming& names) : spec_(spec), names_(names) {}

  void rename(std::string& name) const {
    if (const auto found = names_.find(name); found != names_.end()) name = found->second;
  }

  void rename_in_lists(ObjectType type, std::string_view word) const {
    for (SensorSpec& sensor : spec_.sensors) {
      if (sensor.objtype == type) rename(sensor.objname);
      if (sensor.reftype == type) rename(sensor.refname);
    }
    for (TupleSpec& tuple : spec_.tuples) {
      for (TupleSpec::Entry& entry : tuple.entries) {
        if (entry.objtype == word) rename(entry.objname);
      }
    }
  }

 private:
  Spec& spec_;
  const Renaming& names_;
};

void merge_textures(Spec& spec, const Renaming& names) {
  const Renamer renamer(spec, names);
  const auto rename_all = [&](MaterialSpec& material) {
    for (std::string& name : material.textures) renamer.rename(name);
  };
  std::for_each(spec.materials.begin(), spec.materials.end(), rename_all);
  for (DefaultSpec& each : spec.defaults) rename_all(each.material), renamer.rename(each.light.texture);
  for (BodySpec& body : spec.bodies) {
    for (LightSpec& light : body.lights) renamer.rename(light.texture);
  }
  renamer.rename_in_lists(ObjectType::kTexture, "texture");
}

void merge_meshes(Spec& spec, const Renaming& names) {
  const Renamer renamer(spec, names);
  for (DefaultSpec& each : spec.defaults) renamer.rename(each.geom.mesh), renamer.rename(each.site.mesh);
  for (BodySpec& body : spec.bodies) {
    for (GeomSpec& geom : body.geoms) renamer.rename(geom.mesh);
    for (SiteSpec& site : body.sites) renamer.rename(site.mesh);
  }
  renamer.rename_in_lists(ObjectType::kMesh, "mesh");
}

}  // namespace
}  // namespace dedup

int dedup_assets(Spec& spec) {
  const dedup::Renaming textures = dedup::merge(spec.textures), meshes = dedup::merge(spec.meshes);
  dedup::merge_textures(spec, textures);
  dedup::merge_meshes(spec, meshes);
  return static_cast<int>(textures.size() + meshes.size());
}

}  // namespace torsor
