// Writes meshes, height fields and skins as arrays that the page hands to the graphics hardware.
#include "torsor/view/scene_meshes.hpp"

#include <vector>

#include <nlohmann/json.hpp>

#include "torsor/view/bytes.hpp"
#include "torsor/view/mesh_corners.hpp"

namespace torsor::view {
namespace {

using Json = nlohmann::json;

Json write_mesh(const Model& model, int mesh, std::string& data) {
  const MeshCorners table(model, mesh);
  const auto place = [&](size_t count, auto write) {
    const size_t at = data.size();
    write();
    return Json{{"at", at}, {"count", count}};
  };
  const size_t count = table.corners().size();
  Json json{{"name", model.name(ObjectType::kMesh, mesh)}};
  json["position"] = place(3 * count, [&] {
    for (const MeshCorner& corner : table.corners()) {
      for (int i = 0; i < 3; ++i) put(data, corner.point[i]);
    }
  });
  json["normal"] = place(4 * count, [&] {
    for (const MeshCorner& corner : table.corners()) {
      for (int i = 0; i < 4; ++i) put_unit(data, i < 3 ? corner.normal[i] : 0);
    }
  });
  json["index"] = place(table.indices().size(), [&] {
    for (const std::uint32_t index : table.indices()) put(data, index);
  });
  if (!table.has_uv()) return json;
  json["uv"] = place(2 * count, [&] {
    for (const MeshCorner& corner : table.corners()) {
      for (int i = 0; i < 2; ++i) put(data, corner.uv[i]);
    }
  });
  return json;
}

template <class To, class From>
Json put_array(std::string& data, const From* values, int count) {
  const size_t at = data.size();
  for (int i = 0; i < count; ++i) put(data, static_cast<To>(values[i]));
  return {{"at", at}, {"count", count}};
}

template <class T>
Json list_of(const T* values, int count) {
  return std::vector<T>(values, values + count);
}

Json write_bone(const Model& model, int bone, std::string& data) {
  const int start = model.skin_bonevertadr[bone], count = model.skin_bonevertnum[bone];
  return {{"body", model.skin_bonebodyid[bone]},
          {"pos", list_of(model.skin_bonebindpos.row(bone, 3), 3)},
          {"quat", list_of(model.skin_bonebindquat.row(bone, 4), 4)},
          {"vertex", put_array<std::uint32_t>(data, model.skin_bonevertid.data() + start, count)},
          {"weight", put_array<float>(data, model.skin_bonevertweight.data() + start, count)}};
}

}  // namespace

void write_meshes(const Model& model, Json& scene, std::string& data) {
  Json& list = scene["meshes"] = Json::array();
  for (int m = 0; m < model.nmesh; ++m) list.push_back(write_mesh(model, m, data));
}

void write_hfields(const Model& model, Json& scene, std::string& data) {
  Json& list = scene["hfields"] = Json::array();
  for (int h = 0; h < model.nhfield; ++h) {
    const int count = model.hfield_nrow[h] * model.hfield_ncol[h];
    const size_t at = data.size();
    for (int i = 0; i < count; ++i) put(data, model.hfield_data[model.hfield_adr[h] + i]);
    const double* size = model.hfield_size.row(h, 4);
    list.push_back({{"rows", model.hfield_nrow[h]},
                    {"columns", model.hfield_ncol[h]},
                    {"size", {size[0], size[1], size[2], size[3]}},
                    {"elevation", {{"at", at}, {"count", count}}}});
  }
}

void write_skins(const Model& model, Json& scene, std::string& data) {
  Json& list = scene["skins"] = Json::array();
  for (int s = 0; s < model.nskin; ++s) {
    const int vertices = model.skin_vertnum[s], first = model.skin_vertadr[s], uv = model.skin_texcoordadr[s];
    Json skin{{"name", model.name(ObjectType::kSkin, s)},
              {"group", model.skin_group[s]},
              {"material", model.skin_matid[s]},
              {"rgba", list_of(model.skin_rgba.row(s, 4), 4)},
              {"inflate", model.skin_inflate[s]},
              {"position", put_array<float>(data, model.skin_vert.row(first, 3), 3 * vertices)},
              {"index", put_array<std::uint32_t>(data, model.skin_face.row(model.skin_faceadr[s], 3),
                                                 3 * model.skin_facenum[s])},
              {"bones", Json::array()}};
    if (uv >= 0) skin["uv"] = put_array<float>(data, model.skin_texcoord.row(uv, 2), 2 * vertices);
    for (int b = 0; b < model.skin_bonenum[s]; ++b)
      skin["bones"].push_back(write_bone(model, model.skin_boneadr[s] + b, data));
    list.push_back(std::move(skin));
  }
}

}  // namespace torsor::view
