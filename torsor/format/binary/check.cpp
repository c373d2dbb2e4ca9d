// Whether the indices of a model stay within what they index, and the tree is a tree. Kernels rely on that unasked.
#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "torsor/format/binary/binary.hpp"
#include "torsor/model/sensor_form.hpp"

namespace torsor {
namespace {

class StructureCheck {
 public:
  StructureCheck(const Model& model, const std::string& name) : m(model), name_(name) {}

  void all() const {
    sizes();
    bodies();
    joints_and_dofs();
    shapes_and_views();
    assets();
    contacts();
    equalities();
    tendons();
    sensors();
    names_and_custom();
    matrices();
  }

 private:
  [[noreturn]] void fail(const char* what, int index) const {
    throw Error({Diagnostic{
        Severity::kError, {name_, 0, 0}, fmt::format("corrupted: {}[{}] is out of range", what, index), {}}});
  }
  void expect(bool condition, const char* what, int index) const {
    if (!condition) fail(what, index);
  }
  // Every value from `first` to `count` - 1.
  template <class T>
  void ids(const char* what, const Field<T>& values, int count, int first = 0) const {
    for (int i = 0; i < values.size(); ++i) expect(values[i] >= first && values[i] < count, what, i);
  }
  // Every run address, address + number lies in an array of `count` elements; an empty run may start anywhere below 0.
  void runs(const char* what, const Field<int>& addresses, const Field<int>& numbers, int count) const {
    for (int i = 0; i < addresses.size(); ++i) {
      const int64_t end = int64_t{addresses[i]} + numbers[i];
      expect(numbers[i] >= 0 && (numbers[i] == 0 || (addresses[i] >= 0 && end <= count)), what, i);
    }
  }

  // Sizes that no array of the model vouches for, but for which a Data allocates.
  void sizes() const {
    constexpr int kMost = 1 << 24;
    expect(m.nu <= kMost, "nu", 0);
    expect(m.na <= kMost, "na", 0);
    expect(m.nhistory <= kMost, "nhistory", 0);
    expect(m.nsensordata <= kMost, "nsensordata", 0);
    expect(m.nuserdata <= kMost, "nuserdata", 0);
  }

  void bodies() const {
    expect(m.nbody >= 1, "nbody", 0);
    expect(m.body_parentid[0] == 0, "body_parentid", 0);
    for (int b = 1; b < m.nbody; ++b) expect(m.body_parentid[b] >= 0 && m.body_parentid[b] < b, "body_parentid", b);
    ids("body_rootid", m.body_rootid, m.nbody);
    ids("body_weldid", m.body_weldid, m.nbody);
    ids("body_mocapid", m.body_mocapid, m.nmocap, -1);
    ids("body_treeid", m.body_treeid, m.ntree, -1);
    runs("body_jntadr", m.body_jntadr, m.body_jntnum, m.njnt);
    runs("body_dofadr", m.body_dofadr, m.body_dofnum, m.nv);
    runs("body_geomadr", m.body_geomadr, m.body_geomnum, m.ngeom);
    runs("tree_bodyadr", m.tree_bodyadr, m.tree_bodynum, m.nbody);
    runs("tree_dofadr", m.tree_dofadr, m.tree_dofnum, m.nv);
    ids("body_sameframe", m.body_sameframe, 5);
  }

  void joints_and_dofs() const {
    constexpr int kCoordinates[] = {7, 4, 1, 1}, kDofs[] = {6, 3, 1, 1};
    ids("jnt_type", m.jnt_type, 4);
    ids("jnt_bodyid", m.jnt_bodyid, m.nbody);
    ids("jnt_actuatorid", m.jnt_actuatorid, m.nactuator, -2);  // -2 for several
    for (int j = 0; j < m.njnt; ++j) {
      expect(m.jnt_qposadr[j] >= 0 && m.jnt_qposadr[j] <= m.nq - kCoordinates[m.jnt_type[j]], "jnt_qposadr", j);
      expect(m.jnt_dofadr[j] >= 0 && m.jnt_dofadr[j] <= m.nv - kDofs[m.jnt_type[j]], "jnt_dofadr", j);
    }
    ids("dof_bodyid", m.dof_bodyid, m.nbody);
    ids("dof_jntid", m.dof_jntid, m.njnt);
    ids("dof_treeid", m.dof_treeid, m.ntree);
    ids("dof_Madr", m.dof_Madr, m.nM);
    for (int i = 0; i < m.nv; ++i) {
      expect(m.dof_parentid[i] >= -1 && m.dof_parentid[i] < i, "dof_parentid", i);
      expect(m.dof_simplenum[i] >= 0 && m.dof_simplenum[i] <= m.nv - i, "dof_simplenum", i);
    }
  }

