// Forces of contacts and equalities after the solution, where somebody reads them: found among those of rows, added to
// the forces on bodies, and read by sensors. Kernels that find contacts and rows know nothing of this: where the rows
// of a contact are follows from the order in which WorldRows writes them.
#pragma once

#include "torsor/batch/kernels/wrenches.hpp"
#include "torsor/gpu/kernels/constraints.hpp"
#include "torsor/gpu/kernels/team_stages.hpp"
#include "torsor/sim/contact_reader.hpp"

namespace torsor::gpu {

// The rows of the contacts and equalities of one world, by a group of L threads.
template <class S, int L, bool kOwnValues>
class ForceFinder {
 public:
  TORSOR_INLINE ForceFinder(const WorldView<S>& view, const ConstraintView<S>& of, int world)
      : view_(view),
        of_(of),
        plan_(of.plan),
        plans_(of.plan, world),
        world_(world),
        first_contact_(std::ptrdiff_t(of.contacts.capacity) * world),
        order_(of.forces.order + first_contact_),
        group_of_(of.forces.group + first_contact_),
        lane_(group_.lane()) {}

  TORSOR_HD void find() {
    count_ = count_contacts();
    if (lane_ == 0) of_.forces.contacts[world_] = count_;
    find_equalities();
    for (int c = lane_; c < count_; c += L) group_of_[c] = find_group(of_.contacts.pairs.at(world_, c));
    group_.sync();
    for (int c = lane_; c < count_; c += L) take_contact(c);
  }

 private:
  // None where they did not find room: then forward dynamics are computed again.
  TORSOR_INLINE int count_contacts() const {
    int count = of_.contacts.count[world_];
    if (plan_.narrow_kinds != 0) {
      if (of_.candidates.count[world_] > of_.candidates.capacity) return 0;
      count += CandidatePoints<S, kOwnValues>(of_, world_).count();
    }
    return count <= of_.contacts.capacity ? count : 0;
  }
  // Where the problem had no room, islands are left over from an earlier one, and their rows may be anywhere.
  TORSOR_INLINE bool has_rows(int first, int count) const {
    return first >= 0 && first + count <= of_.problem.row_capacity;
  }

  TORSOR_INLINE const Island& island(int number) const {
    return of_.islands.islands[of_.islands.trees * world_ + number];
  }
  // The number of the island of a dof that is in one. Those of this step come first; others may follow that were found
  // in an earlier one.
  TORSOR_INLINE int island_of(int dof) const {
    const std::ptrdiff_t base = std::ptrdiff_t(view_.model.nv) * world_;
    const int place = of_.place[base + dof];
    for (int k = 0; k < of_.islands.trees; ++k) {
      if (place < island(k).dofs && of_.problem.dofs[base + island(k).first_dof + place] == dof) return k;
    }
    return 0;
  }

  TORSOR_INLINE bool is_active(const EqualityPlan& equality) const {
    return view_.eq_active[std::ptrdiff_t(view_.model.neq) * world_ + equality.id] != S(0);
  }
  // Equalities come first in their islands.
  TORSOR_INLINE void find_equalities() const {
    int* const rows = of_.forces.equality_rows + std::ptrdiff_t(plan_.equality_count) * world_;
    for (int k = lane_; k < plan_.equality_count; k += L) {
      const EqualityPlan& equality = plan_.equalities[k];
      rows[k] = -1;
      if (!is_active(equality)) continue;
      const int number = island_of(plan_.equality_dofs[equality.first_dof].dof);
      int row = island(number).first_row;
      for (int before = 0; before < k; ++before) {
        const EqualityPlan& other = plan_.equalities[before];
        if (is_active(other) && island_of(plan_.equality_dofs[other.first_dof].dof) == number) row += other.rows;
      }
      if (has_rows(row, equality.rows)) rows[k] = row;
    }
  }

  // Contacts of one island with as many rows each have their rows one after the other: which of these groups it is; -1
  // for contacts without rows.
  static constexpr int kKinds = solver::kContactKinds + 1;
  static TORSOR_INLINE int kind(int dim) { return dim == 3 ? 0 : dim == 4 ? 1 : dim == 6 ? 2 : solver::kContactKinds; }
  TORSOR_INLINE int find_group(int pair) const {
    if (pair < 0) return -1;
    const PairPlan& of_pair = plan_.pairs[pair];
    return kKinds * island_of(plan_.dofs[of_pair.first_dof].dof) + kind(of_pair.dim);
  }
  TORSOR_INLINE int pair_at(int c) const {
    const int pair = of_.contacts.pairs.at(world_, c);
    return pair < 0 ? ~pair : pair;
  }

