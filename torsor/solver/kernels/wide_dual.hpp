// Projected Gauss-Seidel with one world per lane: the sweeps of dual.hpp over unit rows, single rows and contacts. Rows
// of M^-1 J' and v = M^-1 J' force are kept, so that the gradient of a row is J v + b + R force. Which row is whose
// turn differs from lane to lane where lanes have other rows: WideProblem::turns says so, in an order in which each
// lane meets its rows as one world would.
#pragma once

#include "torsor/math/pack.hpp"
#include "torsor/solver/kernels/trust_region.hpp"
#include "torsor/solver/kernels/wide_operator.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// Beside WideScratch, whose factor is that of M.
template <class P>
struct WideDualScratch {
  P* v;                   // [dof]
  P* solved_units;        // [slot][dof], M^-1 J'
  P* unit_A;              // [slot], J M^-1 J'
  P* solved[kSlotKinds];  // [slot][row][dof]
  P* gram[kSlotKinds];    // [slot][row][row]
  P* edges[kSlotKinds];   // [slot][2 (rows - 1)], forces of the edges of pyramids
  P* column;              // [dof]

  TORSOR_INLINE void take(const WideSizes& sizes, WideMemory& memory) {
    const std::size_t n = sizes.dofs();
    v = memory.take<P>(n);
    column = memory.take<P>(n);
    solved_units = memory.take<P>(n * sizes.units);
    unit_A = memory.take<P>(sizes.units);
    for (int kind = 0; kind < kSlotKinds; ++kind) {
      const std::size_t dim = kind == 0 ? 1 : contact_dim(kind - 1);
      const std::size_t slots = kind == 0 ? sizes.singles : sizes.contacts[kind - 1];
      solved[kind] = memory.take<P>(slots * dim * n);
      gram[kind] = memory.take<P>(slots * dim * dim);
      edges[kind] = memory.take<P>(slots * 2 * (dim - 1));
    }
  }
};

template <class P>
class WideDual {
 public:
  using Mask = MaskOf<P>;

  WideDual(const WideProblem<P>& problem, const Options& options, WideScratch<P>& scratch, WideDualScratch<P>& dual,
           WideSolution<P>& out)
      : problem_(problem), options_(options), s_(scratch), dual_(dual), out_(out), op_(problem, scratch) {}
  // Solves the lanes of the mask.
  void run(Mask lanes);

 private:
  TORSOR_INLINE const WideRows<P>& rows(int kind) const { return kind == 0 ? out_.singles : out_.contacts[kind - 1]; }
  TORSOR_INLINE P* solved(int kind, int dim, int slot, int row) const {
    return dual_.solved[kind] + (std::ptrdiff_t(slot) * dim + row) * problem_.dofs();
  }
  template <int kDim>
  TORSOR_INLINE void multiply_slot(int kind, int slot, const P* v, P (&y)[kDim]) const;
  // Whether the cost falls by `change`, a sum of parts of this size. In float rounding hides gains of the last digits.
  static TORSOR_INLINE Mask is_gain(P change, P size) {
    const bool is_float = sizeof(ScalarOf<P>) == 4;
    return is_float ? change < P(4e-7) * size : change < P(0);
  }
  TORSOR_INLINE void follow(const P* solved, P change) const;
  void solve_rows();
  template <int kDim>
  void solve_slots(int kind);
  void start(Mask lanes);
  template <int kDim>
  void start_contacts(int kind);
  template <int kDim>
  P cost_of_contacts(int kind) const;
  P start_cost() const;
  void add_all_forces();
  void renew_velocity();
  void clear_forces(Mask lanes);
  P sweep(Mask active);
  P improve_row(Mask lanes, P gradient, P diagonal, P lower, P upper, const P* solved, P& force) const;
  P improve_unit(int slot, Mask lanes);
  P improve_single(int slot, Mask lanes);
  P improve_contact(int kind, int slot, Mask lanes);
  template <int kDim>
  P improve_pyramid(int kind, int slot, Mask lanes);
  template <int kDim>
  P improve_cone(int kind, int slot, Mask lanes);
  template <int kDim>
  void gather_edges(int kind);