  void shapes_and_views() const {
    ids("geom_bodyid", m.geom_bodyid, m.nbody);
    ids("geom_meshcollision", m.geom_meshcollision, 2);
    ids("geom_matid", m.geom_matid, m.nmat, -1);
    ids("geom_sameframe", m.geom_sameframe, 5);
    for (int g = 0; g < m.ngeom; ++g) {
      const bool is_hfield = m.geom_type[g] == static_cast<int>(GeomType::kHfield);
      const int data = m.geom_dataid[g];
      expect(data >= -1 && data < (is_hfield ? m.nhfield : m.nmesh), "geom_dataid", g);
    }
    ids("site_bodyid", m.site_bodyid, m.nbody);
    ids("site_matid", m.site_matid, m.nmat, -1);
    ids("site_sameframe", m.site_sameframe, 5);
    ids("cam_bodyid", m.cam_bodyid, m.nbody);
    ids("cam_targetbodyid", m.cam_targetbodyid, m.nbody, -1);
    ids("light_bodyid", m.light_bodyid, m.nbody);
    ids("light_targetbodyid", m.light_targetbodyid, m.nbody, -1);
    ids("light_texid", m.light_texid, m.ntex, -1);
    ids("mat_texid", m.mat_texid, m.ntex, -1);
  }

  void assets() const {
    runs("mesh_vertadr", m.mesh_vertadr, m.mesh_vertnum, m.nmeshvert);
    runs("mesh_faceadr", m.mesh_faceadr, m.mesh_facenum, m.nmeshface);
    runs("mesh_normaladr", m.mesh_normaladr, m.mesh_normalnum, m.nmeshnormal);
    runs("mesh_texcoordadr", m.mesh_texcoordadr, m.mesh_texcoordnum, m.nmeshtexcoord);
    hulls();
    trees();
    ids("mesh_pathadr", m.mesh_pathadr, m.npaths, -1);
    for (int mesh = 0; mesh < m.nmesh; ++mesh) {
      if (m.mesh_facenum[mesh] == 0) continue;  // whose address may be anything
      for (int i = 3 * m.mesh_faceadr[mesh]; i < 3 * (m.mesh_faceadr[mesh] + m.mesh_facenum[mesh]); ++i) {
        expect(m.mesh_face[i] >= 0 && m.mesh_face[i] < m.mesh_vertnum[mesh], "mesh_face", i);
        expect(m.mesh_facenormal[i] >= 0 && m.mesh_facenormal[i] < m.mesh_normalnum[mesh], "mesh_facenormal", i);
        expect(m.mesh_texcoordnum[mesh] == 0 ||
                   (m.mesh_facetexcoord[i] >= 0 && m.mesh_facetexcoord[i] < m.mesh_texcoordnum[mesh]),
               "mesh_facetexcoord", i);
      }
    }
    ids("hfield_pathadr", m.hfield_pathadr, m.npaths, -1);
    for (int h = 0; h < m.nhfield; ++h) {
      const int64_t numbers = int64_t{m.hfield_nrow[h]} * m.hfield_ncol[h];
      expect(m.hfield_nrow[h] >= 0 && m.hfield_ncol[h] >= 0 && m.hfield_adr[h] >= 0 &&
                 m.hfield_adr[h] + numbers <= m.nhfielddata,
             "hfield_adr", h);
    }
  }

  void hulls() const {
    runs("mesh_hullvertadr", m.mesh_hullvertadr, m.mesh_hullvertnum, m.nmeshhullvert);
    runs("mesh_hullfaceadr", m.mesh_hullfaceadr, m.mesh_hullfacenum, m.nmeshhullface);
    runs("mesh_hulledgeadr", m.mesh_hulledgeadr, m.mesh_hulledgenum, m.nmeshhulledge);
    for (int mesh = 0; mesh < m.nmesh; ++mesh) {
      const int count = m.mesh_hullvertnum[mesh];
      for (int i = 27 * mesh; i < 27 * (mesh + 1); ++i)
        expect(m.mesh_hullextrema[i] >= 0 && m.mesh_hullextrema[i] < std::max(1, count), "mesh_hullextrema", i);
      for (int k = m.mesh_hullvertadr[mesh], end = k + count; k < end; ++k) {
        expect(m.mesh_hullvert[k] >= 0 && m.mesh_hullvert[k] < m.mesh_vertnum[mesh], "mesh_hullvert", k);
        for (int n = m.mesh_hulledgeadr[k], last = n + m.mesh_hulledgenum[k]; n < last; ++n)
          expect(m.mesh_hulledge[n] >= 0 && m.mesh_hulledge[n] < count, "mesh_hulledge", n);
      }
      for (int k = 3 * m.mesh_hullfaceadr[mesh], end = k + 3 * m.mesh_hullfacenum[mesh]; k < end; ++k)
        expect(m.mesh_hullface[k] >= 0 && m.mesh_hullface[k] < count, "mesh_hullface", k);
    }
  }

