// A small model made by hand for the tests of binary files: two bodies on a hinge and a free joint, a mocap body, one
// of all else.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "torsor/model/model.hpp"
#include "torsor/model/structure.hpp"

namespace torsor::test {

template <class T>
void fill(const Field<T>& field, std::initializer_list<T> values) {
  std::copy(values.begin(), values.end(), field.begin());
}

inline ModelSizes small_sizes() {
  ModelSizes s;
  s.nbody = 4;
  s.njnt = 2;
  s.nq = 8;
  s.nv = 7;
  s.ntree = 2;
  s.nM = 1 + 21;
  s.nB = 7 + 1 + 6;
  s.nC = 1 + 21;
  s.nD = 1 + 36;
  s.ngeom = 2;
  s.nsite = 1;
  s.ncam = s.nlight = s.nmat = s.ntex = s.nmocap = 1;
  s.nmesh = s.nmeshface = s.nmeshnormal = s.nmeshtexcoord = 1;
  s.nmeshvert = 3;
  s.nmeshtri = s.nmeshtree = 1;
  s.nmeshhullvert = s.nmeshhulledge = 2;
  s.nmeshhullface = s.npair = s.nexclude = 1;
  s.neq = 2;
  s.nhfield = 1;
  s.nhfielddata = 4;
  s.npaths = 2;
  s.nkey = 1;
  s.nnumeric = s.ntext = s.ntuple = 1;
  s.nnumericdata = 2;
  s.ntextdata = 3;
  s.ntupledata = 1;
  s.nnames = 25;
  s.nuser_geom = 1;
  s.njmax = s.nconmax = -1;
  return s;
}

// The dofs of a hinge and a free joint beside it.
inline void fill_dofs(Model& m) {
  for (int i = 0; i < m.nv; ++i) {
    m.dof_parentid[i] = i <= 1 ? -1 : i - 1;
    m.dof_bodyid[i] = i == 0 ? 1 : 2;
    m.dof_jntid[i] = i == 0 ? 0 : 1;
    m.dof_treeid[i] = i == 0 ? 0 : 1;
  }
  write_sparsity(Lineage(m), m);
}

inline void fill_names(Model& m) {
  const std::string names{"toy\0world\0arm\0ball\0swing\0", 25};
  std::copy(names.begin(), names.end(), m.names.begin());
  fill(m.name_bodyadr, {4, 10, 14, 24});
  fill(m.name_jntadr, {19, 24});
  for (int& address : m.name_geomadr) address = 24;
  for (const Field<int>& addresses :
       {m.name_siteadr, m.name_camadr, m.name_lightadr, m.name_meshadr, m.name_hfieldadr, m.name_texadr, m.name_matadr,
        m.name_numericadr, m.name_textadr, m.name_tupleadr, m.name_pairadr, m.name_excludeadr})
    fill(addresses, {24});
  fill(m.name_eqadr, {24, 24});
  fill(m.name_keyadr, {0});
  fill(m.paths, {'p', '\0'});
}

// Both bodies collide as a pair but not otherwise, and are connected; the hinge is held.
inline void fill_contacts(Model& m) {
  fill(m.pair_dim, {3});
  fill(m.pair_geom1, {0});
  fill(m.pair_geom2, {1});
  fill(m.pair_signature, {65536 + 2});
  fill(m.exclude_signature, {65536 + 2});
  fill(m.eq_type, {static_cast<int>(EqualityType::kConnect), static_cast<int>(EqualityType::kJoint)});
  fill(m.eq_obj1id, {1, 0});
  fill(m.eq_obj2id, {2, -1});
  fill(m.eq_objtype, {static_cast<int>(ObjectType::kBody), 0});
}

// One triangle with a texture, two corners as its hull, and a height field of two by two.
inline void fill_assets(Model& m) {
  fill(m.mesh_vertnum, {3});
  fill(m.mesh_facenum, {1});
  fill(m.mesh_normalnum, {1});
  fill(m.mesh_texcoordnum, {1});
  fill(m.mesh_face, {0, 1, 2});
  fill(m.mesh_trinum, {1});
  fill(m.mesh_treenum, {1});
  fill(m.mesh_tri, {0, 1, 2});
  fill(m.mesh_trineighbor, {-1, -1, -1});
  fill(m.mesh_treelink, {0, 1});
  fill(m.mesh_hullvertnum, {2});
  fill(m.mesh_hullfacenum, {1});
  fill(m.mesh_hullvert, {0, 2});
  fill(m.mesh_hulledgeadr, {0, 1});
  fill(m.mesh_hulledgenum, {1, 1});
  fill(m.mesh_hulledge, {1, 0});
  fill(m.mesh_hulledgeface, {0, -1});
  fill(m.mesh_hullface, {0, 1, 1});
  fill(m.hfield_nrow, {2});
  fill(m.hfield_ncol, {2});
}

inline Model small_model() {
  Model m(small_sizes());
  fill(m.body_parentid, {0, 0, 0, 0});
  fill(m.body_rootid, {0, 1, 2, 3});
  fill(m.body_weldid, {0, 1, 2, 3});
  fill(m.body_mocapid, {-1, -1, -1, 0});
  fill(m.body_treeid, {-1, 0, 1, -1});
  fill(m.body_jntnum, {0, 1, 1, 0});
  fill(m.body_jntadr, {-1, 0, 1, -1});
  fill(m.body_dofnum, {0, 1, 6, 0});
  fill(m.body_dofadr, {-1, 0, 1, -1});
  fill(m.body_geomnum, {0, 1, 1, 0});
  fill(m.body_geomadr, {-1, 0, 1, -1});
  fill(m.tree_bodyadr, {1, 2});
  fill(m.tree_bodynum, {1, 1});
  fill(m.tree_dofadr, {0, 1});
  fill(m.tree_dofnum, {1, 6});
  fill(m.jnt_type, {static_cast<int>(JointType::kHinge), static_cast<int>(JointType::kFree)});
  fill(m.jnt_qposadr, {0, 1});
  fill(m.jnt_dofadr, {0, 1});
  fill(m.jnt_bodyid, {1, 2});
  fill(m.jnt_plasticadr, {-1, -1});
  fill(m.jnt_actuatorid, {-1, -1});
  fill(m.geom_bodyid, {1, 2});
  fill(m.geom_condim, {3, 3});
  fill(m.geom_dataid, {-1, -1});
  fill(m.geom_matid, {-1, -1});
  fill(m.site_dataid, {-1});
  fill(m.site_matid, {-1});
  fill(m.numeric_size, {2});
  fill(m.text_size, {3});
  fill(m.text_data, {'h', 'i', '\0'});
  fill(m.tuple_size, {1});
  fill(m.tuple_objtype, {static_cast<int>(ObjectType::kBody)});
  fill(m.tuple_objid, {2});
  fill_assets(m);
  fill_contacts(m);
  fill_dofs(m);
  fill_names(m);
  // numbers that a bit lost on the way would change
  double value = 0.1;
  m.for_each_field([&value](const FieldInfo&, auto& field) {
    using T = std::remove_reference_t<decltype(field[0])>;
    if constexpr (std::is_floating_point_v<T>) {
      for (T& number : field) number = static_cast<T>(value = std::fmod(-1.37 * value + 0.3, 7.0));
    }
  });
  m.opt.timestep = 0.003;
  m.opt.gravity[1] = -1.5;
  m.opt.enableflags = kEnableEnergy;
  m.stat.extent = 3.25;
  m.stat.center[2] = 0.75;
  m.vis.global.fovy = 51;
  m.vis.rgba.fog[2] = 0.125f;
  m.memory = 123456789012;
  m.signature = 0xFEEDC0FFEE123456;
  m.warnings = {{Severity::kWarning, {"toy.xml", 3, 7}, "section left out", "as asked"}};
  m.index_names();
  return m;
}

}  // namespace torsor::test
