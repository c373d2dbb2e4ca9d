// What follows from the tree of a model: numbering of joints, dofs and trees, and the patterns of its sparse matrices.
#pragma once

#include <vector>

#include "torsor/model/model.hpp"

namespace torsor {

// Numbers of coordinates and of dofs that a joint has.
constexpr int qpos_count(JointType type) { return type == JointType::kFree ? 7 : type == JointType::kBall ? 4 : 1; }
constexpr int dof_count(JointType type) { return type == JointType::kFree ? 6 : type == JointType::kBall ? 3 : 1; }

// Ancestors and descendants of bodies and dofs, from body_parentid, body_dofnum, dof_bodyid and dof_parentid. Bodies
// are numbered depth first, so that a subtree is a range of bodies and of dofs.
struct Lineage {
  explicit Lineage(const ModelView& model);

  // Dofs of the descendants of a body: [first, second).
  std::pair<int, int> dofs_below(int body) const;
  int descendants_end(int dof) const { return dofs_below(model.dof_bodyid[dof]).second; }
  int chain_length(int dof) const { return dof < 0 ? 0 : dof_depth[static_cast<size_t>(dof)]; }
  // Writes a dof and its ancestors in ascending order, and returns how many there are.
  int write_chain(int dof, int* columns) const;

  const ModelView& model;
  std::vector<int> subtree_end;  // one past the last descendant of each body
  std::vector<int> dofs_before;  // dofs of all bodies before this one; one entry more than there are bodies
  std::vector<int> last_dof;     // of the body or its nearest ancestor that has dofs, -1 for none
  std::vector<int> dof_depth;    // ancestors of a dof, itself included
};

// Numbers in the sparse matrices; large enough types to find models that are too large.
struct SparsitySizes {
  long long nM = 0, nB = 0, nC = 0, nD = 0;
};
// From dof_simplenum and the lineage. M holds the lower triangle: a dof's row is its ancestors in ascending order,
// itself last; rows of simple dofs are their diagonal only. The older layout of M holds a dof, then its ancestors in
// descending order, for simple dofs too. D is the full symmetric pattern, B the pattern of bodies over the dofs above
// and below them.
SparsitySizes count_sparsity(const Lineage& lineage);
// Writes rows, columns and maps of M, B and D, and dof_Madr, into arrays of these sizes.
void write_sparsity(const Lineage& lineage, ModelView& model);

}  // namespace torsor