  TORSOR_HD void take_contact(int c) const {
    const int pair = pair_at(c), group = group_of_[c];
    int before = 0, before_in_group = 0, of_group = 0;
    for (int other = 0; other < count_; ++other) {
      const int others = pair_at(other);
      const bool is_before = others < pair || (others == pair && other < c), is_in_group = group_of_[other] == group;
      before += is_before;
      before_in_group += is_before && is_in_group;
      of_group += is_in_group;
    }
    order_[before] = c;
    S* const force = of_.forces.of_contacts + 6 * (first_contact_ + c);
    for (int r = 0; r < 6; ++r) force[r] = S(0);
    if (group >= 0) take_rows(plans_.pair(pair), first_row(group, before_in_group, of_group), force);
  }
  TORSOR_INLINE int first_row(int group, int before, int of_group) const {
    const Island& in = island(group / kKinds);
    const int kind = group % kKinds;
    if (kind == solver::kContactKinds) return in.first_row + in.singles - of_group + before;  // the last singles
    int row = in.first_row + in.singles;
    for (int k = 0; k < kind; ++k) row += in.contacts[k] * solver::contact_dim(k);
    return row + before * solver::contact_dim(kind);
  }
  // Those of tangents were scaled by friction.
  TORSOR_INLINE void take_rows(const PairPlan& pair, int first, S* force) const {
    const S* const of_rows = of_.problem.force + std::ptrdiff_t(of_.problem.row_capacity) * world_ + first;
    for (int r = 0; r < pair.dim && has_rows(first, pair.dim); ++r)
      force[r] = S(r == 0 ? 1 : pair.friction[r - 1]) * of_rows[r];
  }

  const WorldView<S>& view_;
  const ConstraintView<S>& of_;
  const ConstraintPlan& plan_;
  const PlanOfWorld<kOwnValues> plans_;
  const int world_;
  const std::ptrdiff_t first_contact_;
  int *const order_, *const group_of_;
  const Group<L> group_{};
  const int lane_;
  int count_ = 0;
};

template <int L, bool kOwnValues, class S>
TORSOR_INLINE void find_forces(const WorldView<S>& view, const ConstraintView<S>& of, bool is_step, int world) {
  if (is_step && !view.progress.is_active(world)) return;
  ForceFinder<S, L, kOwnValues>(view, of, world).find();
}

// The contacts of one world with their forces, in the order of the plan; see contact_reader.hpp.
template <class S>
class ContactsOfWorld {
 public:
  TORSOR_INLINE ContactsOfWorld(const WorldView<S>& view, const ConstraintView<S>& of, int world)
      : view_(view), of_(of), world_(world), first_(std::ptrdiff_t(of.contacts.capacity) * world) {}

  // Without a solver there are none.
  TORSOR_INLINE int count() const { return of_.forces.contacts ? of_.forces.contacts[world_] : 0; }
  TORSOR_INLINE bool has_rows(int c) const { return of_.contacts.pairs.at(world_, place(c)) >= 0; }
  TORSOR_INLINE const ContactPair& pair(int c) const {
    const int pair = of_.contacts.pairs.at(world_, place(c));
    return of_.plan.pairs[pair < 0 ? ~pair : pair].pair;
  }
  TORSOR_INLINE int geom(int c, int side) const { return side == 0 ? pair(c).geom1 : pair(c).geom2; }
  TORSOR_INLINE double dist(int c) const { return numbers(c)[0].v; }
  TORSOR_INLINE Vec3<double> pos(int c) const { return vector(c, 1); }
  TORSOR_INLINE Vec3<double> axis(int c, int k) const { return vector(c, 4 + 3 * k); }
  TORSOR_INLINE void force(int c, double F_C[6]) const {
    for (int r = 0; r < 6; ++r) F_C[r] = forces(c)[r];
  }
  TORSOR_INLINE Vec3<double> site_pos(int site) const { return to_double(load3(view_.data.site_xpos.row(site, 3))); }
  TORSOR_INLINE Mat3<double> site_mat(int site) const {
    const WorldPointer<S> R = view_.data.site_xmat.row(site, 9);
    double numbers[9];
    for (int i = 0; i < 9; ++i) numbers[i] = R[i].v;
    return load9(numbers);
  }

