// The final numbering of bodies, joints and dofs, and the sparsity that follows from it.
#pragma once

#include <vector>

#include "torsor/compile/draft.hpp"
#include "torsor/compile/origins.hpp"
#include "torsor/model/model.hpp"
#include "torsor/model/structure.hpp"

namespace torsor::compiler {

// Bodies in depth-first order. Names are those of the Model's fields.
struct Tree {
  std::vector<int> order;    // final body id -> index in Draft::bodies
  std::vector<int> body_id;  // index in Draft::bodies -> final id, -1 for fused bodies
  std::vector<int> body_parentid, body_rootid, body_weldid, body_treeid, body_mocapid;
  std::vector<int> body_jntadr, body_jntnum, body_dofadr, body_dofnum;
  std::vector<Byte> body_simple;
  std::vector<int> dof_bodyid, dof_parentid, dof_treeid, dof_simplenum;
  std::vector<int> tree_bodyadr, tree_bodynum, tree_dofadr, tree_dofnum, tree_sleep_policy;
  std::vector<int> subtree_end;  // one past the last descendant of each body
  std::vector<int> dofs_before;  // dofs of all bodies before this one; one entry more than there are bodies
  std::vector<int> last_dof;     // of the body or its nearest ancestor that has dofs, -1 for none
  std::vector<int> dof_depth;    // ancestors of a dof, itself included
  int njnt = 0, nq = 0, nmocap = 0;

  int nbody() const { return static_cast<int>(order.size()); }
  int nv() const { return static_cast<int>(dof_bodyid.size()); }
};

Tree make_tree(const Draft& draft);

SparsitySizes count_sparsity(const Tree& tree);

// Writes the numbering into the fields of the same names, and the rows, columns and maps of M, B and D.
void write_tree(const Tree& tree, Model& model);
void write_sparsity(Model& model);  // after write_tree()

// Contact pairs of geoms and exclusions of bodies, sorted. contacts.cpp
void settle_contacts(Draft& draft, const Tree& tree);

// Resolve the references of elements in the final numbering, and check their other attributes. Actuators come after
// tendons, and sensors after both.
struct Targets;
void settle_cameras(Draft& draft, const Tree& tree);                             // cameras_lights.cpp
void settle_lights(Draft& draft, const Tree& tree);                              // cameras_lights.cpp
void settle_tendons(Draft& draft, const Tree& tree, const Targets& targets);     // tendons.cpp: paths, dofs
void settle_actuators(Draft& draft, const Tree& tree, const Targets& targets);   // actuators.cpp: targets, dofs, counts
void settle_equalities(Draft& draft, const Targets& targets);                    // equalities.cpp
void settle_skins(Draft& draft);                                                 // skins.cpp: bones
void settle_sensors(Draft& draft, const Tree& tree, const Targets& targets);     // sensors.cpp: objects, counts
void settle_custom(Draft& draft, const Targets& targets);                        // custom.cpp
void settle_keys(Draft& draft, const ModelSizes& sizes, bool has_all_controls);  // keys.cpp: numbers that are given

// origins.cpp
Origins find_origins(const Draft& draft, const Tree& tree);

}  // namespace torsor::compiler
