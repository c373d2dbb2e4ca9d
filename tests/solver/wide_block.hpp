// A pack of random problems in the form of WideProblem, with its memory, and what is read from its solution.
#pragma once

#include <array>

#include "tests/solver/wide_lanes.hpp"

namespace torsor::solver {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

// What a lane's problem got: its slots, in the order of its rows and contacts.
struct LaneSlots {
  std::vector<int> rows, contacts;
};

template <class P>
struct WideBlock {
  using S = ScalarOf<P>;
  static constexpr int kWidth = kLanes<P>;

  WideSizes sizes;
  WideProblem<P> problem;
  WideSolution<P> solution;
  WideScratch<P> scratch;
  std::array<const LaneProblem*, kWidth> lanes{};
  std::array<LaneSlots, kWidth> slots;

  // Null lanes have no problem. With `arrange`, slots that nobody uses lie in between, slots have tiles that nobody
  // needs, and tiles couple that need not: nothing of that may change a result.
  WideBlock(const std::vector<const LaneProblem*>& from, Random* arrange = nullptr) {
    std::copy(from.begin(), from.end(), lanes.begin());
    const LaneTree& tree = *first()->tree;
    int rows = 0, contacts = 0;
    for (const LaneProblem* from_lane : from) {
      if (!from_lane) continue;
      rows = std::max(rows, int(from_lane->rows.size())),
      contacts = std::max(contacts, int(from_lane->contacts.size()));
    }
    const int dense = 2 * contacts + 20;  // room for slots that nobody uses
    sizes = {.tiles = tree.tiles, .units = kWidth * rows + 2 * tree.n, .singles = 2 * rows + 20, .relative = true};
    for (int& capacity : sizes.contacts) capacity = dense;
    take();
    problem.elliptic = first()->elliptic;
    write_mass(tree);
    write_units(arrange);
    for (int l = 0; l < kWidth; ++l) {
      if (lanes[l]) write_dense(l, arrange);
    }
    if (!arrange) return;
    for (int i = 0; i < tree.tiles; ++i) problem.coupled_tiles[i] |= random_tiles(*arrange) & ((2ull << i) - 1);
  }

  const LaneProblem* first() const {
    return *std::find_if(lanes.begin(), lanes.end(), [](const LaneProblem* lane) { return lane != nullptr; });
  }
  MaskOf<P> mask() const {
    P flags(0);
    for (int l = 0; l < kWidth; ++l) set_lane(flags, l, lanes[l] ? 1 : 0);
    return flags > P(0);
  }
  void solve_newton(const Options& options) { WidePrimal<P, true>(problem, options, scratch, solution).run(mask()); }
  void solve_cg(const Options& options) { WidePrimal<P, false>(problem, options, scratch, solution).run(mask()); }

  Vector read(const P* from, int l) const {
    Vector x(lanes[l]->tree->n);
    for (int i = 0; i < x.size(); ++i) x[i] = lane(from[i], l);
    return x;
  }
  Vector d(int l) const { return read(solution.d, l); }
  int iterations(int l) const { return int(lane(solution.iterations[0], l)); }
  bool converged(int l) const { return lane(solution.converged[0], l) != 0; }

