// Sections of contact pairs, assets and keyframes.
#include <fmt/format.h>

#include "cli/inspection.hpp"
#include "cli/names.hpp"

namespace torsor::cli {
namespace {

constexpr int kBodyBits = 16;  // of a signature

}  // namespace

InspectSection pairs_section() {
  return {
      "pairs",
      "Contact pairs",
      [](const Model& m) { return m.npair; },
      {id_column(),
       name_column(ObjectType::kPair),
       reference_column("geom1", "geom 1", ObjectType::kGeom, [](const Model& m, int p) { return m.pair_geom1[p]; }),
       reference_column("geom2", "geom 2", ObjectType::kGeom, [](const Model& m, int p) { return m.pair_geom2[p]; }),
       {"condim", "condim", [](const Model& m, int p) { return Json(m.pair_dim[p]); }},
       {"friction", "friction", [](const Model& m, int p) { return vector(m.pair_friction, p, 5); }},
       {"margin", "margin m", [](const Model& m, int p) { return Json(m.pair_margin[p]); }, {}, kSecondary},
       {"gap", "gap m", [](const Model& m, int p) { return Json(m.pair_gap[p]); }, {}, kSecondary}}};
}

InspectSection excludes_section() {
  const auto first = [](const Model& m, int e) { return m.exclude_signature[e] >> kBodyBits; };
  const auto second = [](const Model& m, int e) { return m.exclude_signature[e] & ((1 << kBodyBits) - 1); };
  return {
      "excludes",
      "Excluded pairs of bodies",
      [](const Model& m) { return m.nexclude; },
      {id_column(), name_column(ObjectType::kExclude), reference_column("body1", "body 1", ObjectType::kBody, first),
       reference_column("body2", "body 2", ObjectType::kBody, second)}};
}

InspectSection meshes_section() {
  return {"meshes",
          "Meshes",
          [](const Model& m) { return m.nmesh; },
          {id_column(),
           name_column(ObjectType::kMesh),
           {"vertices", "vertices", [](const Model& m, int k) { return Json(m.mesh_vertnum[k]); }},
           {"faces", "faces", [](const Model& m, int k) { return Json(m.mesh_facenum[k]); }},
           {"hull_vertices", "hull vertices", [](const Model& m, int k) { return Json(m.mesh_hullvertnum[k]); }},
           {"collision_triangles", "collision triangles", [](const Model& m, int k) { return Json(m.mesh_trinum[k]); }},
           {"scale", "scale", [](const Model& m, int k) { return vector(m.mesh_scale, k, 3); }, {}, kSecondary}}};
}

InspectSection hfields_section() {
  return {
      "hfields",
      "Height fields",
      [](const Model& m) { return m.nhfield; },
      {id_column(),
       name_column(ObjectType::kHfield),
       {"rows", "rows", [](const Model& m, int h) { return Json(m.hfield_nrow[h]); }},
       {"columns", "columns", [](const Model& m, int h) { return Json(m.hfield_ncol[h]); }},
       {"size", "half x, half y, height, base m", [](const Model& m, int h) { return vector(m.hfield_size, h, 4); }}}};
}

InspectSection materials_section() {
  return {"materials",
          "Materials",
          [](const Model& m) { return m.nmat; },
          {id_column(),
           name_column(ObjectType::kMaterial),
           {"rgba", "rgba", [](const Model& m, int k) { return vector(m.mat_rgba, k, 4); }},
           {"specular", "specular", [](const Model& m, int k) { return Json(m.mat_specular[k]); }},
           {"shininess", "shininess", [](const Model& m, int k) { return Json(m.mat_shininess[k]); }},
           {"reflectance", "reflectance", [](const Model& m, int k) { return Json(m.mat_reflectance[k]); }},
           {"emission", "emission", [](const Model& m, int k) { return Json(m.mat_emission[k]); }, {}, kSecondary}}};
}

InspectSection keyframes_section() {
  return {"keyframes",
          "Keyframes",
          [](const Model& m) { return m.nkey; },
          {id_column(),
           name_column(ObjectType::kKey),
           {"time", "time s", [](const Model& m, int k) { return Json(m.key_time[k]); }},
           {"qpos", "qpos", [](const Model& m, int k) { return vector(m.key_qpos, k, m.nq); }, {}, kSecondary},
           {"qvel", nullptr, [](const Model& m, int k) { return vector(m.key_qvel, k, m.nv); }},
           {"act", nullptr, [](const Model& m, int k) { return vector(m.key_act, k, m.na); }},
           {"ctrl", "ctrl", [](const Model& m, int k) { return vector(m.key_ctrl, k, m.nu); }, {}, kSecondary}}};
}

}  // namespace torsor::cli
