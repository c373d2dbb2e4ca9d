// The constraint problems of one world, by a group of L threads: islands and rows. Contacts are there.
#pragma once

#include "torsor/batch/kernels/write_equalities.hpp"
#include "torsor/dynamics/kernels/integrate.hpp"
#include "torsor/gpu/kernels/contacts.hpp"
#include "torsor/gpu/kernels/group.hpp"
#include "torsor/gpu/kernels/lane_slots.hpp"

namespace torsor::gpu {

template <class S>
TORSOR_INLINE RowState<S> row_state(const DataView<WorldLane<S>>& data, int world) {
  const auto of = [world](const Field<WorldLane<S>>& field) { return of_world(field, world); };
  return {of(data.qpos),  of(data.qvel),        of(data.qacc_smooth), of(data.geom_xpos), of(data.geom_xmat),
          of(data.cdof),  of(data.subtree_com), of(data.ten_length),  of(data.ten_J),     of(data.xpos),
          of(data.xquat), of(data.xmat),        of(data.site_xpos),   of(data.cvel),      of(data.cdof_dot)};
}

// Trees that rows connect, as sets of bits.
class IslandSets {
 public:
  static constexpr int kMost = 64;
  TORSOR_HD void join(std::uint64_t trees) {
    int kept = 0;
    for (int k = 0; k < count_; ++k) {
      if ((sets_[k] & trees) != 0)
        trees |= sets_[k];
      else
        sets_[kept++] = sets_[k];
    }
    sets_[kept] = trees;
    count_ = kept + 1;
  }
  TORSOR_INLINE int count() const { return count_; }
  TORSOR_INLINE std::uint64_t operator[](int k) const { return sets_[k]; }

 private:
  int count_ = 0;
  std::uint64_t sets_[kMost];
};

// Where all trees with rows are one island
class OneIsland {
 public:
  TORSOR_INLINE void join(std::uint64_t trees) { trees_ |= trees; }
  TORSOR_INLINE int count() const { return trees_ != 0; }
  TORSOR_INLINE std::uint64_t operator[](int) const { return trees_; }

 private:
  std::uint64_t trees_ = 0;
};

// Threads that write one contact: a part of the group, so that several are written at once.
template <class S, int L>
struct GroupCrew {
  Group<L> group;
  TORSOR_INLINE int lane() const { return group.lane(); }
  TORSOR_INLINE int lanes() const { return L; }
  TORSOR_INLINE WorldLane<S> sum(const WorldLane<S>& x) const { return group.sum(x.v); }
};

// Whether all rows of a world are in one island, and those that are not of contacts concern one dof each. Without the
// code of others the kernel needs hardly any stack.
template <class S>
TORSOR_INLINE bool is_plain(const WorldView<S>& view, const ConstraintPlan& plan) {
  return (!plan.has_islands || view.model.ntree == 1) && plan.equality_count == 0 && !plan.has_single_scalars;
}

// For kPgs the order of rows is written, too, see write_turns(); for kSap damping and compliance are those of SAP.
// Other solvers share the rows of kNewton.
template <class S, int L, bool kOwnValues = false, IslandSolver kSolver = IslandSolver::kNewton, bool kPlain = false>
class WorldRows {
  using P = WorldLane<S>;

 public:
  TORSOR_INLINE WorldRows(const WorldView<S>& view, const ConstraintView<S>& out, int world)
      : view_(view),
        out_(out),
        plan_(out.plan),
        plans_(out.plan, world),
        world_(world),
        order_(out.contacts.order + std::ptrdiff_t(out.contacts.capacity) * world),
        lane_(group_.lane()),
        state_(row_state(view.data, world)) {}

