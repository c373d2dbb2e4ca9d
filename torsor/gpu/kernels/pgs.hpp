// Gauss-Seidel for one island by a group of L threads: what solver/kernels/wide_dual.hpp does for a lane. M is factored
// and rows are solved in S, A + R and the sweeps are in double.
#pragma once

#include <limits>

#include "torsor/gpu/kernels/group_sweeps.hpp"
#include "torsor/gpu/kernels/island_mass.hpp"
#include "torsor/solver/kernels/wide_cost.hpp"

namespace torsor::gpu {

// How large an island's problem is: dofs and their numbers of M; rows of J; unit rows; rows of the dual problem, which
// has one for each edge of a pyramid.
struct PgsSizes {
  int dofs = 0, mass = 0, rows = 0, units = 0, turns = 0, cones = 0, dual_rows = 0;
};

template <class S>
struct PgsArrays {
  DualArrays dual;
  MassArrays<S> mass;
  S *v, *force, *unit_force;  // [dof]; [row]; [UnitKind][dof]
  // Solved rows: first those of J, then those of units. A row of the dual problem is first + factor second, or factor
  // first where there is no second.
  S* Y;        // [dof][row]
  double* Z;   // [dof][row of the dual problem]
  int* place;  // [unit], of its dof
  int *first, *second;
  double* factor;

  TORSOR_INLINE void take(GroupMemory& memory, const PgsSizes& sizes) {
    const std::ptrdiff_t n = sizes.dofs, m = sizes.dual_rows;
    dual.take(memory, sizes.dual_rows, sizes.turns, sizes.cones);
    v = memory.take<S>(n);
    mass.take(memory, sizes.dofs, sizes.mass);
    force = memory.take<S>(sizes.rows);
    unit_force = memory.take<S>(kUnitKinds * n);
    Y = memory.take<S>(n * (sizes.rows + sizes.units));
    Z = memory.take<double>(n * m);
    place = memory.take<int>(sizes.units);
    first = memory.take<int>(m);
    second = memory.take<int>(m);
    factor = memory.take<double>(m);
  }
};

template <class S, int L, bool kElliptic>
class IslandPgs {
 public:
  TORSOR_INLINE IslandPgs(const ConstraintArrays<S>& arrays, const Island& island, const GroupMemory& memory)
      : arrays_(arrays),
        island_(island),
        memory_(memory),
        mass_(arrays, island),
        lane_(group_.lane()),
        n_(island.dofs),
        first_row_(std::ptrdiff_t(island.world) * arrays.row_capacity + island.first_row),
        first_item_(std::ptrdiff_t(island.world) * arrays.item_capacity + island.first_item),
        dofs_(arrays.dofs + std::ptrdiff_t(island.world) * arrays.nv + island.first_dof),
        turns_(arrays.turns + arrays.first_turn(island)) {}