  TORSOR_INLINE WorldPointer<S> numbers(int c) const {
    return PointerTraits<WorldLane<S>>::from(&of_.contacts.numbers.at(world_, ContactStore<S>::kNumbers * place(c)));
  }
  TORSOR_INLINE const S* forces(int c) const { return of_.forces.of_contacts + 6 * (first_ + place(c)); }

 private:
  TORSOR_INLINE int place(int c) const { return of_.forces.order[first_ + c]; }
  static TORSOR_INLINE Vec3<double> to_double(const Vec3<WorldLane<S>>& v) { return {v.x.v, v.y.v, v.z.v}; }
  TORSOR_INLINE Vec3<double> vector(int c, int first) const { return to_double(load3(numbers(c) + first)); }

  const WorldView<S>& view_;
  const ConstraintView<S>& of_;
  const int world_;
  const std::ptrdiff_t first_;
};

// Adds what contacts and equalities exert on the bodies of one member of the team of a world, so that the sum of each
// body has one order.
template <bool kOwnValues, class S>
TORSOR_HD void add_wrenches(const WorldView<S>& view, const ConstraintView<S>& of, bool is_step, int world,
                            const StageTeam& team) {
  using P = WorldLane<S>;
  if (is_step && !view.progress.is_active(world)) return;
  const RowState<S> state = row_state(view.data, world);
  S* const cfrc_ext = of_world(view.data.cfrc_ext, world);
  const auto is_ours = [&](int body) { return body != 0 && body % team.members == team.member; };
  const ContactsOfWorld<S> contacts(view, of, world);
  for (int c = 0; c < contacts.count(); ++c) {
    if (!contacts.has_rows(c)) continue;
    for (int side = 0; side < 2; ++side) {
      const int body = view.model.geom_bodyid[contacts.geom(c, side)];
      if (!is_ours(body)) continue;
      const S* const force = contacts.forces(c);
      const WorldPointer<S> numbers = contacts.numbers(c);
      const Wrench<P> F_C_W =
          contact_wrench<P>(numbers, Vec3<P>{force[0], force[1], force[2]}, Vec3<P>{force[3], force[4], force[5]});
      add_to_body<P>(true, body, view.model.body_rootid[body], load3(numbers + 1), side == 0 ? -F_C_W : F_C_W, state,
                     cfrc_ext);
    }
  }
  const PlanOfWorld<kOwnValues> plans(of.plan, world);
  for (int k = 0; k < of.plan.equality_count; ++k) {
    const EqualityPlan& shared = of.plan.equalities[k];
    const int row = of.forces.equality_rows[std::ptrdiff_t(of.plan.equality_count) * world + k];
    if (row < 0 || shared.rows == 1 || (!is_ours(shared.body[0]) && !is_ours(shared.body[1]))) continue;
    const auto& equality = plans.equality(k);
    const S* const force = of.problem.force + std::ptrdiff_t(of.problem.row_capacity) * world + row;
    const Wrench<P> F_W = equality_wrench<P>(
        equality, [force](int r) { return P(force[r]); }, state);
    for (int side = 0; side < 2; ++side) {
      if (is_ours(shared.body[side]))
        add_to_body<P>(true, shared.body[side], shared.root[side], find_anchor<P>(equality, side, state),
                       side == 0 ? F_W : -F_W, state, cfrc_ext);
    }
  }
}

// Touch and contact sensors of one member of the team of a world.
template <bool kOwnValues, class S>
TORSOR_HD void read_contacts(const WorldView<S>& view, const ConstraintView<S>& of, bool is_step, int world,
                             const StageTeam& team) {
  if (is_step && !view.progress.is_active(world)) return;
  const ModelView& model = model_of<kOwnValues>(view, world);
  const ContactsOfWorld<S> contacts(view, of, world);
  for (int id = team.member; id < model.nsensor; id += team.members) {
    const auto type = static_cast<SensorType>(model.sensor_type[id]);
    if ((type != SensorType::kTouch && type != SensorType::kContact) || !is_plain_sensor(model, id)) continue;
    const WorldPointer<S> reading = view.data.sensordata.row(model.sensor_adr[id], 1);
    const ContactReader<ContactsOfWorld<S>> reader(model, contacts, id);
    if (type == SensorType::kTouch)
      reading[0] = reader.touch();
    else
      reader.read(reading);
    apply_cutoff<WorldLane<S>>(model, id, reading);
  }
}

}  // namespace torsor::gpu