  // False when there is not enough room.
  TORSOR_HD bool make() {
    start_from_smooth();
    if constexpr (kSolver == IslandSolver::kSap) damp_diagonal();
    if (!find_contacts()) return lack();
    sort_contacts();
    if constexpr (kPlain) return make_plain_island();
    const bool is_one = !plan_.has_islands || view_.model.ntree == 1;
    OneIsland one;
    IslandSets sets;
    is_one ? find_islands(one) : find_islands(sets);
    const int count = is_one ? one.count() : sets.count();
    for (int k = 0; k < count; ++k) {
      if (!write_island(is_one ? one[0] : sets[k], k)) return lack();
    }
    group_.sync();  // the first thread has written them
    for (int k = lane_; k < count; k += L) list_island(out_.islands.trees * world_ + k);
    return true;
  }

 private:
  TORSOR_INLINE bool make_plain_island() {
    OneIsland one;
    find_islands(one);
    if (one.count() == 0) return true;
    if (!write_island(one[0], 0)) return lack();
    if (lane_ == 0) list_island(out_.islands.trees * world_);
    return true;
  }
  TORSOR_INLINE int equalities() const { return kPlain ? 0 : plan_.equality_count; }
  TORSOR_INLINE void start_from_smooth() const {
    const auto numbers = [this](const Field<WorldLane<S>>& field) {
      return PointerTraits<P>::from(of_world(field, world_));
    };
    const auto qacc = numbers(view_.data.qacc), smooth = numbers(view_.data.qacc_smooth),
               force = numbers(view_.data.qfrc_constraint);
    for (int i = lane_; i < view_.model.nv; i += L) {
      qacc[i] = smooth[i];
      force[i] = P(0);
    }
  }
  // As damp_diagonal() of worlds in lanes: h times the damping of each dof, and 1 / diag(A).
  TORSOR_INLINE void damp_diagonal() const {
    const ConstraintArrays<S>& problem = out_.problem;
    const ModelView& model = view_.model;
    const bool is_off = model.opt.disabled(kDisableEulerDamp | kDisableDamper);
    for (int i = lane_; i < model.nv; i += L) {
      const S damping = is_off ? S(0) : S(damping_derivative(model, i, problem.qvel.at(world_, i)));
      const S implicit = S(model.opt.timestep) * damping;
      const S diagonal = problem.M.at(world_, model.M_rowadr[i] + model.M_rownnz[i] - 1);
      problem.implicit.at(world_, i) = implicit;
      problem.inverse.at(world_, i) = S(1) / max(diagonal + implicit, S(kMinValue));
    }
    group_.sync();
  }
  TORSOR_INLINE SapNumbers<S> sap() const {
    if constexpr (kSolver != IslandSolver::kSap) return {};
    const Option& option = view_.model.opt;
    return {&out_.problem.inverse.at(world_, 0), option.timestep, option.sap_sigma};
  }
  // Closed forms are there; one thread adds the points of candidates.
  TORSOR_INLINE bool find_contacts() {
    contacts_ = out_.contacts.count[world_];
    if (plan_.narrow_kinds == 0) return contacts_ <= out_.contacts.capacity;
    candidates_ = out_.candidates.count[world_];
    if (candidates_ > out_.candidates.capacity) return false;
    const CandidatePoints<S, kOwnValues> points(out_, world_);
    const int closed = contacts_;
    contacts_ += points.count();
    if (contacts_ > out_.contacts.capacity) return false;
    group_.sync();
    if (lane_ == 0) points.append(closed);
    group_.sync();
    return true;
  }
  // What a thread knows of a contact that comes at its place in the order of the plan.
  struct Contact {
    int place = 0, pair = -1;  // in the store; < 0: no row
    int kind = -1;             // of its rows, see below; -1 where the thread has no contact
    std::uint64_t trees = 0;
  };
  // Contacts were found in any order: order_[c] is the place of the one that comes c-th in the plan. Those of one pair
  // lie in their order. Where each thread has one at most, it remembers its own.
  TORSOR_INLINE void sort_contacts() {
    if (contacts_ > L) return sort_many_contacts();
    const int pair = lane_ < contacts_ ? pair_at(lane_) : 0;
    int before = 0, place = 0;
    for (int other = 0; other < contacts_; ++other) {
      const int others = group_.broadcast(pair, other);
      before += others < pair || (others == pair && other < lane_);
    }
    for (int other = 0; other < contacts_; ++other) {
      if (group_.broadcast(before, other) == lane_) place = other;
    }
    if (lane_ < contacts_) first_ = read_contact(place);
  }
  TORSOR_HD void sort_many_contacts() {
    for (int c = lane_; c < contacts_; c += L) {
      const int pair = pair_at(c);
      int before = 0;
      for (int other = 0; other < contacts_; ++other) {
        const int others = pair_at(other);
        before += others < pair || (others == pair && other < c);
      }
      order_[before] = c;
    }
    group_.sync();
    first_ = read_contact(order_[lane_]);
  }
  TORSOR_INLINE int pair_at(int place) const {
    const int pair = out_.contacts.pairs.at(world_, place);
    return pair < 0 ? ~pair : pair;
  }
  TORSOR_INLINE Contact read_contact(int place) const {
    Contact contact;
    contact.place = place;
    contact.pair = out_.contacts.pairs.at(world_, place);
    if (contact.pair < 0) return contact;
    contact.kind = kind(plan_.pairs[contact.pair].dim);
    contact.trees = plan_.pairs[contact.pair].trees;
    return contact;
  }
  // That of this thread, of those from `first` on
  TORSOR_INLINE Contact contact_from(int first) const {
    if (first == 0) return first_;
    return first + lane_ < contacts_ ? read_contact(order_[first + lane_]) : Contact{};
  }
  TORSOR_INLINE bool lack() const {
    if (lane_ > 0) return false;
    raise_to(&out_.needed->contacts, contacts_);
    raise_to(&out_.needed->candidates, candidates_);
    raise_to(&out_.needed->rows, rows_);
    raise_to(&out_.needed->items, items_);
    view_.progress.flags[world_] |= Progress<S>::kWaits;
    return false;
  }

