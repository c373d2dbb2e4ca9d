// The constraint problems of one world, by a group of L threads: islands and rows. Contacts are there.
#pragma once

#include "torsor/batch/kernels/write_equalities.hpp"
#include "torsor/gpu/kernels/contacts.hpp"
#include "torsor/gpu/kernels/group.hpp"
#include "torsor/gpu/kernels/lane_slots.hpp"

namespace torsor::gpu {

// Numbers of a world, whichever threads work on it.
template <class S>
TORSOR_INLINE S* of_world(const Field<WorldLane<S>>& field, int world) {
  return reinterpret_cast<S*>(field.pointer) + std::ptrdiff_t(world / kBlock) * field.block + world % kBlock;
}

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
  TORSOR_INLINE explicit IslandSets(bool apart) : apart_(apart) {}
  TORSOR_HD void join(std::uint64_t trees) {
    int kept = 0;
    for (int k = 0; k < count_; ++k) {
      if (!apart_ || (sets_[k] & trees) != 0)
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
  const bool apart_;
  int count_ = 0;
  std::uint64_t sets_[kMost];
};

// A group as the crew of ContactWriter.
template <class S, int L>
struct GroupCrew {
  Group<L> group;
  TORSOR_INLINE int lane() const { return group.lane(); }
  TORSOR_INLINE int lanes() const { return L; }
  TORSOR_INLINE WorldLane<S> sum(const WorldLane<S>& x) const { return group.sum(x.v); }
};

template <class S, int L, bool kOwnValues = false>
class WorldRows {
  using P = WorldLane<S>;

 public:
  TORSOR_INLINE WorldRows(const WorldView<S>& view, const ConstraintView<S>& out, int world)
      : view_(view),
        out_(out),
        plan_(out.plan),
        plans_(out.plan, world),
        world_(world),
        lane_(group_.lane()),
        state_(row_state(view.data, world)) {}

  // False when there is not enough room.
  TORSOR_HD bool make() {
    start_from_smooth();
    if (!find_contacts()) return lack();
    IslandSets sets(plan_.has_islands);
    find_islands(sets);
    for (int k = 0; k < sets.count(); ++k) {
      if (!write_island(sets[k], k)) return lack();
    }
    for (int k = lane_; k < sets.count(); k += L) list_island(out_.islands.trees * world_ + k);
    return true;
  }

 private:
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
  // Closed forms are there; one thread puts the points of candidates among them.
  TORSOR_INLINE bool find_contacts() {
    contacts_ = out_.contacts.count[world_];
    if (plan_.narrow_kinds == 0) return contacts_ <= out_.contacts.capacity;
    candidates_ = out_.candidates.count[world_];
    if (candidates_ > out_.candidates.capacity) return false;
    const ContactMerger<S, kOwnValues> merger(out_, world_);
    const int closed = contacts_;
    contacts_ += merger.count();
    if (contacts_ > out_.contacts.capacity) return false;
    group_.sync();
    if (lane_ == 0) {
      merger.merge(closed, contacts_);
      out_.contacts.count[world_] = contacts_;
    }
    group_.sync();
    return true;
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

  TORSOR_INLINE int pair_of(int contact) const { return out_.contacts.pairs.at(world_, contact); }  // < 0: no row
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

  TORSOR_INLINE void find_islands(IslandSets& sets) const {
    for (int k = 0; k < plan_.equality_count; ++k) {
      if (is_active(plan_.equalities[k])) sets.join(plan_.equalities[k].trees);
    }
    for (int c = 0; c < contacts_; ++c) {
      if (pair_of(c) >= 0) sets.join(plan_.pairs[pair_of(c)].trees);
    }
    for (int first = 0; first < plan_.scalar_count; first += L) {
      const int k = first + lane_;
      const bool is_there = k < plan_.scalar_count && find_scalar(plans_.scalar(k)).count() > 0;
      for (unsigned found = group_.ballot(is_there); found != 0; found &= found - 1)
        sets.join(plan_.scalars[first + lowest_bit(found)].trees);
    }
  }

  static TORSOR_INLINE int kind(int dim) { return dim == 3 ? 0 : dim == 4 ? 1 : 2; }

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

  TORSOR_INLINE void count_rows(std::uint64_t trees, Island& island) const {
    for (int k = 0; k < plan_.equality_count; ++k) {
      const EqualityPlan& equality = plan_.equalities[k];
      if ((equality.trees & trees) != 0 && is_active(equality)) island.singles += equality.rows;
    }
    for (int k = 0; k < plan_.scalar_count; ++k) {
      const ScalarPlan& scalar = plan_.scalars[k];
      if ((scalar.trees & trees) != 0 && !scalar.is_unit()) island.singles += find_scalar(plans_.scalar(k)).count();
    }
    for (int c = 0; c < contacts_; ++c) {
      if (pair_of(c) < 0) continue;
      const PairPlan& pair = plan_.pairs[pair_of(c)];
      if ((pair.trees & trees) == 0) continue;
      ++(pair.dim == 1 ? island.singles : island.contacts[kind(pair.dim)]);
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
            {}};
  }

  TORSOR_INLINE void clear_jacobian(const Island& island) const {
    const std::ptrdiff_t first = std::ptrdiff_t(out_.problem.row_capacity) * world_ + island.first_row;
    const int columns = (island.dofs + 3) / 4 * 4;
    for (int r = 0; r < rows_ - island.first_row; ++r) {
      S* const row = const_cast<S*>(out_.problem.J) + (first + r) * out_.problem.stride;
      for (int i = lane_; i < columns; i += L) row[i] = S(0);
    }
    group_.sync();
  }

  // Singles first, then contacts, each kind in the order of the plan.
  TORSOR_INLINE void write_rows(std::uint64_t trees, const Island& island) const {
    clear_jacobian(island);
    solver::WideProblem<S> problem;
    set_slots(island, problem);
    const RowTarget<S> to = target(&problem);
    int single = 0, next[solver::kContactKinds] = {};
    for (int k = 0; k < plan_.equality_count; ++k) {
      const EqualityPlan& equality = plan_.equalities[k];
      if ((equality.trees & trees) == 0 || !is_active(equality)) continue;
      if (lane_ == 0) EqualityWriter<P>(plans_.equality(k), 1, &single, state_, to).write();
      single += equality.rows;
    }
    for (int k = lane_; k < plan_.scalar_count; k += L) {
      if ((plan_.scalars[k].trees & trees) != 0 && plan_.scalars[k].is_unit()) write_units(plans_.scalar(k), to);
    }
    for (int k = 0; k < plan_.scalar_count; ++k) {
      if ((plan_.scalars[k].trees & trees) != 0 && !plan_.scalars[k].is_unit())
        write_scalar(plans_.scalar(k), to, single);
    }
    for (int c = 0; c < contacts_; ++c) {
      const int p = pair_of(c);
      if (p < 0 || (plan_.pairs[p].trees & trees) == 0) continue;
      const int dim = plan_.pairs[p].dim;
      write_contact(plans_.pair(p), c, to, dim == 1 ? single : next[kind(dim)]);
    }
  }

  TORSOR_INLINE void write_units(const ScalarPlan& scalar, const RowTarget<S>& to) const {
    const Found found = find_scalar(scalar);
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

  TORSOR_INLINE void write_contact(const PairPlan& pair, int contact, const RowTarget<S>& to, int& slot) const {
    const WorldPointer<S> numbers =
        PointerTraits<P>::from(&out_.contacts.numbers.at(world_, ContactStore<S>::kNumbers * contact));
    const ContactWriter<P, GroupCrew<S, L>> writer(pair, numbers, 1, &slot, state_, to, {group_});
    if (pair.dim == 1) writer.template write<1>();
    if (pair.dim == 3) writer.template write<3>();
    if (pair.dim == 4) writer.template write<4>();
    if (pair.dim == 6) writer.template write<6>();
    ++slot;
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
  const int lane_;
  const RowState<S> state_;
  int contacts_ = 0, candidates_ = 0, dofs_ = 0, rows_ = 0, items_ = 0;
};

// Points of closed forms, and candidates for the others. The thread is that of the world.
template <bool kOwnValues = false, class S>
TORSOR_INLINE void find_contacts(const WorldView<S>& view, const ConstraintView<S>& out, bool is_step, int world) {
  if (is_step && !view.progress.is_active(world)) return;
  out.contacts.count[world] = ContactFinder<S, kOwnValues>(view, out, world).find(out.plan);
}

template <int L, bool kOwnValues = false, class S>
TORSOR_INLINE void constrain_world(const WorldView<S>& view, const ConstraintView<S>& out, bool is_step, int world) {
  if (is_step && !view.progress.is_active(world)) return;
  WorldRows<S, L, kOwnValues>(view, out, world).make();
}

}  // namespace torsor::gpu
