#include "torsor/batch/tree_layout.hpp"

#include <algorithm>

namespace torsor {
namespace {

using solver::kWideTile;

// A branch is a chain of dofs without forks. Branches that hang on it come before it.
void append_branch(const std::vector<std::vector<int>>& children, int top, std::vector<int>& order) {
  std::vector<int> chain{top};
  while (children[static_cast<size_t>(chain.back())].size() == 1)
    chain.push_back(children[static_cast<size_t>(chain.back())].front());
  for (const int child : children[static_cast<size_t>(chain.back())]) append_branch(children, child, order);
  order.insert(order.end(), chain.rbegin(), chain.rend());
  while (order.size() % kWideTile != 0) order.push_back(-1);
}

}  // namespace

TreeLayout::TreeLayout(const Model& model, int tree) {
  const int first = model.tree_dofadr[tree], end = first + model.tree_dofnum[tree];
  std::vector<std::vector<int>> children(static_cast<size_t>(model.nv));
  for (int i = first; i < end; ++i) {
    if (model.dof_parentid[i] >= 0) children[static_cast<size_t>(model.dof_parentid[i])].push_back(i);
  }
  for (int i = first; i < end; ++i) {
    if (model.dof_parentid[i] < 0) append_branch(children, i, dof);
  }
  tiles = static_cast<int>(dof.size()) / kWideTile;
  mass_tiles.assign(static_cast<size_t>(tiles), 0);
  std::vector<int> place(static_cast<size_t>(model.nv), -1);
  for (size_t p = 0; p < dof.size(); ++p) {
    if (dof[p] >= 0) place[static_cast<size_t>(dof[p])] = static_cast<int>(p);
    mass_tiles[p / kWideTile] |= std::uint64_t{1} << p / kWideTile;
  }
  for (int i = first; i < end; ++i) {
    for (int k = model.M_rowadr[i]; k < model.M_rowadr[i] + model.M_rownnz[i]; ++k) {
      const int a = place[static_cast<size_t>(i)], b = place[static_cast<size_t>(model.M_colind[k])];
      entries.push_back({k, std::max(a, b), std::min(a, b)});
      mass_tiles[static_cast<size_t>(std::max(a, b) / kWideTile)] |= std::uint64_t{1} << std::min(a, b) / kWideTile;
    }
  }
}

std::vector<int> places_of(const Model& model, const std::vector<TreeLayout>& layouts) {
  std::vector<int> places(static_cast<size_t>(model.nv), -1);
  for (const TreeLayout& layout : layouts) {
    for (size_t p = 0; p < layout.dof.size(); ++p) {
      if (layout.dof[p] >= 0) places[static_cast<size_t>(layout.dof[p])] = static_cast<int>(p);
    }
  }
  return places;
}

}  // namespace torsor
