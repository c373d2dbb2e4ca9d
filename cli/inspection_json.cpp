// A model as JSON for programs. Lengths, angles and masses in SI units, as in the model's arrays.
#include <nlohmann/json.hpp>

#include "cli/inspection.hpp"
#include "cli/model_source.hpp"
#include "cli/names.hpp"

namespace torsor::cli {
namespace {

using Json = nlohmann::ordered_json;

Json vector(const double* values, int count) { return Json(std::vector<double>(values, values + count)); }

std::string name(const Model& model, ObjectType type, int id) { return std::string(model.name(type, id)); }

Json sizes(const Model& model) {
  Json json = Json::object();
  model.for_each_size([&](const char* size, int value, const char*) { json[size] = value; });
  return json;
}

Json totals(const Model& model) {
  const Totals totals(model);
  return {{"mass", totals.mass},
          {"com", vector(totals.com, 3)},
          {"model_bytes", totals.model_bytes},
          {"data_bytes", totals.data_bytes}};
}

Json body(const Model& model, int b) {
  return {{"id", b},
          {"name", name(model, ObjectType::kBody, b)},
          {"parent", b == 0 ? -1 : model.body_parentid[b]},
          {"joints", model.body_jntnum[b]},
          {"dofs", model.body_dofnum[b]},
          {"geoms", model.body_geomnum[b]},
          {"mass", model.body_mass[b]},
          {"subtree_mass", model.body_subtreemass[b]},
          {"pos", vector(model.body_pos.row(b, 3), 3)},
          {"quat", vector(model.body_quat.row(b, 4), 4)},
          {"com", vector(model.body_ipos.row(b, 3), 3)},
          {"inertia", vector(model.body_inertia.row(b, 3), 3)},
          {"inertia_quat", vector(model.body_iquat.row(b, 4), 4)}};
}

Json joint(const Model& model, int j) {
  Json json = {{"id", j},
               {"name", name(model, ObjectType::kJoint, j)},
               {"type", name_of(static_cast<JointType>(model.jnt_type[j]))},
               {"body", model.jnt_bodyid[j]},
               {"qpos", model.jnt_qposadr[j]},
               {"dof", model.jnt_dofadr[j]},
               {"pos", vector(model.jnt_pos.row(j, 3), 3)},
               {"axis", vector(model.jnt_axis.row(j, 3), 3)},
               {"stiffness", model.jnt_stiffness[j]}};
  json["range"] = model.jnt_limited[j] ? vector(model.jnt_range.row(j, 2), 2) : Json(nullptr);
  return json;
}

Json dof(const Model& model, int i) {
  return {{"id", i},
          {"joint", model.dof_jntid[i]},
          {"body", model.dof_bodyid[i]},
          {"parent", model.dof_parentid[i]},
          {"damping", model.dof_damping[i]},
          {"armature", model.dof_armature[i]},
          {"frictionloss", model.dof_frictionloss[i]},
          {"M0", model.dof_M0[i]}};
}

Json geom(const Model& model, int g) {
  const auto type = static_cast<GeomType>(model.geom_type[g]);
  Json json = {{"id", g},
               {"name", name(model, ObjectType::kGeom, g)},
               {"type", name_of(type)},
               {"body", model.geom_bodyid[g]},
               {"size", vector(model.geom_size.row(g, 3), 3)}};
  const bool by_triangles = model.geom_meshcollision[g] == static_cast<int>(MeshCollision::kTriangles);
  if (type == GeomType::kMesh) json["meshcollision"] = by_triangles ? "triangles" : "hull";
  return json;
}

Json keyframe(const Model& model, int k) {
  return {{"id", k}, {"name", name(model, ObjectType::kKey, k)}, {"time", model.key_time[k]}};
}

Json list(const Model& model, int count, Json (*make)(const Model&, int)) {
  Json json = Json::array();
  for (int i = 0; i < count; ++i) json.push_back(make(model, i));
  return json;
}

}  // namespace

std::string inspection_json(const Model& model) {
  Json json = Json::object();
  json["name"] = std::string(model.name());
  json["integrator"] = name_of(static_cast<Integrator>(model.opt.integrator));
  json["timestep"] = model.opt.timestep;
  json["gravity"] = vector(model.opt.gravity, 3);
  json["totals"] = totals(model);
  json["sizes"] = sizes(model);
  json["bodies"] = list(model, model.nbody, body);
  json["joints"] = list(model, model.njnt, joint);
  json["dofs"] = list(model, model.nv, dof);
  json["geoms"] = list(model, model.ngeom, geom);
  json["keyframes"] = list(model, model.nkey, keyframe);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';  // names need not be UTF-8
}

}  // namespace torsor::cli
