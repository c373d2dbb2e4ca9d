// Arrays of meshes, height fields and materials.
#include <algorithm>

#include "torsor/compile/write.hpp"

namespace torsor::compiler {
namespace {

// Appends arrays to the end of a field, counting rows.
template <class T>
class Appender {
 public:
  Appender(const Field<T>& field, int columns) : field_(field), columns_(columns) {}

  int next_row() const { return used_ / columns_; }
  int append(const std::vector<T>& values) {
    std::copy(values.begin(), values.end(), field_.begin() + used_);
    used_ += static_cast<int>(values.size());
    return static_cast<int>(values.size()) / columns_;
  }

 private:
  const Field<T>& field_;
  int columns_;
  int used_ = 0;
};

// Hulls of meshes that something collides with.
void write_hulls(const Draft& draft, Model& model) {
  Appender corners(model.mesh_hullvert, 1), edges(model.mesh_hulledge, 1), at_corners(model.mesh_hulledgeface, 1);
  Appender faces(model.mesh_hullface, 3);
  for (int m = 0; m < model.nmesh; ++m) {
    const size_t index = static_cast<size_t>(draft.kept_meshes[static_cast<size_t>(m)]);
    const CompiledMesh& mesh = *draft.meshes[index];
    const HullGraph& graph = draft.hulls[index];
    model.mesh_hullvertadr[m] = mesh.hull ? corners.next_row() : -1;
    model.mesh_hullfaceadr[m] = mesh.hull ? faces.next_row() : -1;
    if (!mesh.hull) continue;
    for (size_t k = 0; k < mesh.hull->vertices.size(); ++k) {
      const int corner = corners.next_row() + static_cast<int>(k);
      model.mesh_hulledgeadr[corner] = edges.next_row() + graph.edge_address[k];
      model.mesh_hulledgenum[corner] = graph.edge_address[k + 1] - graph.edge_address[k];
      std::copy_n(mesh.vertices.data() + 3 * static_cast<size_t>(mesh.hull->vertices[k]), 3,
                  model.mesh_hullpos.row(corner, 3));
    }
    model.mesh_hullvertnum[m] = corners.append(mesh.hull->vertices);
    model.mesh_hullfacenum[m] = faces.append(graph.faces);
    edges.append(graph.edges);
    at_corners.append(graph.corner_faces);
    write_list(model.mesh_hullextrema.row(m, 27), mesh.extrema);
  }
}

// Triangles of meshes that collide as such.
void write_trees(const Draft& draft, Model& model) {
  Appender triangles(model.mesh_tri, 3), neighbors(model.mesh_trineighbor, 3), links(model.mesh_treelink, 2);
  Appender boxes(model.mesh_treebox, 6);
  for (int m = 0; m < model.nmesh; ++m) {
    const TriangleTree& tree = draft.trees[static_cast<size_t>(draft.kept_meshes[static_cast<size_t>(m)])];
    model.mesh_triadr[m] = tree.links.empty() ? -1 : triangles.next_row();
    model.mesh_treeadr[m] = tree.links.empty() ? -1 : links.next_row();
    model.mesh_trinum[m] = triangles.append(tree.corners);
    model.mesh_treenum[m] = links.append(tree.links);
    model.mesh_solid[m] = tree.is_solid;
    neighbors.append(tree.neighbors);
    boxes.append(tree.boxes);
  }
}

void write_meshes(const Draft& draft, Model& model) {
  Appender vertices(model.mesh_vert, 3), normals(model.mesh_normal, 3), texcoords(model.mesh_texcoord, 2);
  Appender faces(model.mesh_face, 3), face_normals(model.mesh_facenormal, 3),
      face_texcoords(model.mesh_facetexcoord, 3);
  for (int m = 0; m < model.nmesh; ++m) {
    const size_t index = static_cast<size_t>(draft.kept_meshes[static_cast<size_t>(m)]);
    const CompiledMesh& mesh = *draft.meshes[index];
    model.mesh_vertadr[m] = vertices.next_row();
    model.mesh_faceadr[m] = faces.next_row();
    model.mesh_normaladr[m] = normals.next_row();
    model.mesh_texcoordadr[m] = mesh.texcoords.empty() ? -1 : texcoords.next_row();
    model.mesh_vertnum[m] = vertices.append(mesh.vertices);
    model.mesh_facenum[m] = faces.append(mesh.faces);
    model.mesh_normalnum[m] = normals.append(mesh.normals);
    model.mesh_texcoordnum[m] = texcoords.append(mesh.texcoords);
    face_normals.append(mesh.face_normals);
    face_texcoords.append(mesh.face_texcoords);
    write_list(model.mesh_scale.row(m, 3), draft.spec.meshes[index].scale);
    write_frame(model.mesh_pos.row(m, 3), model.mesh_quat.row(m, 4), mesh.X_AM);
  }
}

void write_hfields(const Draft& draft, Model& model) {
  Appender elevations(model.hfield_data, 1);
  for (int h = 0; h < model.nhfield; ++h) {
    const ElevationGrid& grid = draft.hfields[static_cast<size_t>(h)];
    write_list(model.hfield_size.row(h, 4), draft.spec.hfields[static_cast<size_t>(h)].size);
    model.hfield_nrow[h] = grid.rows;
    model.hfield_ncol[h] = grid.columns;
    model.hfield_adr[h] = elevations.next_row();
    elevations.append(grid.elevations);
  }
}

void write_materials(const Draft& draft, Model& model) {
  constexpr int kRoles = 10;
  for (int m = 0; m < model.nmat; ++m) {
    const MaterialSpec& spec = draft.spec.materials[static_cast<size_t>(m)];
    int* textures = model.mat_texid.row(m, kRoles);
    for (const std::string& texture : spec.textures) *textures++ = draft.texture_names.find(texture);
    model.mat_texuniform[m] = spec.texuniform;
    write_list(model.mat_texrepeat.row(m, 2), spec.texrepeat);
    model.mat_emission[m] = spec.emission;
    model.mat_specular[m] = spec.specular;
    model.mat_shininess[m] = spec.shininess;
    model.mat_reflectance[m] = spec.reflectance;
    model.mat_metallic[m] = spec.metallic;
    model.mat_roughness[m] = spec.roughness;
    write_list(model.mat_rgba.row(m, 4), spec.rgba);
  }
}

}  // namespace

void write_assets(const Draft& draft, Model& model) {
  write_meshes(draft, model);
  write_hulls(draft, model);
  write_trees(draft, model);
  write_hfields(draft, model);
  write_materials(draft, model);
}

}  // namespace torsor::compiler