  const WideProblem<P>& problem_;
  const Options& options_;
  WideScratch<P>& s_;
  WideDualScratch<P>& dual_;
  WideSolution<P>& out_;
  WideOperator<P> op_;
};

// y = J v of one slot
template <class P>
template <int kDim>
TORSOR_INLINE void WideDual<P>::multiply_slot(int kind, int slot, const P* v, P (&y)[kDim]) const {
  const WideSlots<P>& slots = slots_of(problem_, kind);
  zero_packs(y, kDim);
  const P* J = slots.J + std::ptrdiff_t(slot) * slots.tiles * (kWideTile * kDim);
  for (const int t : bits_of(slots.slot_tiles[slot])) {
    const P *tile = J + t * (kWideTile * kDim), *vt = v + kWideTile * t;
    TORSOR_UNROLL
    for (int a = 0; a < kDim; ++a) {
      TORSOR_UNROLL
      for (int k = 0; k < kWideTile; ++k) y[a] = fma(tile[kWideTile * a + k], vt[k], y[a]);
    }
  }
}

template <class P>
TORSOR_INLINE void WideDual<P>::follow(const P* solved, P change) const {
  for (int i = 0; i < problem_.dofs(); ++i) dual_.v[i] = fma(solved[i], change, dual_.v[i]);
}

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
        for (int k = 0; k < kWideTile; ++k) dual_.column[kWideTile * t + k] = -tile[k];
      }
      P* const to = solved(kind, kDim, s, r);
      s_.factor.solve(dual_.column, to);
      P products[kDim];
      multiply_slot<kDim>(kind, s, to, products);
      for (int a = 0; a < kDim; ++a) dual_.gram[kind][(s * kDim + a) * kDim + r] = products[a];
    }
  }
}

