// Triangles that index vertices, normals and texture coordinates separately become triangles of corners that have all
// three, as graphics hardware wants them; equal corners are written once.
#include "torsor/view/scene_meshes.hpp"

#include <array>
#include <cstdint>
#include <map>

#include <nlohmann/json.hpp>

#include "torsor/view/bytes.hpp"

namespace torsor::view {
namespace {

using Json = nlohmann::json;

class CornerTable {
 public:
  CornerTable(const Model& model, int mesh) : model_(model), mesh_(mesh) {
    for (int f = 0; f < model.mesh_facenum[mesh]; ++f) {
      for (int k = 0; k < 3; ++k) add(f, k);
    }
  }

  bool has_texcoords() const { return model_.mesh_texcoordadr[mesh_] >= 0 && model_.mesh_texcoordnum[mesh_] > 0; }

  Json write(std::string& data) const {
    const auto place = [&](const std::string& bytes, size_t count) {
      const size_t at = data.size();
      data += bytes;
      return Json{{"at", at}, {"count", count}};
    };
    const size_t count = ids_.size();
    Json mesh{{"name", model_.name(ObjectType::kMesh, mesh_)},
              {"position", place(positions_, 3 * count)},
              {"normal", place(normals_, 4 * count)},
              {"index", place(indices_, indices_.size() / 4)}};
    if (has_texcoords()) mesh["uv"] = place(texcoords_, 2 * count);
    return mesh;
  }

 private:
  void add(int face, int k) {
    const size_t at = static_cast<size_t>(3 * (model_.mesh_faceadr[mesh_] + face) + k);
    const std::array<int, 3> corner{model_.mesh_face.data()[at], model_.mesh_facenormal.data()[at],
                                    has_texcoords() ? model_.mesh_facetexcoord.data()[at] : 0};
    const auto [entry, is_new] = ids_.try_emplace(corner, static_cast<std::uint32_t>(ids_.size()));
    put(indices_, entry->second);
    if (!is_new) return;
    const float* p = model_.mesh_vert.row(model_.mesh_vertadr[mesh_] + corner[0], 3);
    const float* n = model_.mesh_normal.row(model_.mesh_normaladr[mesh_] + corner[1], 3);
    for (int i = 0; i < 3; ++i) put(positions_, p[i]);
    for (int i = 0; i < 4; ++i) put_unit(normals_, i < 3 ? n[i] : 0);
    if (!has_texcoords()) return;
    const float* uv = model_.mesh_texcoord.row(model_.mesh_texcoordadr[mesh_] + corner[2], 2);
    for (int i = 0; i < 2; ++i) put(texcoords_, uv[i]);
  }

  const Model& model_;
  int mesh_;
  std::map<std::array<int, 3>, std::uint32_t> ids_;
  std::string positions_, normals_, texcoords_, indices_;
};

}  // namespace

void write_meshes(const Model& model, Json& scene, std::string& data) {
  Json& list = scene["meshes"] = Json::array();
  for (int m = 0; m < model.nmesh; ++m) list.push_back(CornerTable(model, m).write(data));
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