  TORSOR_INLINE bool is_active(const EqualityPlan& equality) const {
    return view_.eq_active[std::ptrdiff_t(view_.model.neq) * world_ + equality.id] != S(0);
  }
  // Rows of a ScalarPlan, by UnitRow.
  struct Found {
    bool rows[3];
    TORSOR_INLINE int count() const { return rows[0] + rows[1] + rows[2]; }
  };
  TORSOR_INLINE Found find_scalar(const ScalarPlan& scalar) const {
    if (scalar.is_friction) return {{!kOwnValues || makes_friction_row(scalar.loss), false, false}};
    const P reach = ScalarWriter<P>::reach(scalar, state_, target());
    return {{false, ScalarWriter<P>::distance(scalar, state_, false) < reach,
             ScalarWriter<P>::distance(scalar, state_, true) < reach}};
  }

  // Joins the trees that each thread has, 0 where it has none. As a rule many have the same.
  template <class Sets>
  TORSOR_INLINE void join_all(std::uint64_t trees, Sets& sets) const {
    for (unsigned left = group_.ballot(trees != 0); left != 0;) {
      const std::uint64_t first = group_.broadcast(trees, lowest_bit(left));
      sets.join(first);
      left &= ~group_.ballot(trees == first);
    }
  }
  // Rows of one dof are written on the way: they need no place in an island.
  template <class Sets>
  TORSOR_INLINE void find_islands(Sets& sets) const {
    for (int k = 0; k < equalities(); ++k) {
      if (is_active(plan_.equalities[k])) sets.join(plan_.equalities[k].trees);
    }
    for (int first = 0; first < contacts_; first += L) join_all(contact_from(first).trees, sets);
    const RowTarget<S> to = target();
    for (int first = 0; first < plan_.scalar_count; first += L) {
      std::uint64_t trees = 0;
      if (const int k = first + lane_; k < plan_.scalar_count) {
        const auto& scalar = plans_.scalar(k);
        const Found found = find_scalar(scalar);
        if (found.count() > 0) trees = scalar.trees;
        if (kPlain || scalar.is_unit()) write_units(scalar, found, to);
      }
      join_all(trees, sets);
    }
  }