  // Children follow their parents, so that walks end.
  void trees() const {
    runs("mesh_triadr", m.mesh_triadr, m.mesh_trinum, m.nmeshtri);
    runs("mesh_treeadr", m.mesh_treeadr, m.mesh_treenum, m.nmeshtree);
    for (int mesh = 0; mesh < m.nmesh; ++mesh) {
      const int triangles = m.mesh_trinum[mesh], nodes = m.mesh_treenum[mesh];
      expect((triangles > 0) == (nodes > 0), "mesh_treenum", mesh);
      for (int i = 3 * m.mesh_triadr[mesh], end = i + 3 * triangles; i < end; ++i) {
        expect(m.mesh_tri[i] >= 0 && m.mesh_tri[i] < m.mesh_vertnum[mesh], "mesh_tri", i);
        expect(m.mesh_trineighbor[i] >= -1 && m.mesh_trineighbor[i] < triangles, "mesh_trineighbor", i);
      }
      for (int n = 0; n < nodes; ++n) {
        const int* link = m.mesh_treelink.row(m.mesh_treeadr[mesh] + n, 2);
        const bool is_leaf = link[1] > 0 && link[0] >= 0 && link[0] <= triangles - link[1];
        const bool is_inner = link[1] == 0 && link[0] > n + 1 && link[0] < nodes;
        expect(is_leaf || is_inner, "mesh_treelink", m.mesh_treeadr[mesh] + n);
      }
    }
  }

  // Sorted, since collision looks bodies up.
  void contacts() const {
    ids("pair_geom1", m.pair_geom1, m.ngeom);
    ids("pair_geom2", m.pair_geom2, m.ngeom);
    for (int p = 0; p < m.npair; ++p) {
      const int first = m.geom_bodyid[m.pair_geom1[p]], second = m.geom_bodyid[m.pair_geom2[p]], dim = m.pair_dim[p];
      expect(dim == 1 || dim == 3 || dim == 4 || dim == 6, "pair_dim", p);
      expect(first <= second && m.pair_signature[p] == (first << 16) + second, "pair_signature", p);
      expect(p == 0 || m.pair_signature[p - 1] <= m.pair_signature[p], "pair_signature", p);
    }
    for (int e = 0; e < m.nexclude; ++e) {
      const int first = m.exclude_signature[e] >> 16, second = m.exclude_signature[e] & 0xffff;
      expect(first >= 0 && first <= second && second < m.nbody, "exclude_signature", e);
      expect(e == 0 || m.exclude_signature[e - 1] <= m.exclude_signature[e], "exclude_signature", e);
    }
  }

  void equalities() const {
    for (int e = 0; e < m.neq; ++e) {
      const auto type = static_cast<EqualityType>(m.eq_type[e]);
      expect(m.eq_type[e] >= 0 && type <= EqualityType::kTendon, "eq_type", e);
      const bool of_sites = m.eq_objtype[e] == static_cast<int>(ObjectType::kSite);
      const bool in_space = type == EqualityType::kConnect || type == EqualityType::kWeld;
      expect(in_space ? of_sites || m.eq_objtype[e] == static_cast<int>(ObjectType::kBody) : m.eq_objtype[e] == 0,
             "eq_objtype", e);
      const int count = in_space ? (of_sites ? m.nsite : m.nbody) : type == EqualityType::kJoint ? m.njnt : m.ntendon;
      expect(m.eq_obj1id[e] >= 0 && m.eq_obj1id[e] < count, "eq_obj1id", e);
      expect(m.eq_obj2id[e] >= (in_space ? 0 : -1) && m.eq_obj2id[e] < count, "eq_obj2id", e);
      if (type != EqualityType::kJoint) continue;
      for (const int joint : {m.eq_obj1id[e], m.eq_obj2id[e]})
        expect(joint < 0 || m.jnt_type[joint] >= static_cast<int>(JointType::kSlide), "eq_obj1id", e);
    }
  }

