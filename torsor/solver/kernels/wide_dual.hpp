// Projected Gauss-Seidel for worlds in lanes. M is factored and the rows are solved with one world per lane. The sweeps
// of gauss_seidel.hpp go lane by lane, in double: each world visits its own rows in a random order of its own, so that
// lanes could rarely move together, and sweeps of one world already fill registers with rows.
#pragma once

#include <limits>

#include "torsor/solver/kernels/dense_dual.hpp"
#include "torsor/solver/kernels/wide_operator.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// The dual problem of one lane.
struct LaneDual {
  double *Y, *AR, *b, *R, *frictionloss, *force;
  Cone* cones;
  char* memory;

  TORSOR_INLINE void take(const WideSizes& sizes, WideMemory& memory_of) {
    std::size_t rows = sizes.units + sizes.singles, contacts = 0;
    for (int k = 0; k < kContactKinds; ++k) {
      rows += std::size_t(sizes.contacts[k]) * 2 * (contact_dim(k) - 1);
      contacts += sizes.contacts[k];
    }
    const std::size_t ld = dual_stride(int(rows));
    Y = memory_of.take<double>(ld * sizes.dofs());
    AR = memory_of.take<double>(ld * rows);
    for (double** array : {&b, &R, &frictionloss, &force}) *array = memory_of.take<double>(ld);
    cones = memory_of.take<Cone>(contacts);
    memory = memory_of.take<char>(dual_bytes(int(rows)));  // for the solver
  }
};

// Beside WideScratch, whose factor is that of M.
template <class P>
struct WideDualScratch {
  P* solved_units;        // [slot][dof], D^-1/2 L^-1 J'
  P* solved[kSlotKinds];  // [slot][row][dof]
  P* edges[kSlotKinds];   // [slot][2 (rows - 1)], forces of the edges of pyramids
  P *column, *v;          // [dof]
  LaneDual lane;

  TORSOR_INLINE void take(const WideSizes& sizes, WideMemory& memory) {
    const std::size_t n = sizes.dofs();
    column = memory.take<P>(n);
    v = memory.take<P>(n);
    solved_units = memory.take<P>(n * sizes.units);
    for (int kind = 0; kind < kSlotKinds; ++kind) {
      const std::size_t dim = kind == 0 ? 1 : contact_dim(kind - 1);
      const std::size_t slots = kind == 0 ? sizes.singles : sizes.contacts[kind - 1];
      solved[kind] = memory.take<P>(slots * dim * n);
      edges[kind] = memory.take<P>(slots * 2 * (dim - 1));
    }
    lane.take(sizes, memory);
  }
};

template <class P>
class WideDual {
 public:
  using Mask = MaskOf<P>;
  using S = ScalarOf<P>;

  WideDual(const WideProblem<P>& problem, const Options& options, WideScratch<P>& scratch, WideDualScratch<P>& dual,
           WideSolution<P>& out)
      : problem_(problem), options_(options), s_(scratch), dual_(dual), out_(out), op_(problem, scratch) {}
  // Solves the lanes of the mask.
  void run(unsigned lanes);

 private:
  TORSOR_INLINE const WideRows<P>& rows(int kind) const { return kind == 0 ? out_.singles : out_.contacts[kind - 1]; }
  TORSOR_INLINE static S& number(P* packs, std::ptrdiff_t i, int lane) {
    return reinterpret_cast<S*>(packs)[i * kLanes<P> + lane];
  }
  void solve_rows();
  template <int kDim>
  void solve_slots(int kind);
  void start(Mask lanes);
  template <int kDim>
  void start_contacts(int kind);
  template <int kDim>
  void gather_edges(int kind);
  void add_all_forces();
  void clear_forces(Mask lanes);
  // f(LaneRow) for the rows of a lane, in the order of one world
  template <class F>
  void for_each_row(int lane, const F& f);
  int count_rows(int lane) const;
  void gather_lane(int lane, int m, Rows& rows);
  void solve_lane(int lane);

