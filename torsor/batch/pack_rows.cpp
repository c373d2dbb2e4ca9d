#include "torsor/batch/pack_rows.hpp"

#include <algorithm>
#include <limits>

#include "torsor/constraint/constraint.hpp"
#include "torsor/contact/collide.hpp"
#include "torsor/contact/frame.hpp"
#include "torsor/contact/pairs.hpp"
#include "torsor/contact/still_apart.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/model/formulation.hpp"
#include "torsor/model/settings.hpp"

namespace torsor {
namespace {

// Calls f(lane) for every lane of a set.
template <class F>
void for_each_lane(unsigned lanes, F&& f) {
  for (; lanes != 0; lanes &= lanes - 1) f(__builtin_ctz(lanes));
}

// Numbers of one lane, side by side.
template <int kCount, class S>
void gather(const S* packs, int first, int width, int lane, double* numbers) {
  for (int i = 0; i < kCount; ++i) numbers[i] = packs[(first + i) * width + lane];
}

template <class S>
void put_point(const ContactPoint& point, int width, int lane, S* numbers) {
  double of_lane[PackContact<S>::kNumbers];
  of_lane[0] = point.dist;
  store3(of_lane + 1, point.pos_W);
  store_frame(point, of_lane + 4);
  for (int i = 0; i < PackContact<S>::kNumbers; ++i) numbers[i * width + lane] = static_cast<S>(of_lane[i]);
}

constexpr double kNowhere[3] = {0, 0, 0}, kUnturned[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

size_t most_points(const PairPlan& pair) { return pair.function == field_convex ? kMaxFieldPoints : kMaxPoints; }

constexpr int slots_of(int dim) { return dim == 1 ? 0 : 1 + contact_kind(dim); }

}  // namespace

template <class S>
PackRows<S>::PackRows(const Model& model, const ConstraintKernels<S>& kernels)
    : kernels_(*kernels.rows), builder_(model, *kernels.solver), islands_(static_cast<size_t>(kernels.rows->lanes)) {
  searches_.reserve(kMostSearches);
  touches_.reserve(kMostSearches);
  reaches_.reserve(kMostSearches);
  reached_.reserve(kMostSearches);
  parts_.resize(static_cast<size_t>(model.ngeom));
  for (int g = 0; g < model.ngeom; ++g) make_shape(model, g, kNowhere, kUnturned, parts_[static_cast<size_t>(g)]);
  for (std::vector<std::uint64_t>& islands : islands_) islands.reserve(static_cast<size_t>(model.ntree) + 1);
}

template <class S>
struct PackRows<S>::LanePair {
  LanePair(const PackRows& rows, const Model& model, const PairPlan& plan, const RowState<S>& state, int lane)
      : a(rows.place(model, plan, state, lane, 0, R[0])), b(rows.place(model, plan, state, lane, 1, R[1])) {}
  LanePair(const LanePair&) = delete;