  // The kind of a contact's rows: those with 3, 4 and 6 rows, then singles.
  enum { kSingle = solver::kContactKinds, kRowKinds };
  static TORSOR_INLINE int kind(int dim) { return dim == 3 ? 0 : dim == 4 ? 1 : dim == 6 ? 2 : int(kSingle); }

  // Dofs, then rows. `trees` are those of the island.
  TORSOR_HD bool write_island(std::uint64_t trees, int number) {
    Island island{};
    island.world = world_;
    place_dofs(trees, island);
    count_rows(trees, island);
    island.first_row = rows_;
    island.first_item = items_;
    items_ += island.singles;
    rows_ += island.singles;
    for (int k = 0; k < solver::kContactKinds; ++k) {
      items_ += island.contacts[k];
      rows_ += island.contacts[k] * solver::contact_dim(k);
    }
    const bool fits = rows_ <= out_.problem.row_capacity && items_ <= out_.problem.item_capacity;
    if (fits) write_rows(trees, island);
    if constexpr (kSolver == IslandSolver::kPgs) {
      if (fits) write_turns(trees, island);
    }
    if (lane_ == 0) out_.islands.islands[out_.islands.trees * world_ + number] = island;
    return fits;
  }

  // Dofs of the island, ascending.
  TORSOR_INLINE void place_dofs(std::uint64_t trees, Island& island) {
    const std::ptrdiff_t base = std::ptrdiff_t(view_.model.nv) * world_;
    int* const dofs = const_cast<int*>(out_.problem.dofs) + base;
    island.first_dof = dofs_;
    for (int first = 0; first < view_.model.nv; first += L) {
      const int i = first + lane_;
      const bool is_in = i < view_.model.nv && (trees >> view_.model.dof_treeid[i] & 1);
      const unsigned in = group_.ballot(is_in);
      if (is_in) {
        const int place = dofs_ - island.first_dof + count_bits(in & ((1u << lane_) - 1));
        out_.place[base + i] = place;
        dofs[island.first_dof + place] = i;
      }
      dofs_ += count_bits(in);
    }
    island.dofs = dofs_ - island.first_dof;
    group_.sync();
  }

  // Of those of the plan: none where each has one number.
  TORSOR_INLINE int single_scalars() const { return !kPlain && plan_.has_single_scalars ? plan_.scalar_count : 0; }
  static TORSOR_INLINE int kind_in(std::uint64_t trees, const Contact& contact) {
    return (contact.trees & trees) != 0 ? contact.kind : -1;
  }
  TORSOR_INLINE void count_rows(std::uint64_t trees, Island& island) const {
    for (int k = 0; k < equalities(); ++k) {
      const EqualityPlan& equality = plan_.equalities[k];
      if ((equality.trees & trees) != 0 && is_active(equality)) island.singles += equality.rows;
    }
    int found = 0;
    for (int k = lane_; k < single_scalars(); k += L) {
      const ScalarPlan& scalar = plan_.scalars[k];
      if ((scalar.trees & trees) != 0 && !scalar.is_unit()) found += find_scalar(plans_.scalar(k)).count();
    }
    island.singles += group_.sum(found);
    for (int first = 0; first < contacts_; first += L) {
      const int mine = kind_in(trees, contact_from(first));
      for (int k = 0; k < kRowKinds; ++k)
        (k == kSingle ? island.singles : island.contacts[k]) += count_bits(group_.ballot(mine == k));
    }
  }

