// Random constraint problems of many worlds in the form of the device, and each island of them as a problem of worlds
// in lanes. The model is a row of trees; each world connects some of them to islands.
#pragma once

#include <algorithm>
#include <numeric>

#include "tests/solver/wide_block.hpp"
#include "torsor/gpu/newton.hpp"

namespace torsor::gpu {

using solver::LaneContact;
using solver::LaneProblem;
using solver::LaneRow;
using solver::LaneTree;
using solver::Matrix;
using solver::Vector;

// The dofs of several trees as one forest in stored order: later trees first, each leaves first.
inline LaneTree join(Random& random, const std::vector<const LaneTree*>& trees) {
  LaneTree joined(random, 0);
  for (auto it = trees.rbegin(); it != trees.rend(); ++it) {
    const LaneTree& tree = **it;
    for (int i = 0; i < tree.n; ++i) {
      joined.parent.push_back(tree.parent[i] < 0 ? -1 : joined.n + tree.parent[i]);
      joined.fills.push_back(tree.fills[i]);
    }
    for (const int dof : tree.dofs) joined.dofs.push_back(joined.n + dof);
    joined.n += tree.n;
    joined.tiles += tree.tiles;
  }
  return joined;
}

struct IslandProblem {
  std::vector<int> model_dofs;  // ascending
  LaneTree tree;
  LaneProblem problem;

  IslandProblem(Random& random, std::vector<int> dofs, const LaneTree& tree_, bool elliptic, double spread, int most)
      : model_dofs(std::move(dofs)), tree(tree_), problem(random, tree, elliptic, spread, most) {}
  IslandProblem(const IslandProblem&) = delete;
  int dofs() const { return int(model_dofs.size()); }
  // place in the stored order of the k-th dof of the island
  int stored(int k) const { return tree.dofs[dofs() - 1 - k]; }
  double scale() const {
    double trace = 0;
    for (const int dof : tree.dofs) trace += problem.M(dof, dof);
    return 1 / trace;
  }
};

struct ModelTrees {
  std::vector<LaneTree> trees;
  std::vector<int> first_dof;
  int nv = 0;
  std::vector<double> loss;  // [nv]
  std::vector<int> M_rowadr, M_rownnz, M_colind;

  ModelTrees(Random& random, const std::vector<int>& tiles) {
    for (const int count : tiles) {
      first_dof.push_back(nv);
      trees.emplace_back(random, count);
      nv += int(trees.back().dofs.size());
    }
    for (int i = 0; i < nv; ++i) loss.push_back(random.uniform(0.01, 2));
    for (std::size_t t = 0; t < trees.size(); ++t) add_sparsity(int(t));
  }

 private:
  void add_sparsity(int t) {
    const LaneTree& tree = trees[t];
    const int n = int(tree.dofs.size());
    std::vector<int> place(tree.n, -1);
    for (int k = 0; k < n; ++k) place[tree.dofs[k]] = first_dof[t] + n - 1 - k;
    for (int k = n - 1; k >= 0; --k) {
      std::vector<int> columns;
      for (int i = tree.dofs[k]; i >= 0; i = tree.parent[i]) columns.push_back(place[i]);
      M_rowadr.push_back(int(M_colind.size()));
      M_rownnz.push_back(int(columns.size()));
      M_colind.insert(M_colind.end(), columns.rbegin(), columns.rend());
    }
  }
};

// Unit rows of the device: at most one of each kind at a dof, with J of 1 or -1. Others become dense rows.
inline void make_units_fit(IslandProblem& island, const std::vector<double>& loss) {
  std::vector<bool> taken(3 * island.tree.n, false);
  for (LaneRow& row : island.problem.rows) {
    if (row.unit_dof < 0) continue;
    const int dof = row.unit_dof;
    const int kind = row.kind == LaneRow::kFriction ? kUnitFriction : row.J[dof] > 0 ? kUnitLower : kUnitUpper;
    if (taken[3 * dof + kind]) {
      row.unit_dof = -1;
      continue;
    }
    taken[3 * dof + kind] = true;
    row.J[dof] = kind == kUnitUpper ? -1 : 1;
    if (kind != kUnitFriction) continue;
    for (int k = 0; k < island.dofs(); ++k) {
      if (island.stored(k) == dof) row.loss = loss[island.model_dofs[k]];
    }
  }
}

struct ProblemSizes {
  std::vector<int> tiles;  // of each tree
  int worlds = 40, most_rows = 5;
  double spread = 100, chance_to_join = 0.5;
};

// What the arrays of ConstraintArrays point to.
template <class S>
class IslandProblems {
 public:
  ConstraintArrays<S> arrays;
  std::vector<Island> islands;
  std::vector<std::unique_ptr<IslandProblem>> problems;  // of the islands
  ModelTrees model;

