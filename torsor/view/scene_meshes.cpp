// Writes meshes and height fields as arrays that the page hands to the graphics hardware.
#include "torsor/view/scene_meshes.hpp"

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

}  // namespace torsor::view