  TORSOR_HD void run(int number) {
    count();
    at_.take(memory_, sizes_);
    static_cast<DualArrays&>(dual_) = at_.dual;
    const double scale = 1 / double(mass_.load(at_.mass));
    mass_.factor();
    start();
    place_rows();
    solve_rows();
    square_rows();
    const int sweeps = GroupSweeps<L>(dual_).run(arrays_.options, scale);
    take_forces();
    write_results(number, sweeps);
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  // A turn, where its rows are, and what comes before it.
  struct Place {
    int turn, kind, index;
    int dim, row, item;       // of J
    int dual_row, dual_rows;  // of the dual problem
    int unit, cone;           // units and contacts before
    TORSOR_INLINE bool is_unit() const { return kind < kUnitKinds; }
    TORSOR_INLINE bool is_contact() const { return kind >= Turn::kContact; }
  };
  TORSOR_INLINE Place place_of(Turn turn) const {
    Place place{0, turn.kind(), turn.index(), 1, turn.index(), turn.index(), 0, 1, 0, 0};
    if (!place.is_contact()) return place;
    const int kind = place.kind - Turn::kContact;
    place.dim = solver::contact_dim(kind);
    place.row = island_.singles + place.dim * place.index;
    place.item = island_.singles + place.index;
    for (int k = 0; k < kind; ++k) {
      place.row += island_.contacts[k] * solver::contact_dim(k);
      place.item += island_.contacts[k];
    }
    place.dual_rows = kElliptic ? place.dim : 2 * (place.dim - 1);
    return place;
  }
  // Calls f(place) for the turns of this thread.
  template <class F>
  TORSOR_INLINE void for_own_turns(F f) const {
    int rows = 0, units = 0, cones = 0;
    TORSOR_DEVICE_ROLL
    for (int first = 0; first < island_.turns; first += L) {
      const bool is_there = first + lane_ < island_.turns;
      Place place = place_of(turns_[is_there ? first + lane_ : 0]);
      const Prefix<int> of_rows = sum_before(group_, is_there ? place.dual_rows : 0);
      const Prefix<int> of_units = sum_before(group_, int(is_there && place.is_unit()));
      const Prefix<int> of_cones = sum_before(group_, int(is_there && place.is_contact()));
      place.turn = first + lane_;
      place.dual_row = rows + of_rows.before;
      place.unit = units + of_units.before;
      place.cone = cones + of_cones.before;
      rows += of_rows.all, units += of_units.all, cones += of_cones.all;
      if (is_there) f(place);
    }
  }

  TORSOR_INLINE void count() {
    int rows = 0, units = 0, cones = 0;
    for (int t = lane_; t < island_.turns; t += L) {
      const Place place = place_of(turns_[t]);
      rows += place.dual_rows;
      units += place.is_unit();
      cones += kElliptic && place.is_contact();
    }
    sizes_ = {n_,
              mass_.count_numbers(),
              rows_of(island_),
              group_.sum(units),
              island_.turns,
              group_.sum(cones),
              group_.sum(rows)};
  }
  // force = J d + b at the start
  TORSOR_INLINE void start() const {
    for (int i = lane_; i < n_; i += L)
      at_.v[i] = arrays_.qacc_warmstart.at(island_.world, dofs_[i]) - arrays_.qacc_smooth.at(island_.world, dofs_[i]);
    group_.sync();
    for (int r = lane_; r < sizes_.rows; r += L) {
      const S* const row = J(r);
      S sum(0);
      for (int i = 0; i < n_; ++i) sum = fma(row[i], at_.v[i], sum);
      at_.force[r] = sum + arrays_.b[first_row_ + r];
    }
    group_.sync();
  }

  TORSOR_INLINE void place_rows() {
    for_own_turns([&](const Place& place) {
      place.is_unit() ? place_unit(place) : place.is_contact() ? place_contact(place) : place_single(place);
    });
    dual_.unit_count = kElliptic ? island_.turns : sizes_.dual_rows;
    dual_.cone_count = sizes_.cones;
    group_.sync();
  }
  struct Source {
    int first, second;
    double factor;
  };
  // `lower` and `upper` bound minus the force.
  TORSOR_INLINE void place_row(int r, const Source& source, double b, double R, double lower, double upper,
                               double force) const {
    at_.first[r] = source.first;
    at_.second[r] = source.second;
    at_.factor[r] = source.factor;
    dual_.b[r] = b;
    dual_.inverse[r] = R;  // until the diagonal is known
    const bool has_bounds = lower <= upper;
    dual_.diagonal[r] = has_bounds;
    dual_.lower[r] = has_bounds ? -upper : -kInfinity;
    dual_.upper[r] = has_bounds ? -lower : kInfinity;
    dual_.force[r] = arrays_.cold ? 0 : force;
  }
  TORSOR_INLINE void place_unit(const Place& place) const {
    const int dof = dofs_[place.index];
    const std::ptrdiff_t world = island_.world, nv = arrays_.nv, at = (world * kUnitKinds + place.kind) * nv + dof;
    const S J(place.kind == kUnitUpper ? -1 : 1), D = arrays_.unit_D[at], b = arrays_.unit_b[at];
    const bool is_friction = place.kind == kUnitFriction;
    const S loss = is_friction ? arrays_.unit_loss[world * arrays_.loss_stride + dof] : S(0);
    const S lower = is_friction ? -loss : -std::numeric_limits<S>::infinity();
    const S held = hold(D, fma(J, at_.v[place.index], b), lower, loss).held;
    at_.place[place.unit] = place.index;
    dual_.units[place_in_order(place)] = {place.dual_row, -1};
    place_row(place.dual_row, {sizes_.rows + place.unit, -1, double(J)}, b, 1 / double(D), lower, loss, -double(held));
  }
  TORSOR_INLINE void place_single(const Place& place) const {
    const std::ptrdiff_t item = first_item_ + place.item;
    const S D = arrays_.D[item], lower = arrays_.lower[item], upper = arrays_.upper[item];
    const S held = hold(D, at_.force[place.row], lower, upper).held;
    dual_.units[place_in_order(place)] = {place.dual_row, -1};
    place_row(place.dual_row, {place.row, -1, 1}, arrays_.b[first_row_ + place.row], 1 / double(D), lower, upper,
              -double(held));
  }
  TORSOR_INLINE void place_contact(const Place& place) const {
    if (place.dim == 3) place_contact_of<3>(place);
    if (place.dim == 4) place_contact_of<4>(place);
    if (place.dim == 6) place_contact_of<6>(place);
  }
  // Tangents of rows are scaled by friction; those of the dual problem are not.
  template <int kDim>
  TORSOR_INLINE void place_contact_of(const Place& place) const {
    const std::ptrdiff_t item = first_item_ + place.item;
    const S* const x = at_.force + place.row;
    const S* const b = arrays_.b + first_row_ + place.row;
    const S D = arrays_.D[item];
    const double R = 1 / double(D);
    if constexpr (kElliptic) {
      S force[kDim], K[kCurvatures<kDim, true>];
      const S mu = arrays_.mu[item];
      evaluate_wide_cone<kDim>(cone_numbers(D, mu), x, force, K);
      solver::Cone& cone = dual_.cones[place.cone];
      cone.row = place.dual_row;
      cone.dim = kDim;
      for (int a = 0; a < kDim; ++a) {
        const double friction = a == 0 ? 1 : friction_of(item)[a - 1], factor = 1 / friction;
        if (a > 0) cone.friction[a - 1] = friction;
        const double of_row = a == 0 ? R : R * double(mu) * double(mu) * factor * factor;
        place_row(place.dual_row + a, {place.row + a, -1, factor}, factor * double(b[a]), of_row, -kInfinity, kInfinity,
                  D > S(0) ? friction * double(force[a]) : 0);
      }
      dual_.units[place_in_order(place)] = {place.dual_row, place.cone};
    } else {
      for (int e = 0; e < 2 * (kDim - 1); ++e) {
        const int a = 1 + e / 2, r = place.dual_row + e;
        const S side(e % 2 == 0 ? 1 : -1);
        const S force = S(0) - D * min(x[0] + side * x[a], S(0));
        dual_.units[r] = {r, -1};
        place_row(r, {place.row, place.row + a, double(side)}, double(b[0]) + double(side) * double(b[a]), R,
                  -kInfinity, 0, force);
      }
    }
  }
  TORSOR_INLINE const double* friction_of(std::ptrdiff_t item) const {
    return arrays_.friction + item * ConstraintArrays<S>::kMostTangents;
  }
  // A cone is one unit of the sweeps, edges of pyramids are not.
  TORSOR_INLINE int place_in_order(const Place& place) const { return kElliptic ? place.turn : place.dual_row; }

  TORSOR_INLINE void solve_rows() const;
  TORSOR_INLINE void square_rows() const;
  TORSOR_INLINE void take_forces() const;
  TORSOR_INLINE void write_results(int number, int sweeps) const;

  TORSOR_INLINE const S* J(int row) const { return arrays_.J + (first_row_ + row) * arrays_.stride; }

  const ConstraintArrays<S>& arrays_;
  const Island island_;
  GroupMemory memory_;
  IslandMass<S, L> mass_;
  const Group<L> group_{};
  const int lane_, n_;
  const std::ptrdiff_t first_row_, first_item_;
  const int* const dofs_;
  const Turn* const turns_;
  PgsSizes sizes_;
  PgsArrays<S> at_;
  GroupDual<L> dual_;
};

// Y = D^-1/2 L^-T J', a row by each thread
template <class S, int L, bool kElliptic>
TORSOR_INLINE void IslandPgs<S, L, kElliptic>::solve_rows() const {
  const int count = sizes_.rows + sizes_.units;
  for (int r = lane_; r < count; r += L) {
    S* const y = at_.Y + r;
    const bool is_unit = r >= sizes_.rows;
    const S* const row = J(is_unit ? 0 : r);
    for (int i = 0; i < n_; ++i) y[std::ptrdiff_t(i) * count] = is_unit ? S(0) : row[i];
    if (is_unit) y[std::ptrdiff_t(at_.place[r - sizes_.rows]) * count] = S(1);
    mass_.half_solve(y, count);
  }
  group_.sync();
}

// A + R, from the rows of the dual problem
template <class S, int L, bool kElliptic>
TORSOR_INLINE void IslandPgs<S, L, kElliptic>::square_rows() const {
  const int m = sizes_.dual_rows;
  const std::ptrdiff_t count = sizes_.rows + sizes_.units;
  for (int r = lane_; r < m; r += L) {
    const int first = at_.first[r], second = at_.second[r];
    const double factor = at_.factor[r];
    for (int i = 0; i < n_; ++i) {
      const double y = at_.Y[i * count + first];
      at_.Z[std::ptrdiff_t(i) * m + r] = second < 0 ? factor * y : y + factor * double(at_.Y[i * count + second]);
    }
  }
  group_.sync();
  constexpr int kAtOnce = 4;
  for (int first = 0; first < m; first += kAtOnce) {
    for (int c = lane_; c < m; c += L) {
      double sum[kAtOnce] = {};
      for (int i = 0; i < n_; ++i) {
        const double* const z = at_.Z + std::ptrdiff_t(i) * m;
        TORSOR_DEVICE_UNROLL
        for (int k = 0; k < kAtOnce; ++k) sum[k] = fma(z[at_most(first + k, m - 1)], z[c], sum[k]);
      }
      TORSOR_DEVICE_UNROLL
      for (int k = 0; k < kAtOnce; ++k) {
        const int r = first + k;
        if (r >= m) continue;
        dual_.AR[std::ptrdiff_t(r) * m + c] = r == c ? sum[k] + dual_.inverse[r] : sum[k];
      }
    }
  }
  // A row without curvature does not move, nor does one towards a bound that is no number.
  group_.sync();
  dual_.for_own([&](int r) {
    const double curvature = dual_.row(r)[r];
    const bool moves = dual_.diagonal[r] != 0 && curvature > 0;
    dual_.diagonal[r] = moves ? curvature : 0;
    dual_.inverse[r] = moves ? 1 / curvature : 0;
  });
  group_.sync();
}

// Forces of rows from those of the dual problem
template <class S, int L, bool kElliptic>
TORSOR_INLINE void IslandPgs<S, L, kElliptic>::take_forces() const {
  for (int k = lane_; k < kUnitKinds * n_; k += L) at_.unit_force[k] = S(0);
  group_.sync();
  for_own_turns([&](const Place& place) {
    const double* const from = dual_.force + place.dual_row;
    S* const to = at_.force + place.row;
    if (place.is_unit()) {
      at_.unit_force[place.kind * n_ + place.index] = S(from[0]);
    } else if (kElliptic || !place.is_contact()) {
      for (int a = 0; a < place.dim; ++a) to[a] = S(at_.factor[place.dual_row + a] * from[a]);
    } else {
      S normal(0);
      for (int a = 1; a < place.dim; ++a) {
        const S plus(from[2 * a - 2]), minus(from[2 * a - 1]);
        normal += plus + minus;
        to[a] = plus - minus;
      }
      to[0] = normal;
    }
  });
  group_.sync();
}

template <class S, int L, bool kElliptic>
TORSOR_INLINE void IslandPgs<S, L, kElliptic>::write_results(int number, int sweeps) const {
  for (int i = lane_; i < n_; i += L) {
    S force = at_.unit_force[kUnitFriction * n_ + i] + at_.unit_force[kUnitLower * n_ + i] -
              at_.unit_force[kUnitUpper * n_ + i];
    for (int r = 0; r < sizes_.rows; ++r) force = fma(J(r)[i], at_.force[r], force);
    at_.v[i] = force;
    arrays_.qfrc_constraint.at(island_.world, dofs_[i]) = force;
  }
  mass_.solve(at_.v);
  for (int i = lane_; i < n_; i += L)
    arrays_.qacc.at(island_.world, dofs_[i]) = arrays_.qacc_smooth.at(island_.world, dofs_[i]) + at_.v[i];
  if (lane_ == 0 && arrays_.iterations) arrays_.iterations[number] = sweeps;
  if (arrays_.force) {
    for (int r = lane_; r < sizes_.rows; r += L) arrays_.force[first_row_ + r] = at_.force[r];
  }
  if (!arrays_.unit_force) return;
  S* const to = arrays_.unit_force + std::ptrdiff_t(island_.world) * kUnitKinds * arrays_.nv;
  for (int i = lane_; i < n_; i += L) {
    for (int kind = 0; kind < kUnitKinds; ++kind) to[kind * arrays_.nv + dofs_[i]] = at_.unit_force[kind * n_ + i];
  }
}

}  // namespace torsor::gpu