  IslandProblems(Random& random, const ProblemSizes& sizes, bool elliptic) : model(random, sizes.tiles) {
    arrays.elliptic = elliptic;
    arrays.worlds = sizes.worlds;
    arrays.nv = model.nv;
    for (int w = 0; w < sizes.worlds; ++w) choose_islands(random, sizes, w);
    take();
    for (std::size_t k = 0; k < islands.size(); ++k) write(int(k));
  }

  IslandLists lists() const { return {islands.data(), indices_.data(), counts_.data(), int(islands.size())}; }
  const std::vector<int>& counts() const { return counts_; }
  NewtonScratch<S> scratch() {
    scratch_.resize(newton_scratch_stride(arrays.nv, arrays.row_capacity, arrays.elliptic));
    return {scratch_.data(), std::ptrdiff_t(scratch_.size()), 1};
  }
  // Everything as ConstraintArrays has it, with its size in numbers of S or int, for those who copy it.
  template <class F>
  void for_each_array(F f) {
    f(arrays.dofs, dofs_), f(arrays.J, J_), f(arrays.b, b_), f(arrays.D, D_), f(arrays.lower, lower_);
    f(arrays.upper, upper_), f(arrays.mu, mu_), f(arrays.unit_D, unit_D_), f(arrays.unit_b, unit_b_);
    f(arrays.unit_loss, unit_loss_), f(arrays.M.base, M_), f(arrays.qacc_smooth.base, smooth_);
    f(arrays.qacc_warmstart.base, warm_), f(arrays.qacc.base, qacc_), f(arrays.qfrc_constraint.base, qfrc_);
    f(arrays.M_rowadr, model.M_rowadr), f(arrays.M_rownnz, model.M_rownnz), f(arrays.M_colind, model.M_colind);
    f(arrays.iterations, iterations_), f(arrays.force, force_), f(arrays.unit_force, unit_force_);
  }
  std::vector<S>& b() { return b_; }

 private:
  std::vector<int> dofs_, iterations_, indices_, counts_;
  std::vector<S> J_, b_, D_, lower_, upper_, mu_, unit_D_, unit_b_, unit_loss_, force_, unit_force_;
  std::vector<S> M_, smooth_, warm_, qacc_, qfrc_, scratch_;

  void choose_islands(Random& random, const ProblemSizes& sizes, int world) {
    std::vector<int> order(model.trees.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t k = order.size() - 1; k > 0; --k) std::swap(order[k], order[random.integer(0, int(k))]);
    Island next{};
    next.world = world;
    for (std::size_t k = 0; k < order.size();) {
      std::size_t end = k + 1;
      while (end < order.size() && random.chance(sizes.chance_to_join)) ++end;
      std::vector<int> trees(order.begin() + k, order.begin() + end);
      k = end;
      std::sort(trees.begin(), trees.end());
      if (random.chance(0.2)) continue;  // without rows
      add_island(random, sizes, trees, next);
    }
  }
  void add_island(Random& random, const ProblemSizes& sizes, const std::vector<int>& trees, Island& next) {
    std::vector<const LaneTree*> parts;
    std::vector<int> dofs;
    for (const int t : trees) {
      parts.push_back(&model.trees[t]);
      for (std::size_t i = 0; i < model.trees[t].dofs.size(); ++i) dofs.push_back(model.first_dof[t] + int(i));
    }
    problems.push_back(std::make_unique<IslandProblem>(random, dofs, join(random, parts), arrays.elliptic, sizes.spread,
                                                       sizes.most_rows));
    IslandProblem& made = *problems.back();
    make_units_fit(made, model.loss);
    Island island = next;
    island.dofs = made.dofs();
    island.singles = 0;
    for (const LaneRow& row : made.problem.rows) island.singles += row.unit_dof < 0;
    for (int& count : island.contacts) count = 0;
    for (const LaneContact& contact : made.problem.contacts) ++island.contacts[kind_of(contact.dim)];
    islands.push_back(island);
    next.first_dof += island.dofs;
    next.first_row += rows_of(island);
    next.first_item += items_of(island);
    arrays.row_capacity = std::max(arrays.row_capacity, next.first_row);
    arrays.item_capacity = std::max(arrays.item_capacity, next.first_item);
  }
  static int kind_of(int dim) { return dim == 3 ? 0 : dim == 4 ? 1 : 2; }
  static int items_of(const Island& i) { return i.singles + i.contacts[0] + i.contacts[1] + i.contacts[2]; }