  // Paths as compile() makes them: kernels read a branch from its first site to its last, and walk the dofs of its
  // bodies along the columns of ten_J.
  void tendons() const {
    runs("tendon_adr", m.tendon_adr, m.tendon_num, m.nwrap);
    ids("tendon_matid", m.tendon_matid, m.nmat, -1);
    ids("tendon_actuatorid", m.tendon_actuatorid, m.nactuator, -2);  // -2 for several
    ids("tendon_treeid", m.tendon_treeid, m.ntree, -1);
    runs("ten_J_rowadr", m.ten_J_rowadr, m.ten_J_rownnz, m.nJten);
    ids("ten_J_colind", m.ten_J_colind, m.nv);
    for (int t = 0; t < m.ntendon; ++t) {
      expect(m.tendon_num[t] > 0, "tendon_num", t);
      const int* columns = m.ten_J_colind.data() + m.ten_J_rowadr[t];
      expect(std::is_sorted(columns, columns + m.ten_J_rownnz[t]), "ten_J_colind", t);
      const bool is_fixed = wrap_type(m.tendon_adr[t]) == WrapType::kJoint;
      for (int k = m.tendon_adr[t], end = k + m.tendon_num[t]; k < end; ++k) {
        expect((wrap_type(k) == WrapType::kJoint) == is_fixed, "wrap_type", k);
        path_element(k, m.tendon_adr[t], end, t);
      }
    }
  }
  WrapType wrap_type(int k) const { return static_cast<WrapType>(m.wrap_type[k]); }

  void path_element(int k, int begin, int end, int tendon) const {
    const auto is_site = [&](int at) { return at >= begin && at < end && wrap_type(at) == WrapType::kSite; };
    const int id = m.wrap_objid[k];
    switch (wrap_type(k)) {
      case WrapType::kJoint:
        expect(id >= 0 && id < m.njnt, "wrap_objid", k);
        return expect(has_column(tendon, m.jnt_dofadr[id]), "ten_J_colind", tendon);
      case WrapType::kSite:
        expect(id >= 0 && id < m.nsite, "wrap_objid", k);
        return columns_of_body(tendon, m.site_bodyid[id]);
      case WrapType::kSphere:
      case WrapType::kCylinder:
        expect(id >= 0 && id < m.ngeom, "wrap_objid", k);
        expect(is_site(k - 1) && is_site(k + 1), "wrap_type", k);
        return columns_of_body(tendon, m.geom_bodyid[id]);
      case WrapType::kPulley:
        return;
      default:
        fail("wrap_type", k);
    }
  }
  bool has_column(int tendon, int dof) const {
    const int* begin = m.ten_J_colind.data() + m.ten_J_rowadr[tendon];
    return std::binary_search(begin, begin + m.ten_J_rownnz[tendon], dof);
  }
  void columns_of_body(int tendon, int body) const {
    const int moved = m.body_weldid[body], count = m.body_dofnum[moved];
    for (int i = count > 0 ? m.body_dofadr[moved] + count - 1 : -1; i >= 0; i = m.dof_parentid[i])
      expect(has_column(tendon, i), "ten_J_colind", tendon);
  }

  // Readings lie in sensordata, objects exist and are what the type of the sensor measures.
  void sensors() const {
    runs("sensor_adr", m.sensor_adr, m.sensor_dim, m.nsensordata);
    for (int s = 0; s < m.nsensor; ++s) {
      sensed("sensor_objid", m.sensor_objtype[s], m.sensor_objid[s], s);
      sensed("sensor_refid", m.sensor_reftype[s], m.sensor_refid[s], s);
      const SensorForm form = sensor_form(static_cast<SensorType>(m.sensor_type[s]));
      expect(form.dim > -2, "sensor_type", s);
      const int64_t samples = m.sensor_history[2 * s], address = m.sensor_historyadr[s];
      const int64_t size = 2 + samples * (1 + int64_t{m.sensor_dim[s]});
      expect(address < 0 || (samples > 0 && address + size <= m.nhistory), "sensor_historyadr", s);
      if (form.dim == -1) continue;
      expect(m.sensor_dim[s] == (form.dim > 0 ? form.dim : sensor_numbers(s)), "sensor_dim", s);
      expect(m.sensor_needstage[s] == static_cast<int>(form.stage), "sensor_needstage", s);
      const auto type = static_cast<SensorType>(m.sensor_type[s]);
      expect(can_measure(type, static_cast<ObjectType>(m.sensor_objtype[s])), "sensor_objtype", s);
      expect(can_refer(type, static_cast<ObjectType>(m.sensor_reftype[s])), "sensor_reftype", s);
    }
  }
  // Of sensors whose parameters say how many: rays of a site or of all pixels, contacts.
  int64_t sensor_numbers(int s) const {
    constexpr int kMostBits = kContactTangent * 2, kMostContacts = 1 << 24;
    const int* parameters = m.sensor_intprm.row(s, 3);
    const auto type = static_cast<SensorType>(m.sensor_type[s]);
    expect(parameters[0] > 0 && parameters[0] < kMostBits, "sensor_intprm", s);
    expect(parameters[1] >= 0 && parameters[1] < 4 && parameters[2] >= 0 && parameters[2] < kMostContacts,
           "sensor_intprm", s);
    int64_t count = 1;
    if (type == SensorType::kContact) count = parameters[2];
    if (m.sensor_objtype[s] == static_cast<int>(ObjectType::kCamera)) {
      const int* pixels = m.cam_resolution.row(m.sensor_objid[s], 2);
      count = int64_t{pixels[0]} * pixels[1];
    }
    return count * reading_size(type, parameters[0]);
  }
  // An object of a known type, or none.
  void sensed(const char* what, int type, int id, int sensor) const {
    const bool is_none = type == static_cast<int>(ObjectType::kUnknown);
    expect(is_none ? id == -1 : id >= 0 && id < m.count(static_cast<ObjectType>(type)), what, sensor);
  }

