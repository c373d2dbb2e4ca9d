// Random problems of worlds that share a tree, with different rows in each, and the two forms of them: one dense
// problem per world, and one wide problem for all.
#pragma once

#include <cstring>
#include <memory>

#include "tests/solver/random_problem.hpp"
#include "torsor/math/pack.hpp"
#include "torsor/solver/kernels/wide_primal.hpp"
#include "torsor/solver/kernels/wide_state.hpp"

namespace torsor::solver {

// Dofs in stored order, leaves first: parents come later. Some dofs only fill their tile.
struct LaneTree {
  int tiles, n;
  std::vector<int> parent;  // -1: none
  std::vector<bool> fills;
  std::vector<int> dofs;  // those that do not fill

  LaneTree(Random& random, int tiles_) : tiles(tiles_), n(3 * tiles_), parent(n), fills(n) {
    for (int i = 0; i < n; ++i) {
      fills[i] = i % 3 > 0 && (fills[i - 1] || random.chance(0.2));
      if (!fills[i]) dofs.push_back(i);
    }
    for (std::size_t k = 0; k < dofs.size(); ++k) {
      const std::size_t next = random.chance(0.7) ? k + 1 : random.integer(int(k) + 1, int(dofs.size()));
      parent[dofs[k]] = next < dofs.size() ? dofs[next] : -1;
    }
  }
  int random_dof(Random& random) const { return dofs[random.integer(0, int(dofs.size()) - 1)]; }
  // random numbers on the way from a dof to the root, else zeros
  Vector random_path(Random& random, int dof) const {
    Vector row = Vector::Zero(n);
    for (; dof >= 0; dof = parent[dof]) row[dof] = random.uniform(-1, 1);
    return row;
  }
};

struct LaneRow {
  enum Kind { kEquality, kFriction, kOneSided } kind;
  int unit_dof;  // -1: dense
  Vector J;
  double aref, D, loss;
};
struct LaneContact {
  int dim;
  Matrix J;  // not scaled
  Vector aref;
  double D, impratio, friction[5];
};

inline std::uint64_t tiles_of(const Matrix& J) {
  std::uint64_t set = 0;
  for (int c = 0; c < J.cols(); ++c) set |= J.col(c).isZero(0) ? 0 : std::uint64_t{1} << c / 3;
  return set;
}

// The problem of one world.
struct LaneProblem {
  const LaneTree* tree;
  bool elliptic;
  Matrix M;
  Vector a_smooth, start, momentum;
  std::vector<LaneRow> rows;  // in the order of the dense problem: equality, friction, one-sided
  std::vector<LaneContact> contacts;

  LaneProblem(Random& random, const LaneTree& tree_, bool elliptic_, double spread, int most = 5)
      : tree(&tree_), elliptic(elliptic_) {
    const int n = tree->n;
    M = Matrix::Zero(n, n);
    for (int i = 0; i < n; ++i) M(i, i) = tree->fills[i] ? 1 : 0.2;
    for (const int dof : tree->dofs) {
      for (int k = 0; k < 2; ++k) {
        const Vector row = tree->random_path(random, dof);
        M += row * row.transpose();
      }
    }
    a_smooth = random_dofs(random, 1);
    start = a_smooth + random_dofs(random, random.chance(0.2) ? 100 : 1);
    momentum = random_dofs(random, 1);
    for (const LaneRow::Kind kind : {LaneRow::kEquality, LaneRow::kFriction, LaneRow::kOneSided}) {
      const int count = random.integer(0, most);
      for (int k = 0; k < count; ++k) rows.push_back(random_row(random, kind, spread));
    }
    const int count = random.integer(0, most);
    for (int k = 0; k < count; ++k) contacts.push_back(random_contact(random, spread));
    // within a dim in the order of the dense problem
    std::stable_sort(contacts.begin(), contacts.end(), [](auto& a, auto& b) { return a.dim < b.dim; });
  }