  // Views of the island's parts of the arrays, as the writers of rows know them.
  TORSOR_INLINE void set_slots(const Island& island, solver::WideProblem<S>& problem) const {
    const ConstraintArrays<S>& arrays = out_.problem;
    std::ptrdiff_t row = std::ptrdiff_t(arrays.row_capacity) * world_ + island.first_row;
    std::ptrdiff_t item = std::ptrdiff_t(arrays.item_capacity) * world_ + island.first_item;
    const auto set = [&](solver::WideSlots<S>& slots) {
      slots.tiles = arrays.stride;  // see SlotLayout
      slots.J = const_cast<S*>(arrays.J) + row * arrays.stride;
      slots.b = const_cast<S*>(arrays.b) + row;
      slots.D = const_cast<S*>(arrays.D) + item;
    };
    set(problem.singles);
    problem.singles.R = const_cast<S*>(arrays.R) + item;
    problem.singles.lower = const_cast<S*>(arrays.lower) + item;
    problem.singles.upper = const_cast<S*>(arrays.upper) + item;
    row += island.singles;
    item += island.singles;
    for (int k = 0; k < solver::kContactKinds; ++k) {
      set(problem.contacts[k]);
      problem.contacts[k].mu = const_cast<S*>(arrays.mu) + item;
      row += std::ptrdiff_t(island.contacts[k]) * solver::contact_dim(k);
      item += island.contacts[k];
    }
  }
  TORSOR_INLINE RowTarget<S> target(solver::WideProblem<S>* problem = nullptr) const {
    return {problem,
            out_.place + std::ptrdiff_t(view_.model.nv) * world_,
            plan_.dofs,
            plan_.equality_dofs,
            view_.model.ten_J_colind.data(),
            plan_.is_pyramidal,
            plans_.impratio(),
            sap()};
  }

  TORSOR_INLINE void clear_jacobian(const Island& island) const {
    const std::ptrdiff_t first = std::ptrdiff_t(out_.problem.row_capacity) * world_ + island.first_row;
    S* const J = const_cast<S*>(out_.problem.J) + first * out_.problem.stride;
    const int numbers = (rows_ - island.first_row) * out_.problem.stride;
    for (int i = 4 * lane_; i < numbers; i += 4 * L) clear_four(J + i);
    group_.sync();
  }

  // Singles first, then contacts, each kind in the order of the plan.
  TORSOR_INLINE void write_rows(std::uint64_t trees, const Island& island) const {
    clear_jacobian(island);
    solver::WideProblem<S> problem;
    set_slots(island, problem);
    const RowTarget<S> to = target(&problem);
    int single = 0;
    for (int k = 0; k < equalities(); ++k) {
      const EqualityPlan& equality = plan_.equalities[k];
      if ((equality.trees & trees) == 0 || !is_active(equality)) continue;
      if (lane_ == 0) EqualityWriter<P>(plans_.equality(k), 1, &single, state_, to).write();
      single += equality.rows;
    }
    for (int first = 0; first < single_scalars(); first += L) {
      const int k = first + lane_;
      const bool is_single =
          k < plan_.scalar_count && (plan_.scalars[k].trees & trees) != 0 && !plan_.scalars[k].is_unit();
      for (unsigned left = group_.ballot(is_single); left != 0; left &= left - 1)
        write_scalar(plans_.scalar(first + lowest_bit(left)), to, single);
    }
    int next[kRowKinds] = {0, 0, 0, single};
    for (int first = 0; first < contacts_; first += L) write_contacts(trees, first, to, next);
  }

  // How many of the threads before this one say yes.
  TORSOR_INLINE int count_before(bool yes) const { return count_bits(group_.ballot(yes) & ((1u << lane_) - 1)); }