template <class P>
void WideDual<P>::solve_rows() {
  const WideUnits<P>& units = problem_.units;
  for (int u = 0; u < units.count; ++u) {
    zero_packs(dual_.column, problem_.dofs());
    dual_.column[units.dof[u]] = -units.J[u];
    P* const to = dual_.solved_units + std::ptrdiff_t(u) * problem_.dofs();
    s_.factor.solve(dual_.column, to);
    dual_.unit_A[u] = units.J[u] * to[units.dof[u]];
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

// Sum of force (R force / 2 + b) over the rows of contacts.
template <class P>
template <int kDim>
P WideDual<P>::cost_of_contacts(int kind) const {
  const WideContacts<P>& slots = problem_.contacts[kind - 1];
  P cost(0);
  for (int c = 0; c < slots.count; ++c) {
    const P* force = rows(kind).force + kDim * c;
    const P R = select(slots.D[c] > P(0), P(1) / slots.D[c], P(0));
    TORSOR_UNROLL
    for (int a = 0; a < kDim; ++a) cost = fma(force[a], slots.b[kDim * c + a], cost);
    P square(0);
    if (problem_.elliptic) {
      P tangents(0);
      for (int a = 1; a < kDim; ++a) tangents = fma(force[a], force[a], tangents);
      square = fma(force[0], force[0], slots.mu[c] * slots.mu[c] * tangents);
    } else {
      const P* edge = dual_.edges[kind] + 2 * (kDim - 1) * c;
      for (int e = 0; e < 2 * (kDim - 1); ++e) square = fma(edge[e], edge[e], square);
    }
    cost = fma(P(0.5) * R, square, cost);
  }
  return cost;
}

template <class P>
P WideDual<P>::start_cost() const {
  P cost(0);
  for (int i = 0; i < problem_.dofs(); ++i) cost = fma(P(0.5) * out_.qfrc[i], dual_.v[i], cost);
  const auto add = [&](P force, P R, P b) { cost += force * (P(0.5) * R * force + b); };
  for (int u = 0; u < problem_.units.count; ++u) add(out_.units.force[u], problem_.units.R[u], problem_.units.b[u]);
  for (int r = 0; r < problem_.singles.count; ++r)
    add(out_.singles.force[r], problem_.singles.R[r], problem_.singles.b[r]);
  for_slot_kinds([&](int kind, auto dim) __attribute__((always_inline)) {
    if constexpr (dim() > 1) cost += cost_of_contacts<dim()>(kind);
  });
  return cost;
}

template <class P>
void WideDual<P>::clear_forces(Mask lanes) {
  const auto clear = [&](P* force, int count) {
    for (int r = 0; r < count; ++r) force[r] = select(lanes, P(0), force[r]);
  };
  clear(out_.units.force, problem_.units.count);
  clear(dual_.v, problem_.dofs());
  for (int kind = 0; kind < kSlotKinds; ++kind) {
    const WideSlots<P>& slots = slots_of(problem_, kind);
    clear(rows(kind).force, slots.count * slots.dim);
    clear(dual_.edges[kind], slots.count * 2 * (slots.dim - 1));
  }
}

// The forces that the warm start implies, or none where there is none or where those cost more.
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
  add_all_forces();
  clear_forces(!(start_cost() <= P(0)));
}

// One force, between two bounds of minus the force. Returns by how much the cost falls.
template <class P>
P WideDual<P>::improve_row(Mask lanes, P gradient, P diagonal, P lower, P upper, const P* solved, P& force) const {
  const P best = max(min(force - gradient / diagonal, P(0) - lower), P(0) - upper), step = best - force;
  const P change = step * (gradient + P(0.5) * diagonal * step);
  const Mask better = lanes & (diagonal > P(0)) & (change < P(0));
  if (!any(better)) return P(0);
  follow(solved, select(better, step, P(0)));
  force = select(better, best, force);
  return select(better, P(0) - change, P(0));
}

template <class P>
P WideDual<P>::improve_unit(int u, Mask lanes) {
  const WideUnits<P>& units = problem_.units;
  P& force = out_.units.force[u];
  const P gradient = fma(units.J[u], dual_.v[units.dof[u]], fma(units.R[u], force, units.b[u]));
  return improve_row(lanes, gradient, dual_.unit_A[u] + units.R[u], units.lower[u], units.upper[u],
                     dual_.solved_units + std::ptrdiff_t(u) * problem_.dofs(), force);
}

template <class P>
P WideDual<P>::improve_single(int r, Mask lanes) {
  const WideSingles<P>& singles = problem_.singles;
  P& force = out_.singles.force[r];
  P Jv[1];
  multiply_slot<1>(0, r, dual_.v, Jv);
  const P gradient = Jv[0] + fma(singles.R[r], force, singles.b[r]);
  return improve_row(lanes, gradient, dual_.gram[0][r] + singles.R[r], singles.lower[r], singles.upper[r],
                     solved(0, 1, r, 0), force);
}

// All edges of a pyramid at once, by small sweeps among themselves; see dual.hpp.
template <class P>
template <int kDim>
P WideDual<P>::improve_pyramid(int kind, int c, Mask lanes) {
  constexpr int kMostSweeps = 30, kEdges = 2 * (kDim - 1);
  const P small(sizeof(ScalarOf<P>) == 8 ? 1e-12 : 1e-6);
  const WideContacts<P>& slots = problem_.contacts[kind - 1];
  const P* const G = dual_.gram[kind] + kDim * kDim * c;
  P* const force = dual_.edges[kind] + kEdges * c;
  const P R = P(1) / slots.D[c];
  P Jv[kDim], A[kEdges * kEdges], g[kEdges], first[kEdges], x[kEdges], total(0);
  multiply_slot<kDim>(kind, c, dual_.v, Jv);
  const auto side = [](int e) { return P(e % 2 == 0 ? 1 : -1); };
  for (int e = 0; e < kEdges; ++e) {
    const int i = 1 + e / 2;
    for (int f = 0; f < kEdges; ++f) {
      const int j = 1 + f / 2;
      A[kEdges * e + f] = G[0] + side(e) * G[kDim * i] + side(f) * G[j] + side(e) * side(f) * G[kDim * i + j];
    }
    A[kEdges * e + e] += R;
    const P pull = Jv[0] + slots.b[kDim * c] + side(e) * (Jv[i] + slots.b[kDim * c + i]);
    first[e] = g[e] = fma(R, force[e], pull);
    x[e] = force[e];
  }
  Mask sweeping = lanes;
  for (int sweep = 0; sweep < kMostSweeps && any(sweeping); ++sweep) {
    P gain(0);
    for (int e = 0; e < kEdges; ++e) {
      const P diagonal = A[kEdges * e + e], best = max(x[e] - g[e] / diagonal, P(0));
      const P step = select(sweeping & (diagonal > P(0)), best - x[e], P(0));
      gain -= step * fma(P(0.5) * diagonal, step, g[e]);
      for (int f = 0; f < kEdges; ++f) g[f] = fma(A[kEdges * e + f], step, g[f]);
      x[e] = select(sweeping & (diagonal > P(0)), best, x[e]);
    }
    total = select(sweeping, total + gain, total);
    sweeping = sweeping & (gain > small * total);
  }
  P change(0), size(0);
  for (int e = 0; e < kEdges; ++e) {
    const P part = P(0.5) * (x[e] - force[e]) * (first[e] + g[e]);
    change += part;
    size += abs(part);
  }
  const Mask better = lanes & is_gain(change, size);
  if (!any(better)) return P(0);
  P normal(0);
  for (int j = 1; j < kDim; ++j) {
    const P plus = select(better, x[2 * j - 2] - force[2 * j - 2], P(0));
    const P minus = select(better, x[2 * j - 1] - force[2 * j - 1], P(0));
    normal += plus + minus;
    follow(solved(kind, kDim, c, j), plus - minus);
  }
  follow(solved(kind, kDim, c, 0), normal);
  for (int e = 0; e < kEdges; ++e) force[e] = select(better, x[e], force[e]);
  return select(better & (change < P(0)), P(0) - change, P(0));
}

// The best force on a ray, then the best tangent forces, which are in a ball since tangents are scaled by friction; see
// dual.hpp.
template <class P>
template <int kDim>
P WideDual<P>::improve_cone(int kind, int c, Mask lanes) {
  const WideContacts<P>& slots = problem_.contacts[kind - 1];
  P* const force = rows(kind).force + kDim * c;
  const P R = P(1) / slots.D[c], R_tangent = R * slots.mu[c] * slots.mu[c];
  P A[kDim * kDim], c0[kDim], x[kDim], slip(0);
  multiply_slot<kDim>(kind, c, dual_.v, c0);
  for (int i = 0; i < kDim; ++i) {
    c0[i] += slots.b[kDim * c + i];
    for (int j = 0; j < kDim; ++j) {
      A[kDim * i + j] = dual_.gram[kind][(kDim * c + i) * kDim + j];
      c0[i] -= A[kDim * i + j] * force[j];
    }
    A[kDim * i + i] += i == 0 ? R : R_tangent;
    if (i > 0) slip = fma(c0[i], c0[i], slip);
  }
  const auto gradient = [&](int i, const P* at) {
    P sum = c0[i];
    for (int j = 0; j < kDim; ++j) sum = fma(A[kDim * i + j], at[j], sum);
    return sum;
  };
  // through the present force, or if there is none along the edge that gains most
  const Mask pushes = force[0] > P(1e-15);
  const P scale = select(slip > P(0), P(-1) / sqrt(slip), P(0));
  x[0] = select(pushes, force[0], P(1));
  for (int i = 1; i < kDim; ++i) x[i] = select(pushes, force[i], scale * c0[i]);
  P slope(0), curvature(0);
  for (int i = 0; i < kDim; ++i) {
    slope = fma(x[i], c0[i], slope);
    curvature = fma(x[i], gradient(i, x) - c0[i], curvature);
  }
  x[0] *= select((curvature > P(0)) & (slope < P(0)), P(0) - slope / curvature, P(0));
  P ball[kMaxTangents * kMaxTangents], b[kMaxTangents], tangents[kMaxTangents];
  for (int i = 1; i < kDim; ++i) {
    b[i - 1] = fma(A[kDim * i], x[0], c0[i]);
    for (int j = 1; j < kDim; ++j) ball[kMaxTangents * (i - 1) + j - 1] = A[kDim * i + j];
  }
  // lanes without a normal force must not slow the search of the others
  const Mask held = lanes & (x[0] > P(0));
  for (int i = 0; i + 1 < kDim; ++i) {
    b[i] = select(held, b[i], P(0));
    tangents[i] = P(0);
    for (int j = 0; j + 1 < kDim; ++j) ball[kMaxTangents * i + j] = select(held, ball[kMaxTangents * i + j], P(i == j));
  }
  if (any(held)) minimise_in_ball(kDim - 1, ball, b, select(held, x[0], P(1)), tangents);
  for (int i = 1; i < kDim; ++i) x[i] = select(held, tangents[i - 1], P(0));
  P change(0), size(0);
  for (int i = 0; i < kDim; ++i) {
    const P part = P(0.5) * (x[i] - force[i]) * (gradient(i, x) + gradient(i, force));
    change += part;
    size += abs(part);
  }
  const Mask better = lanes & is_gain(change, size);
  if (!any(better)) return P(0);
  for (int i = 0; i < kDim; ++i) {
    follow(solved(kind, kDim, c, i), select(better, x[i] - force[i], P(0)));
    force[i] = select(better, x[i], force[i]);
  }
  return select(better & (change < P(0)), P(0) - change, P(0));
}

template <class P>
P WideDual<P>::improve_contact(int kind, int slot, Mask lanes) {
  P gain(0);
  for_slot_kinds([&](int k, auto dim) __attribute__((always_inline)) {
    if constexpr (dim() > 1) {
      if (k != kind) return;
      gain = problem_.elliptic ? improve_cone<dim()>(kind, slot, lanes) : improve_pyramid<dim()>(kind, slot, lanes);
    }
  });
  return gain;
}

template <class P>
P WideDual<P>::sweep(Mask active) {
  P gain(0);
  for (int k = 0; k < problem_.turn_count; ++k) {
    const WideTurn& turn = problem_.turns[k];
    const Mask lanes = active & mask_of_bits<P>(turn.lanes);
    if (!any(lanes)) continue;
    gain += turn.kind == WideTurn::kUnit     ? improve_unit(turn.slot, lanes)
            : turn.kind == WideTurn::kSingle ? improve_single(turn.slot, lanes)
                                             : improve_contact(turn.kind - WideTurn::kSingle, turn.slot, lanes);
  }
  return gain;
}

// v from forces: what follows every change gathers rounding errors.
template <class P>
void WideDual<P>::renew_velocity() {
  for_slot_kinds([&](int kind, auto dim) __attribute__((always_inline)) {
    if constexpr (dim() > 1) gather_edges<dim()>(kind);
  });
  add_all_forces();
}

template <class P>
void WideDual<P>::run(Mask lanes) {
  op_.factor_mass();
  solve_rows();
  start(lanes);
  P iterations(0);
  Mask active = lanes;
  for (int count = 0; count < options_.iterations && any(active); ++count) {
    const P improvement = problem_.scale[0] * sweep(active);
    iterations += select(active, P(1), P(0));
    active = active & (improvement >= P(options_.tolerance)) & (improvement != P(0));
  }
  renew_velocity();
  for (int i = 0; i < problem_.dofs(); ++i) out_.d[i] = dual_.v[i];
  out_.iterations[0] = iterations;
  out_.converged[0] = select(active, P(0), P(1));
}

}  // namespace TORSOR_ISA
}  // namespace torsor