  // The same as a dense problem of the dofs that do not fill tiles.
  RandomProblem as_dense() const {
    Random unused(1);
    const int n = int(tree->dofs.size());
    RandomProblem p(unused, n, {});
    p.a_smooth = without_fill(a_smooth), p.start = without_fill(start);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) p.M(i, j) = M(tree->dofs[i], tree->dofs[j]);
    }
    p.m = int(rows.size());
    for (const LaneContact& c : contacts) p.m += elliptic ? c.dim : 2 * (c.dim - 1);
    p.J.resize(p.m, n), p.aref.resize(p.m), p.D.resize(p.m);
    p.frictionloss = Vector::Zero(p.m);
    int r = 0;
    const auto add = [&](const Vector& J, double aref, double D) {
      p.J.row(r) = without_fill(J).transpose();
      p.aref[r] = aref, p.D[r] = D;
      ++r;
    };
    for (const LaneRow& row : rows) {
      p.frictionloss[r] = row.loss;
      p.kinds.equality += row.kind == LaneRow::kEquality;
      p.kinds.friction += row.kind == LaneRow::kFriction;
      add(row.J, row.aref, row.D);
    }
    for (const LaneContact& c : contacts) {
      const double mu = c.friction[0] / std::sqrt(c.impratio);
      if (elliptic) {
        Cone cone{r, c.dim, mu, {}};
        for (int j = 0; j < 5; ++j) cone.friction[j] = c.friction[j];
        p.cones.push_back(cone);
        add(c.J.row(0), c.aref[0], c.D);
        for (int j = 1; j < c.dim; ++j) add(c.J.row(j), c.aref[j], c.D * std::pow(c.friction[j - 1] / mu, 2));
        continue;
      }
      for (int j = 1; j < c.dim; ++j) {
        for (const double side : {c.friction[j - 1], -c.friction[j - 1]}) {
          add(c.J.row(0) + side * c.J.row(j), c.aref[0] + side * c.aref[j], c.D);
        }
      }
    }
    p.R = p.D.cwiseInverse();
    return p;
  }
  Vector without_fill(const Vector& x) const {
    Vector y(tree->dofs.size());
    for (std::size_t i = 0; i < tree->dofs.size(); ++i) y[i] = x[tree->dofs[i]];
    return y;
  }
  double scale() const { return 1 / M.trace(); }

 private:
  Vector random_dofs(Random& random, double size) const {
    Vector x = Vector::Zero(tree->n);
    for (const int dof : tree->dofs) x[dof] = random.uniform(-size, size);
    return x;
  }
  Vector random_dense(Random& random) const {
    Vector J = tree->random_path(random, tree->random_dof(random));
    if (random.chance(0.4)) J -= tree->random_path(random, tree->random_dof(random));
    return J;
  }
  LaneRow random_row(Random& random, LaneRow::Kind kind, double spread) const {
    LaneRow row{kind, -1, Vector::Zero(tree->n), random.uniform(-1, 1), 0, 0};
    row.D = std::abs(random.magnitude(1 / spread, spread));
    if (kind == LaneRow::kFriction) row.loss = random.uniform(0, 2);
    if (kind != LaneRow::kEquality && random.chance(0.6)) {
      row.unit_dof = tree->random_dof(random);
      row.J[row.unit_dof] = random.chance(0.8) ? (random.chance(0.5) ? 1 : -1) : random.uniform(-3, 3);
    } else {
      row.J = random_dense(random);
    }
    return row;
  }
  LaneContact random_contact(Random& random, double spread) const {
    LaneContact c{contact_dim(random.integer(0, 2)), {}, {}, std::abs(random.magnitude(1 / spread, spread)), 0, {}};
    const bool two = random.chance(0.3);
    const int first = tree->random_dof(random), second = tree->random_dof(random);
    c.J = Matrix::Zero(c.dim, tree->n);
    c.aref.resize(c.dim);
    for (int j = 0; j < c.dim; ++j) {
      c.J.row(j) = tree->random_path(random, first);
      if (two) c.J.row(j) -= tree->random_path(random, second).transpose();
      c.aref[j] = random.uniform(-1, 1);
    }
    for (double& f : c.friction) f = random.uniform(0.1, 1.5);
    c.impratio = random.uniform(0.5, 4);
    return c;
  }
};

}  // namespace torsor::solver