  // Gauss-Seidel: the rows that were written, in the order of one world, and the friction of contacts.
  TORSOR_INLINE void write_turns(std::uint64_t trees, Island& island) const {
    Turn* const turns = out_.problem.turns + out_.problem.first_turn(island);
    int turn = 0, next[kRowKinds] = {};
    for (int k = 0; k < plan_.equality_count; ++k) {
      const EqualityPlan& equality = plan_.equalities[k];
      if ((equality.trees & trees) == 0 || !is_active(equality)) continue;
      for (int r = lane_; r < equality.rows; r += L) turns[turn + r] = Turn::make(Turn::kSingle, next[kSingle] + r);
      turn += equality.rows;
      next[kSingle] += equality.rows;
    }
    for (int first = 0; first < plan_.scalar_count; first += L) write_scalar_turns(trees, first, turns, turn, next);
    for (int first = 0; first < contacts_; first += L) write_contact_turns(trees, island, first, turns, turn, next);
    island.turns = turn;
  }
  // Of the scalar of each thread: up to three rows.
  TORSOR_INLINE void write_scalar_turns(std::uint64_t trees, int first, Turn* turns, int& turn, int* next) const {
    const int k = first + lane_;
    const bool is_in = k < plan_.scalar_count && (plan_.scalars[k].trees & trees) != 0;
    const bool is_unit = is_in && plan_.scalars[k].is_unit();
    Found found{};
    if (is_in) found = find_scalar(plans_.scalar(k));
    int at = turn, single = next[kSingle];
    for (const bool row : found.rows) {
      at += count_before(row);
      single += count_before(row && !is_unit);
    }
    const int* const place = out_.place + std::ptrdiff_t(view_.model.nv) * world_;
    for (int row = 0; row < 3; ++row) {
      if (found.rows[row])
        turns[at++] = is_unit ? Turn::make(row, place[plan_.scalars[k].dof]) : Turn::make(Turn::kSingle, single++);
      turn += count_bits(group_.ballot(found.rows[row]));
      next[kSingle] += count_bits(group_.ballot(found.rows[row] && !is_unit));
    }
  }
  TORSOR_INLINE void write_contact_turns(std::uint64_t trees, const Island& island, int first, Turn* turns, int& turn,
                                         int* next) const {
    const Contact contact = contact_from(first);
    const int mine = kind_in(trees, contact);
    int slot = 0;
    for (int k = 0; k < kRowKinds; ++k) {
      const int before = count_before(mine == k);
      if (mine == k) slot = next[k] + before;
      next[k] += count_bits(group_.ballot(mine == k));
    }
    const int at = turn + count_before(mine >= 0);
    turn += count_bits(group_.ballot(mine >= 0));
    if (mine < 0) return;
    turns[at] = mine == kSingle ? Turn::make(Turn::kSingle, slot) : Turn::make(Turn::kContact + mine, slot);
    if (mine == kSingle || !out_.problem.friction) return;
    int item = island.first_item + island.singles + slot;
    for (int k = 0; k < mine; ++k) item += island.contacts[k];
    constexpr int kTangents = ConstraintArrays<S>::kMostTangents;
    double* const friction =
        out_.problem.friction + (std::ptrdiff_t(out_.problem.item_capacity) * world_ + item) * kTangents;
    const auto& pair = plans_.pair(contact.pair);
    for (int a = 0; a < kTangents; ++a) friction[a] = pair.friction[a];
  }

  // Contacts from `first` on, one for each thread; `next` are their slots by kind.
  TORSOR_INLINE void write_contacts(std::uint64_t trees, int first, const RowTarget<S>& to, int* next) const {
    constexpr int kCrew = L < 8 ? L : 8, kCrews = L / kCrew;
    const Contact contact = contact_from(first);
    const int mine = kind_in(trees, contact);
    int slot = 0;
    for (int k = 0; k < kRowKinds; ++k) {
      const unsigned same = group_.ballot(mine == k);
      if (mine == k) slot = next[k] + count_bits(same & ((1u << lane_) - 1));
      next[k] += count_bits(same);
    }
    unsigned left = group_.ballot(mine >= 0);
    while (left != 0) {
      int at = -1;  // of this crew
      for (int crew = 0; crew < kCrews && left != 0; ++crew, left &= left - 1)
        if (crew == lane_ / kCrew) at = lowest_bit(left);
      const int from = at < 0 ? 0 : at, its_pair = group_.broadcast(contact.pair, from),
                its_place = group_.broadcast(contact.place, from), its_slot = group_.broadcast(slot, from);
      if (at >= 0) write_contact<kCrew>(plans_.pair(its_pair), its_place, to, its_slot);
      group_.sync();
    }
  }

