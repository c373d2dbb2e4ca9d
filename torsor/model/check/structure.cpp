// Bodies, joints, dofs, trees and sparse matrices: all of it follows from body_parentid, body_jntnum, jnt_type,
// geom_bodyid, body_simple and which bodies are mocap bodies. It is derived anew and compared.
#include "torsor/model/structure.hpp"

#include <algorithm>
#include <deque>
#include <vector>

#include <fmt/format.h>

#include "torsor/model/check/checker.hpp"

namespace torsor::checks {
namespace {

using IntField = Field<int> ModelView::*;

struct NamedField {
  const char* name;
  IntField field;
};
#define TORSOR_NAMED(name) \
  NamedField { #name, &ModelView ::name }

// Arrays that are derived and compared; and those of sparse matrices, whose sizes are known only after these.
const NamedField kTree[] = {TORSOR_NAMED(body_rootid), TORSOR_NAMED(body_weldid),  TORSOR_NAMED(body_mocapid),
                            TORSOR_NAMED(body_jntadr), TORSOR_NAMED(body_dofnum),  TORSOR_NAMED(body_dofadr),
                            TORSOR_NAMED(body_treeid), TORSOR_NAMED(body_geomnum), TORSOR_NAMED(body_geomadr),
                            TORSOR_NAMED(jnt_qposadr), TORSOR_NAMED(jnt_dofadr),   TORSOR_NAMED(jnt_bodyid),
                            TORSOR_NAMED(dof_bodyid),  TORSOR_NAMED(dof_jntid),    TORSOR_NAMED(dof_parentid),
                            TORSOR_NAMED(dof_treeid),  TORSOR_NAMED(tree_bodyadr), TORSOR_NAMED(tree_bodynum),
                            TORSOR_NAMED(tree_dofadr), TORSOR_NAMED(tree_dofnum),  TORSOR_NAMED(dof_simplenum)};
const NamedField kMatrices[] = {TORSOR_NAMED(dof_Madr), TORSOR_NAMED(B_rownnz), TORSOR_NAMED(B_rowadr),
                                TORSOR_NAMED(B_colind), TORSOR_NAMED(M_rownnz), TORSOR_NAMED(M_rowadr),
                                TORSOR_NAMED(M_colind), TORSOR_NAMED(mapM2M),   TORSOR_NAMED(D_rownnz),
                                TORSOR_NAMED(D_rowadr), TORSOR_NAMED(D_diag),   TORSOR_NAMED(D_colind),
                                TORSOR_NAMED(mapM2D),   TORSOR_NAMED(mapD2M)};
#undef TORSOR_NAMED

class StructureCheck {
 public:
  // The derived model shares all arrays with the given one, but for those that are derived.
  explicit StructureCheck(const Model& model) : given_(model), m(model) {
    for (const NamedField& each : kTree) own(each);
    for (const NamedField& each : kMatrices) own(each);
  }

  void run() {
    check_parents();
    count();
    derive_tree();
    compare(kTree);
    check_joints();
    check_simple();
    const Lineage lineage(m);
    const SparsitySizes sizes = count_sparsity(lineage);
    expect_size("nM", m.nM, sizes.nM);
    expect_size("nB", m.nB, sizes.nB);
    expect_size("nC", m.nC, sizes.nC);
    expect_size("nD", m.nD, sizes.nD);
    write_sparsity(lineage, m);
    compare(kMatrices);
  }

 private:
  void own(const NamedField& each) {
    Field<int>& field = m.*each.field;
    field.pointer = numbers_.emplace_back(static_cast<size_t>(field.size())).data();
  }

  template <size_t N>
  void compare(const NamedField (&fields)[N]) const {
    for (const NamedField& each : fields) {
      const Field<int>&given = given_.*each.field, &derived = m.*each.field;
      const auto [place, expected] = std::mismatch(given.begin(), given.end(), derived.begin());
      if (place == given.end()) continue;
      throw Fault{fmt::format("{}[{}] is {}, but follows from the tree as {}", each.name, place - given.begin(), *place,
                              *expected)};
    }
  }

  // Depth first: the parent of a body is the body before it, or an ancestor of that.
  void check_parents() const {
    expect(m.body_parentid[0] == 0, "body_parentid", 0, "the world is its own parent");
    for (int b = 1; b < m.nbody; ++b) {
      const int parent = m.body_parentid[b];
      int ancestor = b - 1;
      while (ancestor > parent) ancestor = m.body_parentid[ancestor];
      expect(ancestor == parent, "body_parentid", b, "bodies are numbered depth first");
    }
  }

  JointType type(int joint) const { return static_cast<JointType>(m.jnt_type[joint]); }

  void count() const {
    int64_t joints = 0, coordinates = 0, dofs = 0, mocaps = 0;
    for (int b = 0; b < m.nbody; ++b) joints += m.body_jntnum[b];
    for (int b = 0; b < m.nbody; ++b) mocaps += given_.body_mocapid[b] >= 0;
    for (int j = 0; j < m.njnt; ++j) {
      coordinates += qpos_count(type(j));
      dofs += dof_count(type(j));
    }
    expect_size("njnt", m.njnt, joints);
    expect_size("nq", m.nq, coordinates);
    expect_size("nv", m.nv, dofs);
    expect_size("nmocap", m.nmocap, mocaps);
    for (int g = 1; g < m.ngeom; ++g)
      expect(m.geom_bodyid[g - 1] <= m.geom_bodyid[g], "geom_bodyid", g, "geoms are numbered body by body");
  }

  void derive_tree() {
    int joint = 0, coordinate = 0, dof = 0, mocap = 0, tree = 0, geom = 0;
    std::vector<int> last_dof(static_cast<size_t>(m.nbody), -1);
    for (int b = 0; b < m.nbody; ++b) {
      const int parent = m.body_parentid[b], first_dof = dof;
      int& last = last_dof[static_cast<size_t>(b)];
      last = b == 0 ? -1 : last_dof[static_cast<size_t>(parent)];
      m.body_jntadr[b] = m.body_jntnum[b] > 0 ? joint : -1;
      m.body_geomadr[b] = geom < m.ngeom && m.geom_bodyid[geom] == b ? geom : -1;
      m.body_geomnum[b] = 0;
      for (; geom < m.ngeom && m.geom_bodyid[geom] == b; ++geom) ++m.body_geomnum[b];
      m.body_treeid[b] = b == 0 ? -1 : m.body_treeid[parent];
      if (m.body_treeid[b] < 0 && m.body_jntnum[b] > 0) begin_tree(b, dof, tree++);
      for (const int end = joint + m.body_jntnum[b]; joint < end; ++joint) {
        m.jnt_bodyid[joint] = b;
        m.jnt_qposadr[joint] = coordinate;
        m.jnt_dofadr[joint] = dof;
        coordinate += qpos_count(type(joint));
        for (const int dof_end = dof + dof_count(type(joint)); dof < dof_end; ++dof) {
          m.dof_bodyid[dof] = b;
          m.dof_jntid[dof] = joint;
          m.dof_parentid[dof] = last;
          m.dof_treeid[dof] = m.body_treeid[b];
          last = dof;
        }
      }
      m.body_dofnum[b] = dof - first_dof;
      m.body_dofadr[b] = dof > first_dof ? first_dof : -1;
      if (const int id = m.body_treeid[b]; id >= 0) {
        ++m.tree_bodynum[id];
        m.tree_dofnum[id] += dof - first_dof;
      }
      const bool is_mocap = given_.body_mocapid[b] >= 0;
      m.body_mocapid[b] = is_mocap ? mocap++ : -1;
      m.body_rootid[b] = parent == 0 ? b : m.body_rootid[parent];
      m.body_weldid[b] = b == 0 || dof > first_dof || is_mocap ? b : m.body_weldid[parent];
    }
    expect_size("ntree", m.ntree, tree);
    for (int i = m.nv - 1, run = 0; i >= 0; --i)
      m.dof_simplenum[i] = run = m.body_simple[m.dof_bodyid[i]] ? run + 1 : 0;
  }

  void begin_tree(int body, int dof, int tree) {
    if (tree >= m.ntree) expect_size("ntree", m.ntree, tree + 1);
    m.body_treeid[body] = tree;
    m.tree_bodyadr[tree] = body;
    m.tree_dofadr[tree] = dof;
    m.tree_bodynum[tree] = m.tree_dofnum[tree] = 0;
  }

  // Joints that a body may have: what kernels with room for six dofs rely on.
  void check_joints() const {
    expect(m.body_jntnum[0] == 0 && m.body_mocapid[0] < 0, "body_jntnum", 0, "the world has no joints");
    for (int b = 1; b < m.nbody; ++b) {
      const int first = m.body_jntadr[b], count = m.body_jntnum[b];
      expect(m.body_mocapid[b] < 0 || (count == 0 && m.body_parentid[b] == 0), "body_mocapid", b,
             "a mocap body is a child of the world without joints");
      expect(m.body_dofnum[b] <= 6, "body_jntnum", b, "a body has at most six dofs");
      for (int j = first; j < first + count; ++j) {
        if (type(j) == JointType::kFree)
          expect(count == 1 && m.body_parentid[b] == 0, "jnt_type", j,
                 "a free joint is the only joint of a child of the world");
      }
    }
  }

  // Rows of M of a simple body are diagonal: nothing moves above it, nothing hangs on it.
  void check_simple() const {
    std::vector<bool> is_leaf(static_cast<size_t>(m.nbody), true);
    for (int b = 1; b < m.nbody; ++b) is_leaf[static_cast<size_t>(m.body_parentid[b])] = false;
    expect(m.body_simple[0] <= 1, "body_simple", 0, "the world has no sliders");
    for (int b = 1; b < m.nbody; ++b) {
      if (m.body_simple[b] == 0) continue;
      const bool is_grounded = m.body_treeid[m.body_parentid[b]] < 0;
      expect(is_grounded && is_leaf[static_cast<size_t>(b)], "body_simple", b,
             "a simple body has no moving ancestors and no children");
    }
  }

  const Model& given_;
  ModelView m;
  std::deque<std::vector<int>> numbers_;
};

}  // namespace

void check_structure(const Model& model) { StructureCheck(model).run(); }

}  // namespace torsor::checks