  const WideProblem<P>& problem_;
  const Options& options_;
  WideScratch<P>& s_;
  WideDualScratch<P>& dual_;
  WideSolution<P>& out_;
  WideOperator<P> op_;
};

template <class P>
template <int kDim>
void WideDual<P>::solve_slots(int kind) {
  const WideSlots<P>& slots = slots_of(problem_, kind);
  for (int s = 0; s < slots.count; ++s) {
    for (int r = 0; r < kDim; ++r) {
      zero_packs(dual_.column, problem_.dofs());
      for (const int t : bits_of(slots.slot_tiles[s])) {
        const P* tile = slots.J + (std::ptrdiff_t(s) * slots.tiles + t) * (kWideTile * kDim) + kWideTile * r;
        TORSOR_UNROLL
        for (int k = 0; k < kWideTile; ++k) dual_.column[kWideTile * t + k] = tile[k];
      }
      s_.factor.half_solve(dual_.column, dual_.solved[kind] + (std::ptrdiff_t(s) * kDim + r) * problem_.dofs());
    }
  }
}

template <class P>
void WideDual<P>::solve_rows() {
  const WideUnits<P>& units = problem_.units;
  for (int u = 0; u < units.count; ++u) {
    zero_packs(dual_.column, problem_.dofs());
    dual_.column[units.dof[u]] = units.J[u];
    s_.factor.half_solve(dual_.column, dual_.solved_units + std::ptrdiff_t(u) * problem_.dofs());
  }
  for_slot_kinds([&](int kind, auto dim) __attribute__((always_inline)) { solve_slots<dim()>(kind); });
}

// Forces of contacts at x = J d + b, edge by edge for pyramids.
template <class P>
template <int kDim>
void WideDual<P>::start_contacts(int kind) {
  const WideContacts<P>& slots = problem_.contacts[kind - 1];
  for (int c = 0; c < slots.count; ++c) {
    P x[kDim], *force = rows(kind).force + kDim * c;
    TORSOR_UNROLL
    for (int a = 0; a < kDim; ++a) x[a] = s_.along[kind][kDim * c + a] + slots.b[kDim * c + a];
    if (problem_.elliptic) {
      P K[kCurvatures<kDim, true>];
      evaluate_wide_cone<kDim>(cone_numbers(slots.D[c], slots.mu[c]), x, force, K);
      for (int a = 0; a < kDim; ++a) force[a] = select(slots.D[c] > P(0), force[a], P(0));
      continue;
    }
    P* edge = dual_.edges[kind] + 2 * (kDim - 1) * c;
    for (int j = 1; j < kDim; ++j) {
      edge[2 * j - 2] = P(0) - slots.D[c] * min(x[0] + x[j], P(0));
      edge[2 * j - 1] = P(0) - slots.D[c] * min(x[0] - x[j], P(0));
    }
  }
  gather_edges<kDim>(kind);
}

// Forces along normal and tangents from those of edges.
template <class P>
template <int kDim>
void WideDual<P>::gather_edges(int kind) {
  if (problem_.elliptic) return;
  for (int c = 0; c < problem_.contacts[kind - 1].count; ++c) {
    const P* edge = dual_.edges[kind] + 2 * (kDim - 1) * c;
    P *force = rows(kind).force + kDim * c, normal(0);
    for (int j = 1; j < kDim; ++j) {
      normal += edge[2 * j - 2] + edge[2 * j - 1];
      force[j] = edge[2 * j - 2] - edge[2 * j - 1];
    }
    force[0] = normal;
  }
}

// v = M^-1 J' force
template <class P>
void WideDual<P>::add_all_forces() {
  op_.multiply_jacobian_transposed(out_, out_.qfrc);
  for (int i = 0; i < problem_.dofs(); ++i) dual_.column[i] = -out_.qfrc[i];
  s_.factor.solve(dual_.column, dual_.v);
}