  TORSOR_INLINE void write_units(const ScalarPlan& scalar, const Found& found, const RowTarget<S>& to) const {
    for (int k = 0; k < 3; ++k) {
      const auto row = static_cast<UnitRow>(k);
      if (scalar.is_friction == (row == UnitRow::kFriction)) write_unit(scalar, row, found.rows[k], to);
    }
  }
  TORSOR_INLINE void write_scalar(const ScalarPlan& scalar, const RowTarget<S>& to, int& single) const {
    const Found found = find_scalar(scalar);
    for (int k = 0; k < 3; ++k) {
      if (!found.rows[k]) continue;
      if (lane_ == 0) ScalarWriter<P>(scalar, static_cast<UnitRow>(k), state_, to).write_single(1, &single);
      ++single;
    }
  }
  // Also where there is no row now: there may have been one before.
  TORSOR_INLINE void write_unit(const ScalarPlan& scalar, UnitRow row, bool is_there, const RowTarget<S>& to) const {
    const std::ptrdiff_t nv = view_.model.nv, at = (kUnitKinds * std::ptrdiff_t(world_) + int(row)) * nv + scalar.dof;
    S* const D = const_cast<S*>(out_.problem.unit_D) + at;
    if (!is_there) {
      *D = S(0);
      return;
    }
    const ScalarWriter<P> writer(scalar, row, state_, to);
    *D = writer.unit_D().v;
    const_cast<S*>(out_.problem.unit_b)[at] = writer.unit_b().v;
  }

  template <int kCrew>
  TORSOR_INLINE void write_contact(const PairPlan& pair, int place, const RowTarget<S>& to, int slot) const {
    const WorldPointer<S> numbers =
        PointerTraits<P>::from(&out_.contacts.numbers.at(world_, ContactStore<S>::kNumbers * place));
    const ContactWriter<P, GroupCrew<S, kCrew>> writer(pair, numbers, 1, &slot, state_, to, {});
    if (pair.dim == 1) writer.template write<1>();
    if (pair.dim == 3) writer.template write<3>();
    if (pair.dim == 4) writer.template write<4>();
    if (pair.dim == 6) writer.template write<6>();
  }

  TORSOR_INLINE void list_island(int island) const {
    const IslandSink& sink = out_.islands;
    const int c = size_class(sink.islands[island], out_.problem.elliptic);
    sink.indices[std::ptrdiff_t(c) * sink.capacity + add_to(sink.counts + c, 1)] = island;
  }

  const WorldView<S>& view_;
  const ConstraintView<S>& out_;
  const ConstraintPlan& plan_;  // what it has of structure
  const PlanOfWorld<kOwnValues> plans_;
  const int world_;
  const Group<L> group_{};
  int* const order_;
  const int lane_;
  const RowState<S> state_;
  int contacts_ = 0, candidates_ = 0, dofs_ = 0, rows_ = 0, items_ = 0;
  Contact first_;  // of the first ones in the order of the plan, that of this thread
};

// Points of closed forms, and candidates for the others, by one member of the team of a world.
template <bool kOwnValues = false, class S>
TORSOR_INLINE void find_contacts(const WorldView<S>& view, const ConstraintView<S>& out, bool is_step, int world,
                                 const ContactTeam& team) {
  if (is_step && !view.progress.is_active(world)) return;
  ContactFinder<S, kOwnValues>(view, out, world, team).find(out.plan);
}
// When all members are done
template <class S>
TORSOR_INLINE void count_contacts(const WorldView<S>& view, const ConstraintView<S>& out, bool is_step, int world,
                                  const ContactTeam& team) {
  if (is_step && !view.progress.is_active(world)) return;
  out.contacts.count[world] = *team.contacts;
  if (out.candidates.count) out.candidates.count[world] = *team.candidates;
}

template <int L, bool kOwnValues = false, IslandSolver kSolver = IslandSolver::kNewton, bool kPlain = false, class S>
TORSOR_INLINE void constrain_world(const WorldView<S>& view, const ConstraintView<S>& out, bool is_step, int world) {
  if (is_step && !view.progress.is_active(world)) return;
  WorldRows<S, L, kOwnValues, kSolver, kPlain>(view, out, world).make();
}

}  // namespace torsor::gpu
