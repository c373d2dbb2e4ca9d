// Rows and columns of the sparse matrices over dofs, and the maps between their layouts.
#include "torsor/model/structure.hpp"

#include <algorithm>
#include <numeric>

namespace torsor {
namespace {

size_t at(int index) { return static_cast<size_t>(index); }

bool is_simple(const Lineage& lineage, int i) { return lineage.model.dof_simplenum[i] > 0; }

void write_addresses(const Field<int>& counts, const Field<int>& addresses) {
  std::exclusive_scan(counts.begin(), counts.end(), addresses.begin(), 0);
}

void write_B(const Lineage& lineage, ModelView& model) {
  for (int b = 0; b < model.nbody; ++b) {
    const auto [first, end] = lineage.dofs_below(b);
    model.B_rownnz[b] = lineage.chain_length(lineage.last_dof[at(b)]) + end - first;
  }
  write_addresses(model.B_rownnz, model.B_rowadr);
  for (int b = 0; b < model.nbody; ++b) {
    int* columns = model.B_colind.row(model.B_rowadr[b], 1);
    const auto [first, end] = lineage.dofs_below(b);
    columns += lineage.write_chain(lineage.last_dof[at(b)], columns);
    std::iota(columns, columns + end - first, first);
  }
}

void write_M(const Lineage& lineage, ModelView& model) {
  for (int i = 0; i < model.nv; ++i) model.M_rownnz[i] = is_simple(lineage, i) ? 1 : lineage.dof_depth[at(i)];
  write_addresses(model.M_rownnz, model.M_rowadr);
  std::exclusive_scan(lineage.dof_depth.begin(), lineage.dof_depth.end(), model.dof_Madr.begin(), 0);
  for (int i = 0; i < model.nv; ++i) {
    const int address = model.M_rowadr[i], count = model.M_rownnz[i];
    if (is_simple(lineage, i))
      model.M_colind[address] = i;
    else
      lineage.write_chain(i, model.M_colind.row(address, 1));
    for (int k = 0; k < count; ++k) model.mapM2M[address + k] = model.dof_Madr[i] + count - 1 - k;
  }
}

void write_D(const Lineage& lineage, ModelView& model) {
  for (int i = 0; i < model.nv; ++i) {
    model.D_diag[i] = lineage.dof_depth[at(i)] - 1;
    model.D_rownnz[i] = lineage.dof_depth[at(i)] + lineage.descendants_end(i) - i - 1;
  }
  write_addresses(model.D_rownnz, model.D_rowadr);
  for (int i = 0; i < model.nv; ++i) {
    int* columns = model.D_colind.row(model.D_rowadr[i], 1);
    columns += lineage.write_chain(i, columns);
    std::iota(columns, columns + lineage.descendants_end(i) - i - 1, i + 1);
  }
}

// Where M holds the number in row i and column j <= i, an ancestor of i; -1 if it does not.
int place_in_M(const Lineage& lineage, const ModelView& model, int i, int j) {
  if (!is_simple(lineage, i)) return model.M_rowadr[i] + lineage.dof_depth[at(j)] - 1;
  return i == j ? model.M_rowadr[i] : -1;
}

void write_maps(const Lineage& lineage, ModelView& model) {
  for (int i = 0; i < model.nv; ++i) {
    const int address = model.D_rowadr[i];
    for (int k = 0; k < model.D_rownnz[i]; ++k) {
      const int j = model.D_colind[address + k];
      const int place = place_in_M(lineage, model, std::max(i, j), std::min(i, j));
      model.mapM2D[address + k] = place;
      if (j <= i && place >= 0) model.mapD2M[place] = address + k;
    }
  }
}

}  // namespace

Lineage::Lineage(const ModelView& view)
    : model(view), subtree_end(at(view.nbody)), last_dof(at(view.nbody)), dof_depth(at(view.nv)) {
  int dofs = 0;
  for (int b = 0; b < model.nbody; ++b) {
    dofs_before.push_back(dofs);
    dofs += model.body_dofnum[b];
    const int inherited = b == 0 ? -1 : last_dof[at(model.body_parentid[b])];
    last_dof[at(b)] = model.body_dofnum[b] > 0 ? dofs - 1 : inherited;
  }
  dofs_before.push_back(dofs);
  for (int b = model.nbody - 1; b >= 0; --b) {
    int& end = subtree_end[at(b)];
    end = std::max(end, b + 1);
    int& parent_end = subtree_end[at(model.body_parentid[b])];
    parent_end = std::max(parent_end, end);
  }
  for (int i = 0; i < model.nv; ++i) dof_depth[at(i)] = chain_length(model.dof_parentid[i]) + 1;
}

std::pair<int, int> Lineage::dofs_below(int body) const {
  return {dofs_before[at(body + 1)], dofs_before[at(subtree_end[at(body)])]};
}

int Lineage::write_chain(int dof, int* columns) const {
  const int length = chain_length(dof);
  for (int k = length - 1; k >= 0; --k, dof = model.dof_parentid[dof]) columns[k] = dof;
  return length;
}

SparsitySizes count_sparsity(const Lineage& lineage) {
  SparsitySizes sizes;
  for (int i = 0; i < lineage.model.nv; ++i) {
    const int depth = lineage.dof_depth[at(i)];
    sizes.nM += depth;
    sizes.nC += is_simple(lineage, i) ? 1 : depth;
    sizes.nD += depth + lineage.descendants_end(i) - i - 1;
  }
  for (int b = 0; b < lineage.model.nbody; ++b) {
    const auto [first, end] = lineage.dofs_below(b);
    sizes.nB += lineage.chain_length(lineage.last_dof[at(b)]) + end - first;
  }
  return sizes;
}

void write_sparsity(const Lineage& lineage, ModelView& model) {
  write_B(lineage, model);
  write_M(lineage, model);
  write_D(lineage, model);
  write_maps(lineage, model);
}

}  // namespace torsor
