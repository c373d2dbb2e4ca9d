// Numbers the corners of triangles in the order in which they appear first.
#include "torsor/view/mesh_corners.hpp"

#include <array>
#include <unordered_map>

namespace torsor::view {
namespace {

using Key = std::array<int, 3>;  // point, normal, texture coordinates

struct KeyHash {
  size_t operator()(const Key& key) const {
    size_t hash = 0;
    for (const int id : key) hash = (hash ^ static_cast<size_t>(id)) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 29);
  }
};

}  // namespace

MeshCorners::MeshCorners(const Model& model, int mesh)
    : has_uv_(model.mesh_texcoordadr[mesh] >= 0 && model.mesh_texcoordnum[mesh] > 0) {
  std::unordered_map<Key, std::uint32_t, KeyHash> ids;
  const size_t first = 3 * static_cast<size_t>(model.mesh_faceadr[mesh]);
  const size_t count = 3 * static_cast<size_t>(model.mesh_facenum[mesh]);
  indices_.reserve(count);
  for (size_t at = first; at < first + count; ++at) {
    const Key key{model.mesh_face.data()[at], model.mesh_facenormal.data()[at],
                  has_uv_ ? model.mesh_facetexcoord.data()[at] : 0};
    const auto [entry, is_new] = ids.try_emplace(key, static_cast<std::uint32_t>(corners_.size()));
    indices_.push_back(entry->second);
    if (!is_new) continue;
    corners_.push_back({model.mesh_vert.row(model.mesh_vertadr[mesh] + key[0], 3),
                        model.mesh_normal.row(model.mesh_normaladr[mesh] + key[1], 3),
                        has_uv_ ? model.mesh_texcoord.row(model.mesh_texcoordadr[mesh] + key[2], 2) : nullptr});
  }
}

}  // namespace torsor::view
