// Numbers of entries of the sparse matrices over dofs, before there is a Model; see model/structure.hpp for the
// matrices.
#include "torsor/compile/tree.hpp"

namespace torsor::compiler {
namespace {

// Dofs of a body's descendants: [first, second).
std::pair<int, int> dofs_below(const Tree& tree, int b) {
  return {tree.dofs_before[at(b + 1)], tree.dofs_before[at(tree.subtree_end[at(b)])]};
}

int descendants_end(const Tree& tree, int i) { return dofs_below(tree, tree.dof_bodyid[at(i)]).second; }

}  // namespace

SparsitySizes count_sparsity(const Tree& tree) {
  SparsitySizes sizes;
  for (int i = 0; i < tree.nv(); ++i) {
    const int depth = tree.dof_depth[at(i)];
    sizes.nM += depth;
    sizes.nC += tree.dof_simplenum[at(i)] > 0 ? 1 : depth;
    sizes.nD += depth + descendants_end(tree, i) - i - 1;
  }
  for (int b = 0; b < tree.nbody(); ++b) {
    const auto [first, end] = dofs_below(tree, b);
    const int last = tree.last_dof[at(b)];
    sizes.nB += (last < 0 ? 0 : tree.dof_depth[at(last)]) + end - first;
  }
  return sizes;
}

void write_sparsity(Model& model) { torsor::write_sparsity(Lineage(model), model); }

}  // namespace torsor::compiler