template <class P>
void WideDual<P>::clear_forces(Mask lanes) {
  const auto clear = [&](P* force, int count) {
    for (int r = 0; r < count; ++r) force[r] = select(lanes, P(0), force[r]);
  };
  clear(out_.units.force, problem_.units.count);
  for (int kind = 0; kind < kSlotKinds; ++kind) {
    const WideSlots<P>& slots = slots_of(problem_, kind);
    clear(rows(kind).force, slots.count * slots.dim);
    clear(dual_.edges[kind], slots.count * 2 * (slots.dim - 1));
  }
}

// The forces that the warm start implies, or none where there is none.
template <class P>
void WideDual<P>::start(Mask lanes) {
  const WideUnits<P>& units = problem_.units;
  const WideSingles<P>& singles = problem_.singles;
  op_.multiply_jacobian(problem_.start);
  for (int u = 0; u < units.count; ++u)
    out_.units.force[u] = P(0) - hold(units.D[u], s_.unit_along[u] + units.b[u], units.lower[u], units.upper[u]).held;
  for (int r = 0; r < singles.count; ++r) {
    const P x = s_.along[0][r] + singles.b[r];
    out_.singles.force[r] = P(0) - hold(singles.D[r], x, singles.lower[r], singles.upper[r]).held;
  }
  for_slot_kinds([&](int kind, auto dim) __attribute__((always_inline)) {
    if constexpr (dim() > 1) start_contacts<dim()>(kind);
  });
  if (problem_.cold) return clear_forces(Mask(true));
  clear_forces(!lanes);
}

// A row of a lane: where its numbers are.
template <class S>
struct LaneRow {
  int row;                    // of the lane's problem
  const S *y, *tangent;       // rows of Y, one number every kLanes; null: no tangent
  double b, R, lower, upper;  // bounds of minus the force
  double factor;              // of y, or of the tangent if there is one
  S* force;                   // in the slots: factor of the force of the row
};

template <class P>
template <class F>
void WideDual<P>::for_each_row(int lane, const F& f) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const int n = problem_.dofs();
  const WideTurns& turns = problem_.turns[lane];
  int row = 0;
  for (int k = 0; k < turns.count; ++k) {
    const WideTurn& turn = turns.items[k];
    const int kind = turn.kind - WideTurn::kSingle, s = turn.slot;
    if (kind <= 0) {
      const bool is_unit = turn.kind == WideTurn::kUnit;
      const auto of = [&](P* unit, P* single) { return double(number(is_unit ? unit : single, s, lane)); };
      const WideUnits<P>& units = problem_.units;
      const WideSingles<P>& singles = problem_.singles;
      P* const Y = is_unit ? dual_.solved_units : dual_.solved[0];
      f(LaneRow<S>{row++, &number(Y, std::ptrdiff_t(s) * n, lane), nullptr, of(units.b, singles.b),
                   of(units.R, singles.R), of(units.lower, singles.lower), of(units.upper, singles.upper), 1,
                   &number(is_unit ? out_.units.force : out_.singles.force, s, lane)});
      continue;
    }
    const WideContacts<P>& slots = problem_.contacts[kind - 1];
    const int dim = slots.dim;
    const auto y = [&](int a) { return &number(dual_.solved[kind], (std::ptrdiff_t(s) * dim + a) * n, lane); };
    const auto b = [&](int a) { return double(number(slots.b, s * dim + a, lane)); };
    const double R = 1 / double(number(slots.D, s, lane)), mu = number(slots.mu, s, lane);
    if (problem_.elliptic) {  // tangents are scaled by friction in the slots, here they are not
      for (int a = 0; a < dim; ++a) {
        const double factor = a == 0 ? 1 : 1 / turn.friction[a - 1];
        f(LaneRow<S>{row++, y(a), nullptr, factor * b(a), a == 0 ? R : R * mu * mu * factor * factor, -kInfinity, 0,
                     factor, &number(rows(kind).force, s * dim + a, lane)});
      }
      continue;
    }
    for (int e = 0; e < 2 * (dim - 1); ++e) {
      const int a = 1 + e / 2;
      const double side = e % 2 == 0 ? 1 : -1;
      f(LaneRow<S>{row++, y(0), y(a), b(0) + side * b(a), R, -kInfinity, 0, side,
                   &number(dual_.edges[kind], s * 2 * (dim - 1) + e, lane)});
    }
  }
}