  double R[2][9];
  Shape a, b;
};

template <class S>
Shape PackRows<S>::place(const Model& model, const PairPlan& plan, const RowState<S>& state, int lane, int side,
                         double* R) const {
  const int geom = side == 0 ? plan.pair.geom1 : plan.pair.geom2, width = builder_.lanes();
  double p[3];
  gather<3>(state.geom_xpos, 3 * geom, width, lane, p);
  gather<9>(state.geom_xmat, 9 * geom, width, lane, R);
  const ShapeParts& parts = parts_[static_cast<size_t>(geom)];
  const auto type = static_cast<GeomType>(model.geom_type[geom]);
  Shape shape{type, plan.size[side], load3(p), R, type == GeomType::kMesh ? &parts.hull : nullptr};
  if (type == GeomType::kHfield) shape.field = &parts.field;
  return shape;
}

// The direction that was kept may still be good where its reach was not, since the second shape has turned. Whether it
// is; if so, what is kept is renewed.
template <class S>
bool PackRows<S>::is_still_apart(const PairPlan& plan, const Shape& a, const Shape& b, int lane,
                                 PackSeparation<S>& kept) const {
  const int width = builder_.lanes();
  if (!(kept.reach[lane] < std::numeric_limits<S>::infinity())) return false;
  Vec3<double> normal_A;
  for (int i = 0; i < 3; ++i) normal_A[i] = kept.normal_A[i * width + lane];
  return keep_if_apart(plan, a, b, find_facing_reach(a, b, normal_A), lane, kept);
}

template <class S>
bool PackRows<S>::keep_if_apart(const PairPlan& plan, const Shape& a, const Shape& b, const FacingReach& facing,
                                int lane, PackSeparation<S>& kept) const {
  const Vec3<double> p_AoBo_W = b.p_WoGo_W - a.p_WoGo_W;
  const ConvexPair pair{a, b, plan.pair.geom1, plan.pair.geom2,
                        std::abs(p_AoBo_W.x) + std::abs(p_AoBo_W.y) + std::abs(p_AoBo_W.z) + plan.extent};
  const bool is_apart = is_gap(pair, plan.range.detection, facing);
  if (is_apart)
    keep(facing, lane, kept);
  else
    kept.reach[lane] = std::numeric_limits<S>::infinity();
  return is_apart;
}

template <class S>
void PackRows<S>::keep(const FacingReach& facing, int lane, PackSeparation<S>& kept) const {
  const int width = builder_.lanes();
  for (int i = 0; i < 3; ++i) {
    kept.normal_A[i * width + lane] = static_cast<S>(facing.normal_A[i]);
    kept.normal_B[i * width + lane] = static_cast<S>(facing.normal_B[i]);
  }
  kept.reach[lane] = static_cast<S>(facing.reach);
}

// Of shapes that were found apart: along this direction, which may be zero.
template <class S>
void PackRows<S>::keep_direction(const Shape& a, const Shape& b, const Vec3<double>& apart_W, int lane,
                                 PackSeparation<S>& kept) const {
  const Vec3<double> normal_A = transposed_mul(load9(a.R_WG), apart_W);
  if (norm2(normal_A) > 0.5 && !has_no_hull(b)) keep(find_facing_reach(a, b, normal_A), lane, kept);
}

// As PairPlan::function, with the same bits whatever is kept; see still_apart.hpp.
template <class S>
int PackRows<S>::touch_or_keep(const PairPlan& plan, const Shape& a, const Shape& b, int lane, PackSeparation<S>& kept,
                               ContactPoint* points) {
  const double margin = plan.range.detection;
  if (is_still_apart(plan, a, b, lane, kept)) return 0;
  const bool is_search = plan.function == convex_convex;
  Vec3<double> apart_W = a.axis(2);
  const int found = is_search ? touch_convex(a, b, margin, points, &apart_W) : plan.function(a, b, margin, points);
  if (found > 0) return found;
  ContactPoint unused[kMaxPoints];
  if (!is_search && !plan.has_plane) touch_convex(a, b, margin, unused, &apart_W);
  keep_direction(a, b, apart_W, lane, kept);
  return 0;
}

// Adds the points of a lane to contacts[0], contacts[1], ..., of which the first `count` have other lanes. Returns the
// new count.
template <class S>
int PackRows<S>::add_points(const PairPlan& plan, int lane, ContactPoint* points, int found, PackContact<S>* contacts,
                            int count) const {
  for (int i = 0, next = 0; i < found; ++i) {
    const bool has_rows = points[i].dist < plan.range.margin;  // else it is in the gap
    if (next == count) contacts[count].lanes = contacts[count].listed = 0, ++count;
    points[i].pos_W += points[i].normal_W * (plan.shift * points[i].dist);
    put_point(points[i], builder_.lanes(), lane, contacts[next].numbers);
    contacts[next].lanes |= unsigned{has_rows} << lane;
    contacts[next++].listed |= 1u << lane;
  }
  return count;
}

template <class S>
int PackRows<S>::touch_lane(const Model& model, const PairPlan& plan, const RowState<S>& state, int lane,
                            PackSeparation<S>* kept, PackContact<S>* contacts, int count) {
  ContactPoint points[kMaxFieldPoints];
  const LanePair pair(*this, model, plan, state, lane);
  int found = kept ? touch_or_keep(plan, pair.a, pair.b, lane, *kept, points)
                   : plan.function(pair.a, pair.b, plan.range.detection, points);
  if (plan.function == convex_convex && model.opt.disabled(kDisableMultiCcd)) found = std::min(found, 1);
  return add_points(plan, lane, points, found, contacts, count);
}

template <class S>
void PackRows<S>::follow(const RowPlan& plan) {
  if (plan_version_ == plan.version) return;
  plan_version_ = plan.version;
  near_.resize(plan.reaches.size() + 1);  // the kernel writes one before it knows whether it is near
  scalars_.reserve(plan.scalars.size());
  equality_forces_.resize(plan.equalities.size());
  // Which worlds share a pack changes from call to call, and with it the number of records: room for most mixtures.
  size_t room = 0;
  for (size_t k = 0; k < std::min(plan.pairs.size(), size_t{32}); ++k) room += most_points(plan.pairs[k]);
  if (contacts_.empty()) contacts_.resize(room);
  separations_.resize(plan.pairs.size());
  for (PackSeparation<S>& kept : separations_)
    std::fill(std::begin(kept.reach), std::end(kept.reach), std::numeric_limits<S>::infinity());
}

template <class S>
void PackRows<S>::include_in(Room& room) const {
  room.contacts = std::max(room.contacts, contacts_.size());
  room.problem.include(builder_.room());
}

template <class S>
void PackRows<S>::make_room(const RowPlan& plan, const Room& room) {
  follow(plan);
  if (contacts_.size() < room.contacts) contacts_.resize(room.contacts);
  builder_.make_room(room.problem);
}

// Pairs that take searches are searched together, many lanes and pairs at a time; contacts come in the order of pairs.
template <class S>
void PackRows<S>::find_contacts(const Model& model, const RowPlan& plan, const RowState<S>& state, unsigned lanes) {
  contact_count_ = 0;
  const int near =
      kernels_.find_near(plan.reaches.data(), static_cast<int>(plan.reaches.size()), state, lanes, near_.data());
  searches_.clear();
  int first = 0;
  for (int k = 0; k < near; ++k) {
    NearPair& pair = near_[static_cast<size_t>(k)];
    if (is_searched(plan.pairs[static_cast<size_t>(pair.pair)])) add_searches(model, plan, state, pair);
    if (searches_.size() + kMostLanes <= kMostSearches) continue;
    take_pairs(model, plan, state, first, k + 1);
    first = k + 1;
  }
  take_pairs(model, plan, state, first, near);
}

// Lanes of a pair that may take a search are added to the list, others dropped.
template <class S>
void PackRows<S>::add_searches(const Model& model, const RowPlan& plan, const RowState<S>& state, NearPair& pair) {
  const PairPlan& of_pair = plan.pairs[static_cast<size_t>(pair.pair)];
  PackSeparation<S>* const kept = of_pair.keeps_separation ? &separations_[static_cast<size_t>(pair.pair)] : nullptr;
  unsigned left = 0;
  kernels_.touch(of_pair, state, pair.lanes, kept, nullptr, left);
  for_each_lane(left, [&](int lane) {
    Search& search = searches_.emplace_back();
    search.plan = &of_pair, search.kept = kept, search.lane = lane, search.is_apart = false;
    ConvexTouch& touch = search.touch;
    touch.first = place(model, of_pair, state, lane, 0, search.R[0]);
    touch.second = place(model, of_pair, state, lane, 1, search.R[1]);
    touch.margin = of_pair.range.detection, touch.wants_direction = kept != nullptr, touch.count = 0;
  });
  pair.lanes = left;
}

// How far the shapes of the listed pairs reach towards each other, along the directions in A that wants(search, d) sets
// if it returns true; take(search, reach) gets the result.
template <class S>
template <class Wants, class Take>
void PackRows<S>::find_reaches(Wants&& wants, Take&& take) {
  reaches_.clear();
  reached_.clear();
  for (Search& search : searches_) {
    ReachJob job{&search.touch.first, &search.touch.second, {}, {}, 0};
    if (!wants(search, job.normal_A)) continue;
    reaches_.push_back(job);
    reached_.push_back(&search);
  }
  nearest_kernels().find_reaches(reaches_.data(), static_cast<int>(reaches_.size()));
  for (size_t k = 0; k < reaches_.size(); ++k)
    take(*reached_[k], FacingReach{reaches_[k].normal_A, reaches_[k].normal_B, reaches_[k].reach});
}

// As touch_or_keep() for all pairs in the list.
template <class S>
void PackRows<S>::search_pairs() {
  const int width = builder_.lanes();
  const auto known = [width](Search& search, Vec3<double>& normal_A) {
    if (!search.kept || !(search.kept->reach[search.lane] < std::numeric_limits<S>::infinity())) return false;
    for (int i = 0; i < 3; ++i) normal_A[i] = search.kept->normal_A[i * width + search.lane];
    return true;
  };
  find_reaches(known, [this](Search& search, const FacingReach& facing) {
    search.is_apart =
        keep_if_apart(*search.plan, search.touch.first, search.touch.second, facing, search.lane, *search.kept);
  });
  touches_.clear();
  for (Search& search : searches_)
    if (!search.is_apart) touches_.push_back(&search.touch);
  touch_convexes(touches_.data(), static_cast<int>(touches_.size()));
  const auto found_apart = [](Search& search, Vec3<double>& normal_A) {
    const ConvexTouch& touch = search.touch;
    if (!search.kept || search.is_apart || touch.count > 0 || has_no_hull(touch.second)) return false;
    normal_A = transposed_mul(load9(touch.first.R_WG), touch.apart_W);
    return norm2(normal_A) > 0.5;
  };
  find_reaches(found_apart,
               [this](Search& search, const FacingReach& facing) { keep(facing, search.lane, *search.kept); });
}

// The contacts of near pairs, whose searches are in the list.
template <class S>
void PackRows<S>::take_pairs(const Model& model, const RowPlan& plan, const RowState<S>& state, int first, int end) {
  search_pairs();
  size_t searched = 0;
  for (int k = first; k < end; ++k) {
    const NearPair& pair = near_[static_cast<size_t>(k)];
    const PairPlan& of_pair = plan.pairs[static_cast<size_t>(pair.pair)];
    const size_t room = contact_count_ + most_points(of_pair);
    if (contacts_.size() < room) contacts_.resize(2 * room + 2 * kMaxPoints);
    PackContact<S>* const contacts = contacts_.data() + contact_count_;
    PackSeparation<S>* const kept = of_pair.keeps_separation ? &separations_[static_cast<size_t>(pair.pair)] : nullptr;
    int count = 0;
    if (is_searched(of_pair)) {
      for_each_lane(pair.lanes, [&](int lane) {
        ConvexTouch& touch = searches_[searched++].touch;
        const int found = model.opt.disabled(kDisableMultiCcd) ? std::min(touch.count, 1) : touch.count;
        count = add_points(of_pair, lane, touch.points, found, contacts, count);
      });
    } else {
      unsigned left = 0;
      count = kernels_.touch(of_pair, state, pair.lanes, kept, contacts, left);
      for_each_lane(left, [&](int lane) { count = touch_lane(model, of_pair, state, lane, kept, contacts, count); });
    }
    for (int i = 0; i < count; ++i) {
      if (contacts[i].lanes == 0 && !(keeps_forces_ && contacts[i].listed != 0)) continue;
      PackContact<S>& contact = contacts_[contact_count_++];
      if (&contact != contacts + i) contact = contacts[i];
      contact.pair = pair.pair;
      contact.geom[0] = of_pair.pair.geom1;
      contact.geom[1] = of_pair.pair.geom2;
    }
  }
  searches_.clear();
}

template <class S>
unsigned PackRows<S>::find_stiff_lanes(const RowPlan& plan) const {
  unsigned stiff = 0;
  for (size_t k = 0; k < contact_count_; ++k) {
    if (!(plan.pairs[static_cast<size_t>(contacts_[k].pair)].stiffest < kStiffestPyramid<S>))
      stiff |= contacts_[k].lanes;
  }
  return stiff;
}

template <class S>
void PackRows<S>::find_scalars(const RowPlan& plan, const RowState<S>& state, const RowTarget<S>& target,
                               unsigned lanes) {
  scalars_.clear();
  for (size_t k = 0; k < plan.scalars.size(); ++k) {
    FoundScalar found{static_cast<int>(k), {}};
    kernels_.find_scalar(plan.scalars[k], state, target, lanes, found.rows);
    if (found.lanes() != 0) scalars_.push_back(found);
  }
}

// Joins these trees, in these lanes, to whatever islands they are in; all of them where islands are switched off.
template <class S>
void PackRows<S>::join(bool all, std::uint64_t trees, unsigned lanes) {
  for_each_lane(lanes, [&](int lane) {
    std::vector<std::uint64_t>& islands = islands_[static_cast<size_t>(lane)];
    std::uint64_t joined = trees;
    for (std::uint64_t& island : islands) {
      if (!all && (island & joined) == 0) continue;
      joined |= island;
      island = 0;
    }
    std::erase(islands, std::uint64_t{0});
    islands.push_back(joined);
  });
}

// Lanes that have a row.
template <class S>
unsigned PackRows<S>::lanes_with_rows(const RowPlan& plan) const {
  unsigned with_rows = 0;
  for (size_t k = 0; k < contact_count_; ++k) with_rows |= contacts_[k].lanes;
  for (const FoundScalar& scalar : scalars_) with_rows |= scalar.lanes();
  for (const EqualityPlan& equality : plan.equalities) with_rows |= active_[equality.id];
  return with_rows;
}

template <class S>
void PackRows<S>::find_islands(const Model& model, const RowPlan& plan, unsigned lanes) {
  for (std::vector<std::uint64_t>& islands : islands_) islands.clear();
  const bool all = model.opt.disabled(kDisableIsland);
  for (const EqualityPlan& equality : plan.equalities) join(all, equality.trees, active_[equality.id] & lanes);
  for (size_t k = 0; k < contact_count_; ++k)
    join(all, plan.pairs[static_cast<size_t>(contacts_[k].pair)].trees, contacts_[k].lanes);
  for (const FoundScalar& scalar : scalars_)
    join(all, plan.scalars[static_cast<size_t>(scalar.plan)].trees, scalar.lanes());
}

template <class S>
void PackRows<S>::count_singles(const RowPlan& plan) {
  for (const EqualityPlan& equality : plan.equalities) {
    for_each_lane(active_in(equality), [&](int lane) { used_[0][lane] += equality.rows; });
  }
  for (const FoundScalar& found : scalars_) {
    const ScalarPlan& scalar = plan.scalars[static_cast<size_t>(found.plan)];
    if (scalar.is_unit()) continue;
    const unsigned lanes = lanes_with(scalar.trees);
    for (const unsigned row : found.rows) for_each_lane(row & lanes, [this](int lane) { ++used_[0][lane]; });
  }
}

// Counts slots, and announces unit rows.
template <class S>
void PackRows<S>::open_problem(const Model& model, const RowPlan& plan, const WideSolveArrays<S>& arrays,
                               std::uint64_t trees) {
  for (auto& of_kind : used_) std::fill_n(of_kind, kMostLanes, 0);
  for (size_t k = 0; k < contact_count_; ++k) {
    const PairPlan& pair = plan.pairs[static_cast<size_t>(contacts_[k].pair)];
    int* const used = used_[slots_of(pair.dim)];
    for_each_lane(contacts_[k].lanes & lanes_with(pair.trees), [used](int lane) { ++used[lane]; });
  }
  count_singles(plan);
  const auto most = [&](int kind) { return *std::max_element(used_[kind], used_[kind] + kMostLanes); };
  int contacts[solver::kContactKinds];
  for (int k = 0; k < solver::kContactKinds; ++k) contacts[k] = most(1 + k);
  builder_.begin(model, arrays, trees, tree_lanes_, most(0), contacts);
  for (const FoundScalar& found : scalars_) {
    const ScalarPlan& scalar = plan.scalars[static_cast<size_t>(found.plan)];
    if (!scalar.is_unit()) continue;
    const unsigned lanes = lanes_with(scalar.trees);
    for (int row = 0; row < 3; ++row) {
      if ((found.rows[row] & lanes) != 0) builder_.announce_unit(scalar.dof, static_cast<UnitRow>(row));
    }
  }
  builder_.place_units();
  for (auto& of_kind : used_) std::fill_n(of_kind, kMostLanes, 0);
}

template <class S>
void PackRows<S>::open_slots(const solver::WideSlots<S>& slots, std::uint64_t tiles, unsigned lanes,
                             const int* slot_of_lane) {
  for_each_lane(lanes, [&](int lane) { builder_.add_tiles(slots, slot_of_lane[lane], tiles); });
}

// Rows that were written have their turns in this order.
template <class S>
void PackRows<S>::add_turns(unsigned lanes, int kind, const int* slot_of_lane, const double* friction) {
  if (has_turns_) for_each_lane(lanes, [&](int lane) { builder_.add_turn(lane, kind, slot_of_lane[lane], friction); });
}

template <class S>
void PackRows<S>::write_equalities(const RowPlan& plan, const RowState<S>& state, const RowTarget<S>& target) {
  for (const EqualityPlan& equality : plan.equalities) {
    const unsigned in = active_in(equality);
    if (in == 0) continue;
    std::uint64_t tiles = 0;
    for (int n = equality.first_dof; n < equality.first_dof + equality.dofs; ++n)
      tiles |= builder_.tile_of(plan.equality_dofs[static_cast<size_t>(n)].dof);
    int slots[kMostLanes];
    std::copy_n(used_[0], kMostLanes, slots);
    for (int r = 0; r < equality.rows; ++r) {
      open_slots(target.problem->singles, tiles, in, used_[0]);
      add_turns(in, solver::WideTurn::kSingle, used_[0]);
      for_each_lane(in, [this](int lane) { ++used_[0][lane]; });
    }
    kernels_.write_equality(equality, in, slots, state, target);
  }
}

template <class S>
void PackRows<S>::write_scalars(const RowPlan& plan, const RowState<S>& state, const RowTarget<S>& target) {
  for (const FoundScalar& found : scalars_) {
    const ScalarPlan& scalar = plan.scalars[static_cast<size_t>(found.plan)];
    const unsigned lanes = lanes_with(scalar.trees);
    for (int k = 0; k < 3; ++k) {
      const unsigned in = found.rows[k] & lanes;
      const auto row = static_cast<UnitRow>(k);
      if (in == 0) continue;
      if (scalar.is_unit()) {
        const int slot = builder_.unit_slot(scalar.dof, row);
        kernels_.write_scalar(scalar, row, in, &slot, state, target);
        if (has_turns_) for_each_lane(in, [&](int lane) { builder_.add_turn(lane, solver::WideTurn::kUnit, slot); });
        continue;
      }
      std::uint64_t tiles = 0;
      for (int n = 0; scalar.is_ball && n < 3; ++n) tiles |= builder_.tile_of(scalar.dof + n);
      for (int n = scalar.first; n < scalar.first + scalar.count; ++n) tiles |= builder_.tile_of(target.tendon_dofs[n]);
      open_slots(target.problem->singles, tiles, in, used_[0]);
      kernels_.write_scalar(scalar, row, in, used_[0], state, target);
      add_turns(in, solver::WideTurn::kSingle, used_[0]);
      for_each_lane(in, [this](int lane) { ++used_[0][lane]; });
    }
  }
}

template <class S>
void PackRows<S>::write_contacts(const RowPlan& plan, const RowState<S>& state, const RowTarget<S>& target) {
  for (size_t k = 0; k < contact_count_; ++k) {
    const PackContact<S>& contact = contacts_[k];
    const PairPlan& pair = plan.pairs[static_cast<size_t>(contact.pair)];
    const unsigned in = contact.lanes & lanes_with(pair.trees);
    if (in == 0) continue;
    std::uint64_t tiles = 0;
    for (int n = pair.first_dof; n < pair.first_dof + pair.dofs; ++n) tiles |= builder_.tile_of(target.dofs[n].dof);
    int* const used = used_[slots_of(pair.dim)];
    if (pair.dim == 1)
      open_slots(target.problem->singles, tiles, in, used);
    else
      open_slots(target.problem->contacts[contact_kind(pair.dim)], tiles, in, used);
    kernels_.write_contact(pair, contact, in, used, state, target);
    add_turns(in, solver::WideTurn::kSingle + slots_of(pair.dim), used, pair.friction);
    for_each_lane(in, [used](int lane) { ++used[lane]; });
  }
}

template <class S>
RowTarget<S> PackRows<S>::make_target(const Model& model, const RowPlan& plan, const WideSolveArrays<S>& arrays) {
  return {&builder_.problem(),       builder_.places(),
          plan.dofs.data(),          plan.equality_dofs.data(),
          model.ten_J_colind.data(), is_pyramidal(model),
          model.opt.impratio,        {arrays.inverse, model.opt.timestep, model.opt.sap_sigma}};
}

template <class S>
void PackRows<S>::solve_group(const Model& model, const RowPlan& plan, const RowState<S>& state,
                              const WideSolveArrays<S>& arrays, std::uint64_t trees) {
  open_problem(model, plan, arrays, trees);
  const RowTarget<S> target = make_target(model, plan, arrays);
  write_equalities(plan, state, target);
  write_scalars(plan, state, target);
  write_contacts(plan, state, target);
  left_ |= builder_.leave_stiff_lanes(model);
  builder_.solve(model, arrays);
  if (keeps_forces_) keep_forces(plan);
}

// Which islands are solved next, at most one of each lane: the largest that is left and, from other lanes, those that
// are the same or a part of it. Returns the trees of the largest, 0 when all are done.
template <class S>
std::uint64_t PackRows<S>::choose_group(unsigned sound) {
  std::uint64_t trees = 0;
  int most = 0;
  for_each_lane(sound, [&](int lane) {
    for (const std::uint64_t island : islands_[static_cast<size_t>(lane)]) {
      if (island == trees) continue;
      const int tiles = builder_.tiles_of(island);
      if (tiles > most) most = tiles, trees = island;
    }
  });
  std::fill(std::begin(tree_lanes_), std::end(tree_lanes_), 0u);
  for_each_lane(trees == 0 ? 0 : sound, [&](int lane) {
    std::vector<std::uint64_t>& islands = islands_[static_cast<size_t>(lane)];
    size_t best = islands.size();
    for (size_t i = 0; i < islands.size(); ++i) {
      if (shares_problems_ ? (islands[i] & ~trees) != 0 : islands[i] != trees) continue;
      if (best == islands.size() || builder_.tiles_of(islands[i]) > builder_.tiles_of(islands[best])) best = i;
    }
    if (best == islands.size()) return;
    for (const int t : solver::bits_of(islands[best])) tree_lanes_[t] |= 1u << lane;
    islands.erase(islands.begin() + static_cast<std::ptrdiff_t>(best));
  });
  return trees;
}

template <class S>
unsigned PackRows<S>::solve(const Model& model, const RowPlan& plan, const RowState<S>& state,
                            const WideSolveArrays<S>& arrays, const unsigned* active, bool keeps_forces) {
  follow(plan);
  active_ = active;
  keeps_forces_ = keeps_forces;
  has_turns_ = builder_.needs_turns(model);
  shares_problems_ = !has_turns_ && !formulation(model.opt).stops_by_momentum;  // these look at all dofs of a problem
  const int width = builder_.lanes();
  const size_t numbers = static_cast<size_t>(model.nv) * static_cast<size_t>(width);
  std::copy_n(arrays.qacc_smooth, numbers, arrays.qacc);
  std::fill_n(arrays.qfrc_constraint, numbers, S(0));
  unsigned sound = kernels_.find_sound(arrays.qacc_smooth, state.qvel, arrays.qacc_warmstart, model.nv);
  find_contacts(model, plan, state, sound);
  sound &= ~find_stiff_lanes(plan);
  left_ = 0;
  find_scalars(plan, state, make_target(model, plan, arrays), sound);
  if (model.ntree == 1) {
    tree_lanes_[0] = lanes_with_rows(plan) & sound;
    if (tree_lanes_[0] != 0) solve_group(model, plan, state, arrays, 1);
  } else {
    find_islands(model, plan, sound);
    while (const std::uint64_t trees = choose_group(sound)) solve_group(model, plan, state, arrays, trees);
  }
  sound &= ~left_;
  solved_ = sound;
  ++steps_;
  for (size_t k = 0; k < contact_count_; ++k) for_each_lane(contacts_[k].lanes, [this](int lane) { ++found_[lane]; });
  for (size_t k = 0; keeps_forces && k < contact_count_; ++k) contacts_[k].lanes &= sound, contacts_[k].listed &= sound;
  return ~sound & ((1u << width) - 1);
}

template <class S>
void PackRows<S>::count_from_here() {
  steps_ = 0;
  std::fill_n(found_, kMostLanes, 0);
}

// --- forces ---------------------------------------------------------------------------------------------------------

// Rows are in slots in the order in which they were written: equalities, scalars, contacts.
template <class S>
void PackRows<S>::keep_forces(const RowPlan& plan) {
  for (auto& of_kind : used_) std::fill_n(of_kind, kMostLanes, 0);
  keep_equality_forces(plan);
  for (auto& of_kind : used_) std::fill_n(of_kind, kMostLanes, 0);
  count_singles(plan);
  const solver::WideSolution<S>& solution = builder_.solution();
  const int width = builder_.lanes();
  for (size_t k = 0; k < contact_count_; ++k) {
    PackContact<S>& contact = contacts_[k];
    const PairPlan& pair = plan.pairs[static_cast<size_t>(contact.pair)];
    int* const used = used_[slots_of(pair.dim)];
    const S* const force = pair.dim == 1 ? solution.singles.force : solution.contacts[contact_kind(pair.dim)].force;
    for_each_lane(contact.lanes & lanes_with(pair.trees), [&](int lane) {
      const int slot = used[lane]++;
      for (int r = 0; r < 6; ++r) {  // those of tangents were scaled by friction
        contact.force[r * width + lane] =
            r < pair.dim ? S(r == 0 ? 1 : pair.friction[r - 1]) * force[(slot * pair.dim + r) * width + lane] : S(0);
      }
    });
  }
}

template <class S>
void PackRows<S>::keep_equality_forces(const RowPlan& plan) {
  const int width = builder_.lanes();
  for (size_t k = 0; k < plan.equalities.size(); ++k) {
    const EqualityPlan& equality = plan.equalities[k];
    for_each_lane(active_in(equality), [&](int lane) {
      for (int r = 0; r < equality.rows; ++r)
        equality_forces_[k].of_row[r * width + lane] =
            builder_.solution().singles.force[used_[0][lane]++ * width + lane];
    });
  }
}

template <class S>
void PackRows<S>::take_forces(const Model& model, const RowPlan& plan, const Data& data, int lane) {
  const int width = builder_.lanes();
  solved_ |= 1u << lane;
  for (int c = 0; c < data.ncon; ++c) {
    const Contact& from = data.contact[c];
    if (contacts_.size() == contact_count_) contacts_.resize(2 * contact_count_ + kMaxPoints);
    PackContact<S>& contact = contacts_[contact_count_++];
    contact.pair = -1;
    std::copy_n(from.geom, 2, contact.geom);
    contact.listed = 1u << lane;
    contact.lanes = unsigned{from.efc_address >= 0} << lane;
    double numbers[PackContact<S>::kNumbers], force[6];
    numbers[0] = from.dist;
    std::copy_n(from.pos, 3, numbers + 1);
    std::copy_n(from.frame, 9, numbers + 4);
    contact_force(model, data, c, force);
    for (int i = 0; i < PackContact<S>::kNumbers; ++i) contact.numbers[i * width + lane] = static_cast<S>(numbers[i]);
    for (int i = 0; i < 6; ++i) contact.force[i * width + lane] = static_cast<S>(force[i]);
  }
  for (int row = 0; row < data.ne; ++row) {
    for (size_t k = 0; k < plan.equalities.size(); ++k) {
      if (plan.equalities[k].id != data.efc_id[row]) continue;
      const int first = row;
      for (; row < data.ne && data.efc_id[row] == plan.equalities[k].id; ++row)
        equality_forces_[k].of_row[(row - first) * width + lane] = static_cast<S>(data.efc_force[row]);
      --row;
      break;
    }
  }
}

template <class S>
void PackRows<S>::add_wrenches(const Model& model, const RowPlan& plan, const RowState<S>& state, S* cfrc_ext) const {
  for (size_t k = 0; k < contact_count_; ++k) {
    const PackContact<S>& contact = contacts_[k];
    if (contact.lanes == 0) continue;
    int bodies[2], roots[2];
    for (int side = 0; side < 2; ++side) {
      bodies[side] = model.geom_bodyid[contact.geom[side]];
      roots[side] = model.body_rootid[bodies[side]];
    }
    kernels_.add_contact_wrench(contact, bodies, roots, state, cfrc_ext);
  }
  for (size_t k = 0; k < plan.equalities.size(); ++k) {
    const EqualityPlan& equality = plan.equalities[k];
    const unsigned lanes = active_[equality.id] & solved_;
    if (equality.rows == 1 || lanes == 0) continue;
    kernels_.add_equality_wrench(equality, lanes, equality_forces_[k].of_row, state, cfrc_ext);
  }
}

template class PackRows<double>;
template class PackRows<float>;

}  // namespace torsor
