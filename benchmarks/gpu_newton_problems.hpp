// Random constraint problems in the form of the device, made with nothing but the standard library.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "torsor/gpu/newton.hpp"

namespace torsor::gpu {

struct ProblemKind {
  std::vector<int> parent;  // of dofs; each tree begins with -1
  bool elliptic = false;
  double units = 10, singles = 1, contacts[3] = {3, 0, 0};  // mean of each island; units have D > 0
  double join = 0;                                          // chance that the next tree is in the same island
};

// 27 dofs: a free body with a spine of 3, two legs of 6, two arms of 3
inline std::vector<int> humanoid_parents() {
  std::vector<int> parent;
  const auto chain = [&](int from, int count) {
    for (int k = 0; k < count; ++k) parent.push_back(k == 0 ? from : int(parent.size()) - 1);
  };
  chain(-1, 6), chain(5, 3), chain(5, 6), chain(5, 6), chain(8, 3), chain(8, 3);
  return parent;
}
// trees of these sizes, with branches
inline std::vector<int> random_parents(std::mt19937& bits, const std::vector<int>& sizes) {
  std::vector<int> parent;
  for (const int size : sizes) {
    const int first = int(parent.size());
    for (int k = 0; k < size; ++k) parent.push_back(k == 0 ? -1 : bits() % 3 ? first + k - 1 : first + int(bits() % k));
  }
  return parent;
}

template <class S>
struct Problems {
  ConstraintArrays<S> arrays;
  std::vector<Island> islands;
  std::vector<int> indices, counts, dofs, iterations, M_rowadr, M_rownnz, M_colind;
  std::vector<S> J, b, D, lower, upper, mu, unit_D, unit_b, unit_loss, M, smooth, warm, qacc, qfrc, force, unit_force;

  Problems(const ProblemKind& kind_, int worlds, unsigned seed) : kind(kind_), bits(seed) {
    arrays.worlds = worlds;
    arrays.nv = int(kind.parent.size());
    arrays.elliptic = kind.elliptic;
    arrays.stride = round_up_to_four(arrays.nv);
    list_sparsity();
    for (int w = 0; w < worlds; ++w) choose_islands(w);
    take();
    for (int w = 0; w < worlds; ++w) write_world(w);
    for (const Island& island : islands) write_island(island);
  }
  // f(pointer of ConstraintArrays, vector that it points to)
  template <class F>
  void for_each_array(F f) {
    f(arrays.dofs, dofs), f(arrays.J, J), f(arrays.b, b), f(arrays.D, D), f(arrays.lower, lower);
    f(arrays.upper, upper), f(arrays.mu, mu), f(arrays.unit_D, unit_D), f(arrays.unit_b, unit_b);
    f(arrays.unit_loss, unit_loss), f(arrays.M.base, M), f(arrays.qacc_smooth.base, smooth);
    f(arrays.qacc_warmstart.base, warm), f(arrays.qacc.base, qacc), f(arrays.qfrc_constraint.base, qfrc);
    f(arrays.M_rowadr, M_rowadr), f(arrays.M_rownnz, M_rownnz), f(arrays.M_colind, M_colind);
    f(arrays.iterations, iterations), f(arrays.force, force), f(arrays.unit_force, unit_force);
  }
  IslandLists lists() const { return {islands.data(), indices.data(), counts.data(), int(islands.size())}; }
  double normal() { return std::normal_distribution<double>()(bits); }

 private:
  ProblemKind kind;
  std::mt19937 bits;

