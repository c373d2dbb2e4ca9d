// Rows and columns of the sparse matrices over dofs, and the maps between their layouts.
//
// M holds the lower triangle: a dof's row is its ancestors in ascending order, itself last; rows of simple dofs are
// their diagonal only. The older layout of M holds a dof, then its ancestors in descending order, for simple dofs too.
// D is the full symmetric pattern, B the pattern of bodies over the dofs above and below them. The descendants of a dof
// are the range of dofs that follows it.
#include <algorithm>
#include <numeric>

#include "torsor/compile/tree.hpp"

namespace torsor::compiler {
namespace {

bool is_simple(const Tree& tree, int i) { return tree.dof_simplenum[at(i)] > 0; }

// Dofs of a body's descendants: [first, second).
std::pair<int, int> dofs_below(const Tree& tree, int b) {
  return {tree.dofs_before[at(b + 1)], tree.dofs_before[at(tree.subtree_end[at(b)])]};
}

int descendants_end(const Tree& tree, int i) { return dofs_below(tree, tree.dof_bodyid[at(i)]).second; }

int chain_length(const Tree& tree, int last) { return last < 0 ? 0 : tree.dof_depth[at(last)]; }

// Writes a dof and its ancestors in ascending order, and returns how many there are.
int write_chain(const Tree& tree, int last, int* columns) {
  const int length = chain_length(tree, last);
  for (int k = length - 1; k >= 0; --k, last = tree.dof_parentid[at(last)]) columns[k] = last;
  return length;
}

void write_addresses(const Field<int>& counts, const Field<int>& addresses) {
  std::exclusive_scan(counts.begin(), counts.end(), addresses.begin(), 0);
}

void write_B(const Tree& tree, Model& model) {
  for (int b = 0; b < tree.nbody(); ++b) {
    const auto [first, end] = dofs_below(tree, b);
    model.B_rownnz[b] = chain_length(tree, tree.last_dof[at(b)]) + end - first;
  }
  write_addresses(model.B_rownnz, model.B_rowadr);
  for (int b = 0; b < tree.nbody(); ++b) {
    int* columns = model.B_colind.row(model.B_rowadr[b], 1);
    const auto [first, end] = dofs_below(tree, b);
    columns += write_chain(tree, tree.last_dof[at(b)], columns);
    std::iota(columns, columns + end - first, first);
  }
}

void write_M(const Tree& tree, Model& model) {
  for (int i = 0; i < tree.nv(); ++i) model.M_rownnz[i] = is_simple(tree, i) ? 1 : tree.dof_depth[at(i)];
  write_addresses(model.M_rownnz, model.M_rowadr);
  std::exclusive_scan(tree.dof_depth.begin(), tree.dof_depth.end(), model.dof_Madr.begin(), 0);
  for (int i = 0; i < tree.nv(); ++i) {
    const int address = model.M_rowadr[i], count = model.M_rownnz[i];
    if (is_simple(tree, i))
      model.M_colind[address] = i;
    else
      write_chain(tree, i, model.M_colind.row(address, 1));
    for (int k = 0; k < count; ++k) model.mapM2M[address + k] = model.dof_Madr[i] + count - 1 - k;
  }
}

void write_D(const Tree& tree, Model& model) {
  for (int i = 0; i < tree.nv(); ++i) {
    model.D_diag[i] = tree.dof_depth[at(i)] - 1;
    model.D_rownnz[i] = tree.dof_depth[at(i)] + descendants_end(tree, i) - i - 1;
  }
  write_addresses(model.D_rownnz, model.D_rowadr);
  for (int i = 0; i < tree.nv(); ++i) {
    int* columns = model.D_colind.row(model.D_rowadr[i], 1);
    columns += write_chain(tree, i, columns);
    std::iota(columns, columns + descendants_end(tree, i) - i - 1, i + 1);
  }
}

// Where M holds the number in row i and column j <= i, an ancestor of i; -1 if it does not.
int place_in_M(const Tree& tree, const Model& model, int i, int j) {
  if (!is_simple(tree, i)) return model.M_rowadr[i] + tree.dof_depth[at(j)] - 1;
  return i == j ? model.M_rowadr[i] : -1;
}

void write_maps(const Tree& tree, Model& model) {
  for (int i = 0; i < tree.nv(); ++i) {
    const int address = model.D_rowadr[i];
    for (int k = 0; k < model.D_rownnz[i]; ++k) {
      const int j = model.D_colind[address + k];
      const int place = place_in_M(tree, model, std::max(i, j), std::min(i, j));
      model.mapM2D[address + k] = place;
      if (j <= i && place >= 0) model.mapD2M[place] = address + k;
    }
  }
}

}  // namespace

SparsitySizes count_sparsity(const Tree& tree) {
  SparsitySizes sizes;
  for (int i = 0; i < tree.nv(); ++i) {
    const int depth = tree.dof_depth[at(i)];
    sizes.nM += depth;
    sizes.nC += is_simple(tree, i) ? 1 : depth;
    sizes.nD += depth + descendants_end(tree, i) - i - 1;
  }
  for (int b = 0; b < tree.nbody(); ++b) {
    const auto [first, end] = dofs_below(tree, b);
    sizes.nB += chain_length(tree, tree.last_dof[at(b)]) + end - first;
  }
  return sizes;
}

void write_sparsity(const Tree& tree, Model& model) {
  write_B(tree, model);
  write_M(tree, model);
  write_D(tree, model);
  write_maps(tree, model);
}

}  // namespace torsor::compiler