  // force and state of each row of the lane's dense problem
  void read_rows(int l, Vector& force, std::vector<int>& state) const {
    std::vector<double> f;
    state.clear();
    const auto add = [&](P of_force, P of_state) {
      f.push_back(lane(of_force, l));
      state.push_back(int(lane(of_state, l)));
    };
    const LaneProblem& from = *lanes[l];
    for (std::size_t r = 0; r < from.rows.size(); ++r) {
      const int s = slots[l].rows[r];
      const auto& u = problem.units;
      const auto& g = problem.singles;
      if (from.rows[r].unit_dof >= 0) {
        add(solution.units.force[s], state_of_row(u.D[s], u.lower[s], u.upper[s], solution.units.x[s]));
      } else {
        add(solution.singles.force[s], state_of_row(g.D[s], g.lower[s], g.upper[s], solution.singles.x[s]));
      }
    }
    for (std::size_t c = 0; c < from.contacts.size(); ++c) {
      const LaneContact& contact = from.contacts[c];
      const int kind = contact.dim == 3 ? 0 : contact.dim == 4 ? 1 : 2, s = slots[l].contacts[c], dim = contact.dim;
      const WideContacts<P>& of_kind = problem.contacts[kind];
      const P *x = solution.contacts[kind].x + s * dim, *forces = solution.contacts[kind].force + s * dim;
      for (int j = 0; from.elliptic && j < dim; ++j) {
        const P friction(j == 0 ? 1 : contact.friction[j - 1]);
        add(friction * forces[j], state_of_cone(of_kind.D[s], of_kind.mu[s], x, dim));
      }
      for (int j = 1; !from.elliptic && j < dim; ++j) {
        for (const double side : {1, -1}) {
          add(force_of_edge(of_kind.D[s], x, j, side), state_of_edge(of_kind.D[s], x, j, side));
        }
      }
    }
    force = Vector::Map(f.data(), f.size());
  }
  // everything that a lane gets back, to the bit
  std::vector<S> bits_of_lane(int l) const {
    std::vector<S> all;
    for (int i = 0; i < problem.dofs(); ++i)
      all.push_back(lane(solution.d[i], l)), all.push_back(lane(solution.qfrc[i], l));
    all.push_back(lane(solution.iterations[0], l)), all.push_back(lane(solution.converged[0], l));
    for (std::size_t r = 0; r < lanes[l]->rows.size(); ++r) {
      const WideRows<P>& rows = lanes[l]->rows[r].unit_dof >= 0 ? solution.units : solution.singles;
      all.push_back(lane(rows.force[slots[l].rows[r]], l)), all.push_back(lane(rows.x[slots[l].rows[r]], l));
    }
    for (std::size_t c = 0; c < lanes[l]->contacts.size(); ++c) {
      const int dim = lanes[l]->contacts[c].dim, kind = dim == 3 ? 0 : dim == 4 ? 1 : 2;
      for (int j = 0; j < dim; ++j) {
        const int at = slots[l].contacts[c] * dim + j;
        all.push_back(lane(solution.contacts[kind].force[at], l)),
            all.push_back(lane(solution.contacts[kind].x[at], l));
      }
    }
    return all;
  }

 private:
  std::vector<std::uint64_t> memory_;

  void take() {
    const auto all = [&](void* from) {
      WideMemory memory(from);
      problem.take(sizes, memory), solution.take(sizes, memory), scratch.take(sizes, memory);
      return memory.used();
    };
    memory_.assign(all(nullptr) / 8 + 8, ~std::uint64_t{0});  // NaN, until somebody writes
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    all(reinterpret_cast<void*>((address + 63) / 64 * 64));
  }
  std::uint64_t random_tiles(Random& random) const {
    std::uint64_t set = 0;
    for (int t = 0; t < problem.tiles; ++t) set |= std::uint64_t{random.chance(0.2)} << t;
    return set;
  }
  void write_mass(const LaneTree& tree) {
    for (int i = 0; i < tree.tiles; ++i) {
      problem.mass_tiles[i] = 0;
      for (int j = 0; j <= i; ++j) {
        if (i != j && first()->M.block(3 * i, 3 * j, 3, 3).isZero(0)) continue;
        problem.mass_tiles[i] |= std::uint64_t{1} << j;
        for (int e = 0; e < 9; ++e) {
          for (int l = 0; l < kWidth; ++l) {
            const LaneProblem* from = lanes[l] ? lanes[l] : first();
            set_lane(problem.M[wide_tile(i, j) + e], l, S(from->M(3 * i + e / 3, 3 * j + e % 3)));
          }
        }
      }
    }
    for (int l = 0; l < kWidth; ++l) {
      if (!lanes[l]) continue;  // may be anything
      const Vector start = lanes[l]->start - lanes[l]->a_smooth;
      const Vector momentum = lanes[l]->M * lanes[l]->a_smooth + lanes[l]->momentum;
      for (int i = 0; i < tree.n; ++i) {
        set_lane(problem.start[i], l, S(start[i]));
        set_lane(problem.momentum[i], l, S(momentum[i]));
        set_lane(problem.weight[i], l, S(tree.fills[i] ? 0 : 1 / lanes[l]->M(i, i)));
      }
      set_lane(problem.scale[0], l, S(lanes[l]->scale()));
    }
  }

