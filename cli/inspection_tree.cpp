// Sections of the kinematic tree: bodies, joints, dofs, and elements attached to bodies.
#include <fmt/format.h>

#include "cli/inspection.hpp"
#include "cli/names.hpp"

namespace torsor::cli {
namespace {

InspectColumn body_column(const Field<int> Model::*bodies) {
  return reference_column("body", "body", ObjectType::kBody,
                          [bodies](const Model& m, int i) { return (m.*bodies)[i]; });
}

// The numbers of a size that a shape uses; meshes and height fields have none.
std::string size_text(int type, const double* size) {
  if (static_cast<GeomType>(type) == GeomType::kPlane) return cell_text(vector(size, 3));
  const int count = size_count(static_cast<GeomType>(type));
  return count > 0 ? cell_text(vector(size, count)) : "-";
}

// Collision settings of a geom: contype/conaffinity/condim.
std::string collision_text(const Model& m, int g) {
  return fmt::format("{}/{}/{}", m.geom_contype[g], m.geom_conaffinity[g], m.geom_condim[g]);
}

std::string mesh_or_hfield(const Model& m, int g) {
  const int data = m.geom_dataid[g];
  const auto type = static_cast<GeomType>(m.geom_type[g]);
  return printable(name_or_number(m, type == GeomType::kHfield ? ObjectType::kHfield : ObjectType::kMesh, data));
}

Json tracking(int mode) {
  constexpr const char* kModes[] = {"fixed", "track", "trackcom", "targetbody", "targetbodycom"};
  return mode >= 0 && mode < 5 ? kModes[mode] : "?";
}

}  // namespace

InspectSection bodies_section() {
  return {"bodies",
          "Bodies",
          [](const Model& m) { return m.nbody; },
          {id_column(),
           name_column(ObjectType::kBody),
           reference_column("parent", "parent", ObjectType::kBody,
                            [](const Model& m, int b) { return b == 0 ? -1 : m.body_parentid[b]; }),
           {"joints", "joints", [](const Model& m, int b) { return Json(m.body_jntnum[b]); }},
           {"dofs", "dofs", [](const Model& m, int b) { return Json(m.body_dofnum[b]); }},
           {"geoms", "geoms", [](const Model& m, int b) { return Json(m.body_geomnum[b]); }},
           {"mass", "mass kg", [](const Model& m, int b) { return Json(m.body_mass[b]); }},
           {"subtree_mass", "subtree kg", [](const Model& m, int b) { return Json(m.body_subtreemass[b]); }},
           {"pos", nullptr, [](const Model& m, int b) { return vector(m.body_pos, b, 3); }},
           {"quat", nullptr, [](const Model& m, int b) { return vector(m.body_quat, b, 4); }},
           {"com", "COM in body m", [](const Model& m, int b) { return vector(m.body_ipos, b, 3); }, {}, kSecondary},
           {"inertia",
            "inertia kg m^2",
            [](const Model& m, int b) { return vector(m.body_inertia, b, 3); },
            {},
            kSecondary},
           {"inertia_quat", nullptr, [](const Model& m, int b) { return vector(m.body_iquat, b, 4); }}}};
}

InspectSection joints_section() {
  const auto axis = [](const Model& m, int j) {
    const auto type = static_cast<JointType>(m.jnt_type[j]);
    return type == JointType::kHinge || type == JointType::kSlide ? cell_text(vector(m.jnt_axis, j, 3)) : "-";
  };
  return {
      "joints",
      "Joints",
      [](const Model& m) { return m.njnt; },
      {id_column(),
       name_column(ObjectType::kJoint),
       {"type", "type", [](const Model& m, int j) { return Json(name_of(static_cast<JointType>(m.jnt_type[j]))); }},
       body_column(&Model::jnt_bodyid),
       {"qpos", "qpos", [](const Model& m, int j) { return Json(m.jnt_qposadr[j]); }},
       {"dof", "dof", [](const Model& m, int j) { return Json(m.jnt_dofadr[j]); }},
       {"pos", nullptr, [](const Model& m, int j) { return vector(m.jnt_pos, j, 3); }},
       {"axis", "axis in body", [](const Model& m, int j) { return vector(m.jnt_axis, j, 3); }, axis, kSecondary},
       {"range", "range m | rad", [](const Model& m, int j) { return range(m.jnt_limited[j], m.jnt_range.row(j, 2)); }},
       {"stiffness", "stiffness", [](const Model& m, int j) { return Json(m.jnt_stiffness[j]); }, {}, kSecondary}}};
}

InspectSection dofs_section() {
  const auto parent = [](const Model& m, int i) {
    return m.dof_parentid[i] < 0 ? "-" : std::to_string(m.dof_parentid[i]);
  };
  return {"dofs",
          "Dofs",
          [](const Model& m) { return m.nv; },
          {id_column(),
           reference_column("joint", "joint", ObjectType::kJoint, [](const Model& m, int i) { return m.dof_jntid[i]; }),
           body_column(&Model::dof_bodyid),
           {"parent", "parent", [](const Model& m, int i) { return Json(m.dof_parentid[i]); }, parent},
           {"damping", "damping", [](const Model& m, int i) { return Json(m.dof_damping[i]); }},
           {"armature", "armature", [](const Model& m, int i) { return Json(m.dof_armature[i]); }},
           {"frictionloss",
            "frictionloss",
            [](const Model& m, int i) { return Json(m.dof_frictionloss[i]); },
            {},
            kSecondary},
           {"M0", "inertia M0", [](const Model& m, int i) { return Json(m.dof_M0[i]); }, {}, kSecondary}}};
}

InspectSection geoms_section() {
  const auto size = [](const Model& m, int g) {
    return m.geom_dataid[g] < 0 ? size_text(m.geom_type[g], m.geom_size.row(g, 3)) : mesh_or_hfield(m, g);
  };
  const auto collision = [](const Model& m, int g) -> Json {
    if (static_cast<GeomType>(m.geom_type[g]) != GeomType::kMesh) return nullptr;
    return m.geom_meshcollision[g] == static_cast<int>(MeshCollision::kTriangles) ? "triangles" : "hull";
  };
  return {
      "geoms",
      "Geoms",
      [](const Model& m) { return m.ngeom; },
      {id_column(),
       name_column(ObjectType::kGeom),
       {"type", "type", [](const Model& m, int g) { return Json(name_of(static_cast<GeomType>(m.geom_type[g]))); }},
       body_column(&Model::geom_bodyid),
       {"size", "size m | asset", [](const Model& m, int g) { return vector(m.geom_size, g, 3); }, size},
       {"data", nullptr, [](const Model& m, int g) { return Json(m.geom_dataid[g]); }},
       {"contype", "type/aff/dim", [](const Model& m, int g) { return Json(m.geom_contype[g]); }, collision_text,
        kSecondary},
       {"conaffinity", nullptr, [](const Model& m, int g) { return Json(m.geom_conaffinity[g]); }},
       {"condim", nullptr, [](const Model& m, int g) { return Json(m.geom_condim[g]); }},
       {"friction", "friction", [](const Model& m, int g) { return vector(m.geom_friction, g, 3); }, {}, kSecondary},
       {"pos", "pos in body m", [](const Model& m, int g) { return vector(m.geom_pos, g, 3); }, {}, kSecondary},
       {"quat", nullptr, [](const Model& m, int g) { return vector(m.geom_quat, g, 4); }},
       {"group", nullptr, [](const Model& m, int g) { return Json(m.geom_group[g]); }},
       {"material", nullptr, [](const Model& m, int g) { return Json(m.geom_matid[g]); }},
       {"rgba", nullptr, [](const Model& m, int g) { return vector(m.geom_rgba, g, 4); }},
       {"meshcollision", nullptr, collision}}};
}

InspectSection sites_section() {
  const auto size = [](const Model& m, int s) { return size_text(m.site_type[s], m.site_size.row(s, 3)); };
  return {"sites",
          "Sites",
          [](const Model& m) { return m.nsite; },
          {id_column(),
           name_column(ObjectType::kSite),
           {"type", "type", [](const Model& m, int s) { return Json(name_of(static_cast<GeomType>(m.site_type[s]))); }},
           body_column(&Model::site_bodyid),
           {"pos", "pos in body m", [](const Model& m, int s) { return vector(m.site_pos, s, 3); }},
           {"quat", "quat wxyz", [](const Model& m, int s) { return vector(m.site_quat, s, 4); }, {}, kSecondary},
           {"size", "size m", [](const Model& m, int s) { return vector(m.site_size, s, 3); }, size, kSecondary},
           {"group", nullptr, [](const Model& m, int s) { return Json(m.site_group[s]); }}}};
}

InspectSection cameras_section() {
  const auto fovy = [](const Model& m, int c) {
    return cell_text(m.cam_fovy[c]) + (m.cam_projection[c] == 1 ? " m" : " deg");
  };
  return {"cameras",
          "Cameras",
          [](const Model& m) { return m.ncam; },
          {id_column(),
           name_column(ObjectType::kCamera),
           body_column(&Model::cam_bodyid),
           {"mode", "mode", [](const Model& m, int c) { return tracking(m.cam_mode[c]); }},
           reference_column("target", "target", ObjectType::kBody,
                            [](const Model& m, int c) { return m.cam_targetbodyid[c]; }),
           {"projection", "projection",
            [](const Model& m, int c) { return Json(m.cam_projection[c] == 1 ? "orthographic" : "perspective"); }},
           {"fovy", "fovy", [](const Model& m, int c) { return Json(m.cam_fovy[c]); }, fovy},
           {"pos", "pos in body m", [](const Model& m, int c) { return vector(m.cam_pos, c, 3); }, {}, kSecondary},
           {"quat", nullptr, [](const Model& m, int c) { return vector(m.cam_quat, c, 4); }},
           {"resolution",
            "pixels",
            [](const Model& m, int c) {
              return Json{m.cam_resolution[2 * c], m.cam_resolution[2 * c + 1]};
            },
            {},
            kSecondary}}};
}

InspectSection lights_section() {
  const auto type = [](const Model& m, int l) -> Json {
    constexpr const char* kTypes[] = {"spot", "directional", "point", "image"};
    return m.light_type[l] >= 0 && m.light_type[l] < 4 ? kTypes[m.light_type[l]] : "?";
  };
  return {
      "lights",
      "Lights",
      [](const Model& m) { return m.nlight; },
      {id_column(),
       name_column(ObjectType::kLight),
       {"type", "type", type},
       body_column(&Model::light_bodyid),
       {"mode", "mode", [](const Model& m, int l) { return tracking(m.light_mode[l]); }},
       reference_column("target", "target", ObjectType::kBody,
                        [](const Model& m, int l) { return m.light_targetbodyid[l]; }),
       {"active", "on", [](const Model& m, int l) { return Json(bool(m.light_active[l])); }},
       {"pos", "pos in body m", [](const Model& m, int l) { return vector(m.light_pos, l, 3); }, {}, kSecondary},
       {"dir", "direction in body", [](const Model& m, int l) { return vector(m.light_dir, l, 3); }, {}, kSecondary},
       {"diffuse", nullptr, [](const Model& m, int l) { return vector(m.light_diffuse, l, 3); }}}};
}

}  // namespace torsor::cli
