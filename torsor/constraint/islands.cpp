// Islands by union-find over trees.
#include "torsor/constraint/islands.hpp"

#include <algorithm>

#include "torsor/dynamics/metric.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {
namespace {

int find_root(int* parent, int tree) {
  while (parent[tree] != tree) tree = parent[tree] = parent[parent[tree]];
  return tree;
}

// The lower number becomes the root, so that islands come out in the order of their first trees.
void unite(int* parent, int a, int b) {
  a = find_root(parent, a);
  b = find_root(parent, b);
  parent[std::max(a, b)] = std::min(a, b);
}

// Unites the trees of a row and returns one of them, -1 for a row without dofs. Dofs of a row ascend and so do trees.
int unite_row(const Model& model, const Data& data, int row, int* parent) {
  const int begin = data.efc_J_rowadr[row], count = data.efc_J_rownnz[row];
  if (count == 0) return -1;
  const int first = model.dof_treeid[data.efc_J_colind[begin]];
  int last = model.dof_treeid[data.efc_J_colind[begin + count - 1]];
  if (first == last) return first;
  for (int k = begin, tree = first; k < begin + count; ++k) {
    const int next = model.dof_treeid[data.efc_J_colind[k]];
    if (next != tree) unite(parent, tree, next);
    tree = next;
  }
  return first;
}

// Discrete: trees that a tendon or an actuator of the metric connects.
void unite_metric(const Model& model, const Data& data, int* parent) {
  if (!formulation(model.opt).solves_in_metric) return;
  for_each_metric_term(model, data, true, [&](const MetricTerm& term) {
    int last = term.next_moved(0);
    for (int k = term.next_moved(last + 1); k < term.count; k = term.next_moved(k + 1)) {
      unite(parent, model.dof_treeid[term.dof[last]], model.dof_treeid[term.dof[k]]);
      last = k;
    }
  });
}

// Rows of one equality, limit or contact have the same dofs. Where those from r on end.
int end_of_element(const Data& data, int r) {
  const int id = data.efc_id[r], type = data.efc_type[r];
  int end = r + 1;
  while (end < data.nefc && data.efc_id[end] == id && data.efc_type[end] == type) ++end;
  return end;
}

// Turns counts at [i + 1] into places where the groups begin.
void accumulate(int* begin, int count) {
  for (int i = 0; i < count; ++i) begin[i + 1] += begin[i];
}

// One island: all rows with dofs, whatever their trees.
void list_rows_of_one(Data& data, Islands& islands) {
  int rows = 0, *island = data.efc_island.data();
  for (int r = 0; r < data.nefc; ++r) {
    islands.row[rows] = r;
    rows += island[r] >= 0;
    island[r] = island[r] >= 0 ? 0 : -1;
  }
  islands.row_begin[0] = 0, islands.row_begin[1] = rows;
}

// From the tree of each row to its island, and the rows of each island.
void list_rows(Data& data, Islands& islands, int* next) {
  if (islands.count == 1) return list_rows_of_one(data, islands);
  int *begin = islands.row_begin, *island = data.efc_island.data(), *row = islands.row;
  const int count = data.nefc;
  std::fill(begin, begin + islands.count + 1, 0);
  for (int r = 0; r < count; ++r) {
    if (island[r] < 0) continue;
    island[r] = islands.tree_island[island[r]];
    ++begin[island[r] + 1];
  }
  accumulate(begin, islands.count);
  std::copy(begin, begin + islands.count, next);
  for (int r = 0; r < count; ++r) {
    if (island[r] >= 0) row[next[island[r]]++] = r;
  }
}

void list_dofs(const Model& model, Islands& islands, int* next) {
  std::fill(islands.dof_begin, islands.dof_begin + islands.count + 1, 0);
  for (int t = 0; t < model.ntree; ++t) {
    if (islands.tree_island[t] >= 0) islands.dof_begin[islands.tree_island[t] + 1] += model.tree_dofnum[t];
  }
  accumulate(islands.dof_begin, islands.count);
  std::copy(islands.dof_begin, islands.dof_begin + islands.count, next);
  for (int i = 0; i < model.nv; ++i) {
    const int island = islands.tree_island[model.dof_treeid[i]];
    islands.local[i] = island >= 0 ? next[island] - islands.dof_begin[island] : -1;
    if (island >= 0) islands.dof[next[island]++] = i;
  }
}

// One tree: all rows with dofs are one island, and all dofs are in it.
void list_all(const Model& model, Data& data, Islands& islands) {
  int rows = 0;
  for (int r = 0; r < data.nefc; ++r) {
    const bool moves = data.efc_J_rownnz[r] > 0;
    data.efc_island[r] = moves ? 0 : -1;
    islands.row[rows] = r;
    rows += moves;
  }
  islands.count = data.nisland = rows > 0;
  islands.tree_island[0] = rows > 0 ? 0 : -1;
  islands.row_begin[0] = islands.dof_begin[0] = 0;
  islands.row_begin[1] = rows;
  islands.dof_begin[1] = model.nv;
  for (int i = 0; i < model.nv; ++i) islands.dof[i] = islands.local[i] = i;
}

}  // namespace

Islands find_islands(const Model& model, Data& data, bool joined) {
  const size_t ntree = static_cast<size_t>(model.ntree), nv = static_cast<size_t>(model.nv);
  Arena& arena = data.arena();
  Islands islands;
  int* parent = arena.push_array<int>(ntree);
  int* next = arena.push_array<int>(ntree + 1);
  islands.tree_island = arena.push_array<int>(ntree);
  islands.row_begin = arena.push_array<int>(ntree + 1);
  islands.dof_begin = arena.push_array<int>(ntree + 1);
  islands.dof = arena.push_array<int>(nv);
  islands.local = arena.push_array<int>(nv);
  islands.row = islands.local ? arena.push_array<int>(static_cast<size_t>(data.nefc)) : nullptr;
  if (!islands.row) return islands;
  if (model.ntree == 1) {
    list_all(model, data, islands);
    return islands;
  }
  for (int t = 0; t < model.ntree; ++t) parent[t] = t;
  std::fill(islands.tree_island, islands.tree_island + ntree, -1);
  unite_metric(model, data, parent);
  int joint_tree = -1;
  for (int r = 0, end; r < data.nefc; r = end) {
    const int tree = unite_row(model, data, r, parent);
    end = end_of_element(data, r);
    for (int i = r; i < end; ++i) data.efc_island[i] = tree;
    if (tree < 0) continue;
    islands.tree_island[tree] = 0;  // marks that it has rows
    if (joined && joint_tree >= 0) unite(parent, joint_tree, tree);
    joint_tree = tree;
  }
  for (int t = 0; t < model.ntree; ++t) {  // a tree is in an island when its root or any tree united with it has rows
    if (islands.tree_island[t] == 0) islands.tree_island[find_root(parent, t)] = 0;
  }
  for (int t = 0; t < model.ntree; ++t) {
    const int root = find_root(parent, t);
    if (root == t) {
      if (islands.tree_island[t] == 0) islands.tree_island[t] = islands.count++;
    } else {
      islands.tree_island[t] = islands.tree_island[root];
    }
  }
  data.nisland = islands.count;
  list_rows(data, islands, next);
  list_dofs(model, islands, next);
  return islands;
}

}  // namespace torsor