  // Numbers that nobody writes are NaN: nobody may read them.
  void take() {
    const S nan = std::numeric_limits<S>::quiet_NaN();
    const std::size_t worlds = arrays.worlds, blocks = (worlds + kBlock - 1) / kBlock, nv = arrays.nv;
    arrays.stride = round_up_to_four(arrays.nv);
    arrays.row_capacity += 3, arrays.item_capacity += 2;
    dofs_.assign(worlds * nv, -1);
    const std::size_t rows = worlds * arrays.row_capacity, items = worlds * arrays.item_capacity;
    J_.assign(rows * arrays.stride, nan);
    b_.assign(rows, nan), force_.assign(rows, nan);
    for (auto* array : {&D_, &lower_, &upper_, &mu_}) array->assign(items, nan);
    unit_D_.assign(worlds * kUnitKinds * nv, S(0)), unit_b_.assign(worlds * kUnitKinds * nv, nan);
    unit_force_.assign(worlds * kUnitKinds * nv, nan);
    for (const double loss : model.loss) unit_loss_.push_back(S(loss));
    take_blocks(arrays.M, M_, blocks, model.M_colind.size());
    take_blocks(arrays.qacc_smooth, smooth_, blocks, nv), take_blocks(arrays.qacc_warmstart, warm_, blocks, nv);
    take_blocks(arrays.qacc, qacc_, blocks, nv), take_blocks(arrays.qfrc_constraint, qfrc_, blocks, nv);
    iterations_.assign(islands.size(), -1);
    counts_.assign(kSizeClasses, 0);
    indices_.assign(kSizeClasses * islands.size(), -1);
    for_each_array([](auto*& pointer, auto& array) { pointer = array.data(); });
  }
  void take_blocks(WorldNumbers<S>& numbers, std::vector<S>& memory, std::size_t blocks, std::size_t count) {
    numbers.block = std::ptrdiff_t(count) * kBlock;
    memory.assign(blocks * numbers.block, std::numeric_limits<S>::quiet_NaN());
  }

  void write(int number) {
    const Island& island = islands[number];
    const IslandProblem& from = *problems[number];
    const int c = size_class(island, arrays.elliptic);
    indices_[c * islands.size() + counts_[c]++] = number;
    for (int k = 0; k < island.dofs; ++k) {
      const int dof = from.model_dofs[k], stored = from.stored(k);
      dofs_[island.world * arrays.nv + island.first_dof + k] = dof;
      arrays.qacc_smooth.at(island.world, dof) = S(from.problem.a_smooth[stored]);
      arrays.qacc_warmstart.at(island.world, dof) = S(from.problem.start[stored]);
      for (int e = 0; e < model.M_rownnz[dof]; ++e) {
        const int at = model.M_rowadr[dof] + e, column = k - (dof - model.M_colind[at]);
        arrays.M.at(island.world, at) = S(from.problem.M(stored, from.stored(column)));
      }
    }
    write_rows(island, from);
  }
  void write_rows(const Island& island, const IslandProblem& from) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    int row = island.world * arrays.row_capacity + island.first_row,
        item = island.world * arrays.item_capacity + island.first_item;
    for (const LaneRow& r : from.problem.rows) {
      if (r.unit_dof >= 0) {
        write_unit(island, from, r);
        continue;
      }
      write_row(from, r.J, r.J.dot(from.problem.a_smooth) - r.aref, row++);
      D_[item] = S(r.D);
      lower_[item] = S(r.kind == LaneRow::kFriction ? -r.loss : -kInfinite);
      upper_[item++] = S(r.kind == LaneRow::kFriction ? r.loss : r.kind == LaneRow::kEquality ? kInfinite : 0);
    }
    for (const LaneContact& c : from.problem.contacts) {
      for (int j = 0; j < c.dim; ++j) {
        const double friction = j == 0 ? 1 : c.friction[j - 1];
        const Vector J = friction * c.J.row(j).transpose();
        write_row(from, J, J.dot(from.problem.a_smooth) - friction * c.aref[j], row++);
      }
      D_[item] = S(c.D);
      mu_[item++] = S(c.friction[0] / std::sqrt(c.impratio));
    }
  }
  void write_unit(const Island& island, const IslandProblem& from, const LaneRow& row) {
    const int kind = row.kind == LaneRow::kFriction ? kUnitFriction : row.J[row.unit_dof] > 0 ? kUnitLower : kUnitUpper;
    for (int k = 0; k < island.dofs; ++k) {
      if (from.stored(k) != row.unit_dof) continue;
      const int at = (island.world * kUnitKinds + kind) * arrays.nv + from.model_dofs[k];
      unit_D_[at] = S(row.D);
      unit_b_[at] = S(row.J.dot(from.problem.a_smooth) - row.aref);
    }
  }
  void write_row(const IslandProblem& from, const Vector& J, double b, int row) {
    S* const to = J_.data() + std::ptrdiff_t(row) * arrays.stride;
    std::fill_n(to, round_up_to_four(from.dofs()), S(0));
    for (int k = 0; k < from.dofs(); ++k) to[k] = S(J[from.stored(k)]);
    b_[row] = S(b);
  }
};

}  // namespace torsor::gpu