  template <class Slots>
  void write_row(const Slots& to, int s, int l, const LaneRow& row) {
    set_lane(to.b[s], l, S(row.J.dot(lanes[l]->a_smooth) - row.aref));
    set_lane(to.D[s], l, S(row.D)), set_lane(to.R[s], l, S(1 / row.D));
    set_lane(to.lower[s], l, S(row.kind == LaneRow::kFriction ? -row.loss : -kInfinite));
    set_lane(to.upper[s], l,
             S(row.kind == LaneRow::kFriction   ? row.loss
               : row.kind == LaneRow::kOneSided ? 0
                                                : kInfinite));
  }
  // Slots in the order of dofs, so that each lane has its rows in the same order whatever its neighbours are.
  void write_units(Random* arrange) {
    for (int l = 0; l < kWidth; ++l) {
      if (lanes[l]) slots[l].rows.assign(lanes[l]->rows.size(), -1);
    }
    for (int dof = 0; dof < problem.dofs(); ++dof) {
      for (int occurrence = 0, used = 1; used > 0; ++occurrence) {
        used = 0;
        const int empty = arrange && arrange->chance(0.1) ? problem.units.open(dof) : -1;
        int slot = -1;
        for (int l = 0; l < kWidth; ++l) {
          int seen = 0;
          for (std::size_t r = 0; lanes[l] && r < lanes[l]->rows.size(); ++r) {
            const LaneRow& row = lanes[l]->rows[r];
            if (row.unit_dof != dof || seen++ != occurrence) continue;
            if (slot < 0) slot = problem.units.open(dof);
            slots[l].rows[r] = slot, ++used;
            set_lane(problem.units.J[slot], l, S(row.J[dof]));
            write_row(problem.units, slot, l, row);
          }
        }
        (void)empty;
      }
    }
  }
  // The next slot of a kind for a lane.
  template <class Slots>
  int next_slot(Slots& kind, int& next, Random* arrange) {
    if (arrange && arrange->chance(0.2)) ++next;
    while (kind.count <= next) kind.open();
    if (arrange) kind.add_tiles(next, random_tiles(*arrange));
    return next++;
  }
  void write_dense(int l, Random* arrange) {
    int next_single = 0, next_contact[3] = {};
    const LaneProblem& from = *lanes[l];
    for (std::size_t r = 0; r < from.rows.size(); ++r) {
      if (from.rows[r].unit_dof >= 0) continue;
      const int s = slots[l].rows[r] = next_slot(problem.singles, next_single, arrange);
      write_row(problem.singles, s, l, from.rows[r]);
      write_J(problem.singles, s, l, from.rows[r].J.transpose());
    }
    for (const LaneContact& c : from.contacts) {
      const int k = c.dim == 3 ? 0 : c.dim == 4 ? 1 : 2, s = next_slot(problem.contacts[k], next_contact[k], arrange);
      slots[l].contacts.push_back(s);
      Matrix J = c.J;
      Vector b = c.J * from.a_smooth - c.aref;
      for (int j = 1; j < c.dim; ++j) J.row(j) *= c.friction[j - 1], b[j] *= c.friction[j - 1];
      for (int j = 0; j < c.dim; ++j) set_lane(problem.contacts[k].b[s * c.dim + j], l, S(b[j]));
      set_lane(problem.contacts[k].D[s], l, S(c.D));
      set_lane(problem.contacts[k].mu[s], l, S(c.friction[0] / std::sqrt(c.impratio)));
      write_J(problem.contacts[k], s, l, J);
    }
  }
  void write_J(WideSlots<P>& to, int s, int l, const Matrix& J) {
    const std::uint64_t set = tiles_of(J);
    to.add_tiles(s, set);
    problem.couple(set);
    for (const int t : ::torsor::solver::bits_of(set)) {
      for (int j = 0; j < J.rows(); ++j) {
        for (int dof = 3 * t; dof < 3 * t + 3; ++dof) set_lane(to.at(s, j, dof), l, S(J(j, dof)));
      }
    }
  }
};

}  // namespace torsor::solver