  void names_and_custom() const {
    m.for_each_field([&](const FieldInfo& info, const auto& addresses) {
      if (std::string_view(info.name).starts_with("name_")) ids(info.name, addresses, m.nnames);
    });
    expect(m.nnames == 0 || m.names[m.nnames - 1] == '\0', "names", m.nnames - 1);
    expect(m.npaths == 0 || m.paths[m.npaths - 1] == '\0', "paths", m.npaths - 1);
    runs("numeric_adr", m.numeric_adr, m.numeric_size, m.nnumericdata);
    runs("text_adr", m.text_adr, m.text_size, m.ntextdata);
    runs("tuple_adr", m.tuple_adr, m.tuple_size, m.ntupledata);
    for (int t = 0; t < m.ntext; ++t) {
      expect(m.text_size[t] >= 1 && m.text_data[m.text_adr[t] + m.text_size[t] - 1] == '\0', "text_size", t);
    }
    for (int i = 0; i < m.ntupledata; ++i) {
      const int count = m.count(static_cast<ObjectType>(m.tuple_objtype[i]));
      expect(m.tuple_objid[i] >= -1 && (count < 0 || m.tuple_objid[i] < count), "tuple_objid", i);
    }
  }

  // Rows of M must be the dof's ancestors and itself, or itself alone: kernels walk both at once.
  void matrices() const {
    runs("B_rowadr", m.B_rowadr, m.B_rownnz, m.nB);
    runs("M_rowadr", m.M_rowadr, m.M_rownnz, m.nC);
    runs("D_rowadr", m.D_rowadr, m.D_rownnz, m.nD);
    ids("B_colind", m.B_colind, m.nv);
    ids("M_colind", m.M_colind, m.nv);
    ids("D_colind", m.D_colind, m.nv);
    ids("mapM2M", m.mapM2M, m.nM);
    ids("mapM2D", m.mapM2D, m.nC, -1);
    ids("mapD2M", m.mapD2M, m.nD);
    std::vector<int> chain(static_cast<size_t>(m.nv));  // how many dofs from each to its root
    int64_t numbers_in_chains = 0;
    for (int i = 0; i < m.nv; ++i) {
      const size_t parent = static_cast<size_t>(m.dof_parentid[i]);
      chain[static_cast<size_t>(i)] = 1 + (m.dof_parentid[i] < 0 ? 0 : chain[parent]);
      numbers_in_chains += chain[static_cast<size_t>(i)];
      expect(m.D_diag[i] >= 0 && m.D_diag[i] < m.D_rownnz[i], "D_diag", i);
      expect(m.M_rownnz[i] >= 1, "M_rownnz", i);
      int place = m.M_rowadr[i] + m.M_rownnz[i] - 1;
      expect(m.M_colind[place] == i, "M_colind", place);
      if (m.M_rownnz[i] == 1 && m.dof_simplenum[i] > 0) continue;
      for (int j = m.dof_parentid[i]; j >= 0; j = m.dof_parentid[j]) {
        expect(--place >= m.M_rowadr[i] && m.M_colind[place] == j, "M_colind", i);
      }
      expect(place == m.M_rowadr[i], "M_rowadr", i);
    }
    expect(numbers_in_chains == m.nM, "nM", 0);
  }

  const Model& m;
  const std::string& name_;
};

}  // namespace

void check_structure(const Model& model, const std::string& name) { StructureCheck(model, name).all(); }

}  // namespace torsor