  double uniform() { return std::uniform_real_distribution<double>()(bits); }
  int about(double mean) { return std::poisson_distribution<int>(std::max(mean, 1e-9))(bits); }
  void list_sparsity() {
    for (int i = 0; i < arrays.nv; ++i) {
      std::vector<int> columns;
      for (int k = i; k >= 0; k = kind.parent[k]) columns.push_back(k);
      M_rowadr.push_back(int(M_colind.size())), M_rownnz.push_back(int(columns.size()));
      M_colind.insert(M_colind.end(), columns.rbegin(), columns.rend());
    }
  }
  void choose_islands(int world) {
    int row = 0, item = 0, dof = 0;
    while (dof < arrays.nv) {
      int end = dof + 1;
      while (end < arrays.nv && (kind.parent[end] >= 0 || uniform() < kind.join)) ++end;
      Island island{};
      island.world = world;
      island.first_dof = dof, island.dofs = end - dof, island.first_row = row, island.first_item = item;
      island.singles = about(kind.singles);
      for (int k = 0; k < 3; ++k) island.contacts[k] = about(kind.contacts[k]);
      row += rows_of(island);
      item += island.singles + island.contacts[0] + island.contacts[1] + island.contacts[2];
      islands.push_back(island);
      dof = end;
    }
    arrays.row_capacity = std::max(arrays.row_capacity, row);
    arrays.item_capacity = std::max(arrays.item_capacity, item);
  }
  void take() {
    const S nan = std::numeric_limits<S>::quiet_NaN();
    const size_t worlds = arrays.worlds, nv = arrays.nv, rows = worlds * arrays.row_capacity;
    for (auto* array : {&D, &lower, &upper, &mu}) array->assign(worlds * arrays.item_capacity, nan);
    J.assign(rows * arrays.stride, nan), b.assign(rows, nan), force.assign(rows, S(0));
    dofs.resize(worlds * nv);
    for (auto* array : {&unit_D, &unit_b, &unit_force}) array->assign(worlds * kUnitKinds * nv, S(0));
    unit_loss.assign(nv, S(0.3));
    const auto take_blocks = [&](WorldNumbers<S>& numbers, std::vector<S>& memory, size_t count) {
      numbers.block = std::ptrdiff_t(count) * kBlock;
      memory.assign((worlds + kBlock - 1) / kBlock * numbers.block, S(0));
    };
    take_blocks(arrays.M, M, M_colind.size());
    take_blocks(arrays.qacc_smooth, smooth, nv), take_blocks(arrays.qacc_warmstart, warm, nv);
    take_blocks(arrays.qacc, qacc, nv), take_blocks(arrays.qfrc_constraint, qfrc, nv);
    iterations.assign(islands.size(), -1);
    counts.assign(kSizeClasses, 0), indices.assign(kSizeClasses * islands.size(), -1);
    for (size_t k = 0; k < islands.size(); ++k) {
      const int c = size_class(islands[k], arrays.elliptic);
      indices[c * islands.size() + counts[c]++] = int(k);
    }
    for_each_array([](auto*& pointer, auto& array) { pointer = array.data(); });
  }
  // M is the sum of squares of paths to the root: positive, and with the sparsity of the tree.
  void write_world(int world) {
    std::vector<double> path(arrays.nv), mass(M_colind.size(), 0);
    for (int i = 0; i < arrays.nv; ++i) {
      for (int k = i; k >= 0; k = kind.parent[k]) path[k] = normal();
      for (int r = i; r >= 0; r = kind.parent[r])
        for (int e = M_rowadr[r]; e < M_rowadr[r] + M_rownnz[r]; ++e) mass[e] += path[r] * path[M_colind[e]];
      mass[M_rowadr[i] + M_rownnz[i] - 1] += 0.2;
      dofs[size_t(world) * arrays.nv + i] = i;
      arrays.qacc_smooth.at(world, i) = S(10 * normal());
      arrays.qacc_warmstart.at(world, i) = arrays.qacc_smooth.at(world, i) + S(normal());
    }
    for (size_t e = 0; e < mass.size(); ++e) arrays.M.at(world, int(e)) = S(mass[e]);
  }
  void write_row(const Island& island, size_t row) {
    S* const to = J.data() + row * arrays.stride;
    std::fill_n(to, round_up_to_four(island.dofs), S(0));
    for (int end = island.first_dof + int(bits() % island.dofs); end >= 0; end = kind.parent[end])
      to[end - island.first_dof] = S(normal());
    b[row] = S(5 * normal());
  }
  void write_island(const Island& island) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    size_t row = size_t(island.world) * arrays.row_capacity + island.first_row,
           item = size_t(island.world) * arrays.item_capacity + island.first_item;
    for (int k = 0; k < island.singles; ++k, ++item) {
      write_row(island, row++);
      D[item] = S(std::exp(2 * normal()));
      const int what = bits() % 3;
      lower[item] = S(what == 0 ? -0.5 : -kInfinite);
      upper[item] = S(what == 0 ? 0.5 : what == 1 ? kInfinite : 0);
    }
    for (int k = 0; k < 3; ++k) {
      for (int c = 0; c < island.contacts[k]; ++c, ++item) {
        for (int a = 0; a < solver::contact_dim(k); ++a) write_row(island, row++);
        D[item] = S(10 * std::exp(normal()));
        mu[item] = S(0.3 + uniform());
      }
    }
    for (int k = about(kind.units); k > 0; --k) {
      const size_t at = (size_t(island.world) * kUnitKinds + bits() % kUnitKinds) * arrays.nv + island.first_dof +
                        bits() % island.dofs;
      unit_D[at] = S(10 * std::exp(normal()));
      unit_b[at] = S(5 * normal());
    }
  }
};

}  // namespace torsor::gpu