template <class P>
int WideDual<P>::count_rows(int lane) const {
  int count = 0;
  for (int k = 0; k < problem_.turns[lane].count; ++k) {
    const int kind = problem_.turns[lane].items[k].kind - WideTurn::kSingle;
    const int dim = kind > 0 ? contact_dim(kind - 1) : 1;
    count += kind <= 0 ? 1 : problem_.elliptic ? dim : 2 * (dim - 1);
  }
  return count;
}

template <class P>
void WideDual<P>::gather_lane(int lane, int m, Rows& rows) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  LaneDual& to = dual_.lane;
  const int n = problem_.dofs(), ld = dual_stride(m);
  for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(n) * ld; ++i) to.Y[i] = 0;
  for_each_row(lane, [&](const LaneRow<S>& row) {
    for (int i = 0; i < n; ++i) {
      const double y = row.y[i * kLanes<P>];
      to.Y[std::ptrdiff_t(i) * ld + row.row] =
          row.tangent ? y + row.factor * double(row.tangent[i * kLanes<P>]) : row.factor * y;
    }
    to.b[row.row] = row.b;
    to.R[row.row] = row.R;
    to.force[row.row] = row.tangent ? *row.force : *row.force / row.factor;
    to.frictionloss[row.row] = row.upper;
    const bool is_free = row.lower == -kInfinity && row.upper == kInfinity;
    if (is_free && rows.friction == 0) {
      ++rows.equality;
    } else if (row.upper > 0) {
      ++rows.friction;
    }
  });
  rows.count = m;
  rows.R = to.R;
  rows.frictionloss = to.frictionloss;
  rows.cones = to.cones;
  int row = 0;
  for (int k = 0; k < problem_.turns[lane].count && problem_.elliptic; ++k) {
    const WideTurn& turn = problem_.turns[lane].items[k];
    const int kind = turn.kind - WideTurn::kSingle, dim = kind > 0 ? contact_dim(kind - 1) : 1;
    if (dim > 1) {
      Cone& cone = to.cones[rows.cone_count++];
      cone = {row, dim, 0, {}};  // mu is not read
      for (int a = 0; a + 1 < dim; ++a) cone.friction[a] = turn.friction[a];
    }
    row += dim;
  }
}

template <class P>
void WideDual<P>::solve_lane(int lane) {
  LaneDual& dual = dual_.lane;
  const int m = count_rows(lane);
  DualProblem problem;
  gather_lane(lane, m, problem.rows);
  square_rows(m, problem_.dofs(), dual.Y, dual.R, dual.AR);
  problem.AR = dual.AR;
  problem.b = dual.b;
  Options options = options_;
  options.scale = number(problem_.scale, 0, lane);
  Solution solution;
  solution.force = dual.force;
  solve_dense_dual(problem, options, dual.memory, solution);
  for_each_row(lane, [&](const LaneRow<S>& row) {
    *row.force = S(row.tangent ? dual.force[row.row] : row.factor * dual.force[row.row]);
  });
  number(out_.iterations, 0, lane) = S(solution.iterations);
  number(out_.converged, 0, lane) = S(solution.converged);
}

template <class P>
void WideDual<P>::run(unsigned lanes) {
  op_.factor_mass();
  solve_rows();
  start(mask_of_bits<P>(lanes));
  out_.iterations[0] = out_.converged[0] = P(0);
  for (const int lane : bits_of(lanes)) solve_lane(lane);
  for_slot_kinds([&](int kind, auto dim) __attribute__((always_inline)) {
    if constexpr (dim() > 1) gather_edges<dim()>(kind);
  });
  add_all_forces();
  for (int i = 0; i < problem_.dofs(); ++i) out_.d[i] = dual_.v[i];
}

}  // namespace TORSOR_ISA
}  // namespace torsor
