// Meshes, their hulls and triangle trees, height fields, and skins. Indices of a mesh count within the mesh, those of a
// skin within the skin.
#include <algorithm>

#include "torsor/model/check/checker.hpp"

namespace torsor::checks {
namespace {

// Elements of a run, all within [first, count).
void expect_within(const char* field, const Field<int>& values, int columns, int address, int number, int first,
                   int count, const char* law) {
  if (number == 0) return;  // whose address may be anything
  for (int64_t i = int64_t{columns} * address, end = i + int64_t{columns} * number; i < end; ++i)
    expect(values[i] >= first && values[i] < count, field, i, law);
}

class MeshCheck {
 public:
  MeshCheck(const Model& model, int mesh) : m(model), mesh_(mesh) {}

  void run() const {
    faces();
    hull();
    tree();
  }

 private:
  void within(const char* field, const Field<int>& values, int columns, int address, int number, int first,
              int count) const {
    expect_within(field, values, columns, address, number, first, count, "it counts within its mesh");
  }

  void faces() const {
    const int address = m.mesh_faceadr[mesh_], number = m.mesh_facenum[mesh_];
    within("mesh_face", m.mesh_face, 3, address, number, 0, m.mesh_vertnum[mesh_]);
    within("mesh_facenormal", m.mesh_facenormal, 3, address, number, 0, m.mesh_normalnum[mesh_]);
    if (m.mesh_texcoordnum[mesh_] > 0)
      within("mesh_facetexcoord", m.mesh_facetexcoord, 3, address, number, 0, m.mesh_texcoordnum[mesh_]);
  }

  void hull() const {
    const int first = m.mesh_hullvertadr[mesh_], corners = m.mesh_hullvertnum[mesh_];
    within("mesh_hullextrema", m.mesh_hullextrema, 27, mesh_, 1, 0, std::max(1, corners));
    within("mesh_hullvert", m.mesh_hullvert, 1, first, corners, 0, m.mesh_vertnum[mesh_]);
    within("mesh_hullface", m.mesh_hullface, 3, m.mesh_hullfaceadr[mesh_], m.mesh_hullfacenum[mesh_], 0, corners);
    const int triangles = m.mesh_hullfacenum[mesh_];
    for (int k = first; k < first + corners; ++k) {
      const int address = m.mesh_hulledgeadr[k], number = m.mesh_hulledgenum[k];
      within("mesh_hulledge", m.mesh_hulledge, 1, address, number, 0, corners);
      within("mesh_hulledgeface", m.mesh_hulledgeface, 1, address, number, -1, triangles);
    }
  }

  // Children follow their parents, so that walks end, and every node has one parent. Walks leave out what is deeper
  // than their stack.
  void tree() const {
    const int triangles = m.mesh_trinum[mesh_], nodes = m.mesh_treenum[mesh_];
    expect((triangles > 0) == (nodes > 0), "mesh_treenum", mesh_, "a tree has triangles");
    within("mesh_tri", m.mesh_tri, 3, m.mesh_triadr[mesh_], triangles, 0, m.mesh_vertnum[mesh_]);
    within("mesh_trineighbor", m.mesh_trineighbor, 3, m.mesh_triadr[mesh_], triangles, -1, triangles);
    for (int n = 0; n < nodes; ++n) {
      const int node = m.mesh_treeadr[mesh_] + n, *link = m.mesh_treelink.row(node, 2);
      const bool is_leaf = link[1] > 0 && link[0] >= 0 && link[0] <= triangles - link[1];
      const bool is_inner = link[1] == 0 && link[0] > n + 1 && link[0] < nodes;
      expect(is_leaf || is_inner, "mesh_treelink", 2 * int64_t{node}, "it is a leaf, or the right child follows");
    }
    if (nodes > 0) expect(subtree_end(0, nodes) == nodes, "mesh_treenum", mesh_, "its nodes are one binary tree");
  }

  // Nodes are in the order of a walk: a node, all of its left subtree, all of its right one.
  int subtree_end(int root, int nodes) const {
    std::vector<int> rights;  // right children that are still to come
    int n = root;
    while (n < nodes) {
      const int* link = m.mesh_treelink.row(m.mesh_treeadr[mesh_] + n, 2);
      if (link[1] == 0) rights.push_back(link[0]);
      ++n;
      if (link[1] == 0) continue;
      if (rights.empty()) break;
      expect(rights.back() == n, "mesh_treelink", 2 * int64_t{m.mesh_treeadr[mesh_] + n}, "right children follow");
      rights.pop_back();
    }
    return rights.empty() ? n : -1;
  }

  const Model& m;
  int mesh_;
};

void check_skin(const Model& m, int skin) {
  constexpr const char* kLaw = "it counts within its skin";
  const int vertices = m.skin_vertnum[skin], uv = m.skin_texcoordadr[skin];
  expect_within("skin_face", m.skin_face, 3, m.skin_faceadr[skin], m.skin_facenum[skin], 0, vertices, kLaw);
  expect(uv < 0 || int64_t{uv} + vertices <= m.nskintexvert, "skin_texcoordadr", skin,
         "its texture coordinates lie in skin_texcoord");
  const int first = m.skin_boneadr[skin], bones = m.skin_bonenum[skin];
  for (int b = first; b < first + bones; ++b)
    expect_within("skin_bonevertid", m.skin_bonevertid, 1, m.skin_bonevertadr[b], m.skin_bonevertnum[b], 0, vertices,
                  kLaw);
}

}  // namespace

void check_assets(const Model& m) {
  for (int mesh = 0; mesh < m.nmesh; ++mesh) MeshCheck(m, mesh).run();
  for (int h = 0; h < m.nhfield; ++h) {
    const int64_t numbers = int64_t{m.hfield_nrow[h]} * m.hfield_ncol[h];
    expect(m.hfield_adr[h] + numbers <= m.nhfielddata, "hfield_adr", h, "its elevations lie in hfield_data");
  }
  for (int s = 0; s < m.nskin; ++s) check_skin(m, s);
}

}  // namespace torsor::checks
