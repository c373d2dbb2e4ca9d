// Arrays of geoms and sites.
#include "torsor/compile/write.hpp"

namespace torsor::compiler {
namespace {

void write_contact(const GeomSpec& spec, int g, Model& model) {
  model.geom_contype[g] = spec.contype;
  model.geom_conaffinity[g] = spec.conaffinity;
  model.geom_condim[g] = spec.condim;
  model.geom_priority[g] = spec.priority;
  model.geom_solmix[g] = spec.solmix;
  write_list(model.geom_solref.row(g, 2), spec.solref);
  write_list(model.geom_solimp.row(g, 5), spec.solimp);
  write_list(model.geom_friction.row(g, 3), spec.friction);
  model.geom_margin[g] = spec.margin;
  model.geom_gap[g] = spec.gap;
  model.geom_adhesion[g] = spec.adhesion;
  model.geom_sapstiffness[g] = spec.sapstiffness.value_or(-1);
  model.geom_sapdissipation[g] = spec.sapdissipation.value_or(-1);
}

void write_geom(const GeomDraft& geom, int g, int data, Model& model) {
  const GeomSpec& spec = *geom.spec;
  model.geom_type[g] = static_cast<int>(spec.type);
  model.geom_dataid[g] = data;
  model.geom_meshcollision[g] =
      static_cast<int>(spec.type == GeomType::kMesh ? spec.mesh_collision : MeshCollision::kHull);
  model.geom_matid[g] = geom.material;
  model.geom_group[g] = spec.group;
  store3(model.geom_size.row(g, 3), geom.size);
  store3(model.geom_aabb.row(g, 6), geom.bounds.center);
  store3(model.geom_aabb.row(g, 6) + 3, geom.bounds.half);
  model.geom_rbound[g] = geom.bounding_radius;
  write_frame(model.geom_pos.row(g, 3), model.geom_quat.row(g, 4), geom.X_BG);
  store3(model.geom_surfacevel.row(g, 6), geom.surface_linear);
  store3(model.geom_surfacevel.row(g, 6) + 3, geom.surface_angular);
  write_list(model.geom_fluid.row(g, 12), geom.fluid);
  write_list(model.geom_user.row(g, model.nuser_geom), spec.user);
  write_list(model.geom_rgba.row(g, 4), spec.rgba);
  model.geom_castshadow[g] = spec.castshadow;
  write_contact(spec, g, model);
}

void write_site(const SiteDraft& site, int s, int mesh, Model& model) {
  const SiteSpec& spec = *site.spec;
  model.site_dataid[s] = mesh;
  model.site_type[s] = static_cast<int>(spec.type);
  model.site_matid[s] = site.material;
  model.site_group[s] = spec.group;
  store3(model.site_size.row(s, 3), site.size);
  write_frame(model.site_pos.row(s, 3), model.site_quat.row(s, 4), site.X_BS);
  write_list(model.site_user.row(s, model.nuser_site), spec.user);
  write_list(model.site_rgba.row(s, 4), spec.rgba);
}

// From the index of a mesh in the Spec to its id in the Model.
std::vector<int> mesh_ids(const Draft& draft) {
  std::vector<int> ids(draft.meshes.size(), -1);
  for (size_t i = 0; i < draft.kept_meshes.size(); ++i)
    ids[static_cast<size_t>(draft.kept_meshes[i])] = static_cast<int>(i);
  return ids;
}

}  // namespace

void write_geoms(const Draft& draft, const Tree& tree, Model& model) {
  const std::vector<int> ids = mesh_ids(draft);
  int g = 0;
  for (int b = 0; b < model.nbody; ++b) {
    for (const GeomDraft& geom : draft.bodies[static_cast<size_t>(tree.order[static_cast<size_t>(b)])].geoms) {
      const GeomType type = geom.spec->type;  // a primitive that was fitted to a mesh has none
      model.geom_bodyid[g] = b;
      write_geom(geom, g++,
                 type == GeomType::kMesh     ? ids[static_cast<size_t>(geom.data)]
                 : type == GeomType::kHfield ? geom.data
                                             : -1,
                 model);
    }
  }
}

void write_sites(const Draft& draft, const Tree& tree, Model& model) {
  const std::vector<int> ids = mesh_ids(draft);
  int s = 0;
  for (int b = 0; b < model.nbody; ++b) {
    for (const SiteDraft& site : draft.bodies[static_cast<size_t>(tree.order[static_cast<size_t>(b)])].sites) {
      model.site_bodyid[s] = b;
      write_site(site, s++, site.mesh < 0 ? -1 : ids[static_cast<size_t>(site.mesh)], model);
    }
  }
}

}  // namespace torsor::compiler
