// Points of contact of one world.
#pragma once

#include "torsor/batch/kernels/touch.hpp"
#include "torsor/gpu/constraint_view.hpp"
#include "torsor/gpu/kernels/atomics.hpp"
#include "torsor/gpu/kernels/own_plan.hpp"
#include "torsor/gpu/kernels/rare_poses.hpp"

namespace torsor::gpu {

template <class S>
TORSOR_INLINE void write_point(const ContactStore<S>& store, int world, int slot, const PairPlan& pair, int k,
                               const WorldLane<S>& dist, Vec3<WorldLane<S>> pos_W, const Vec3<WorldLane<S>>& normal_W,
                               const Vec3<WorldLane<S>>& first) {
  using P = WorldLane<S>;
  if (pair.shift != 0) pos_W += normal_W * (P(pair.shift) * dist);
  const Vec3<P> second = cross(normal_W, first);
  const auto put = [&](int i, const P& value) {
    store.numbers.at(world, ContactStore<S>::kNumbers * slot + i) = value.v;
  };
  put(0, dist);
  for (int i = 0; i < 3; ++i)
    put(1 + i, pos_W[i]), put(4 + i, normal_W[i]), put(7 + i, first[i]), put(10 + i, second[i]);
  store.pairs.at(world, slot) = dist < P(pair.range.margin) ? k : ~k;
}

// The threads that look at the pairs of one world together, this one being number `member`, and how many points and
// candidates they have found, in memory that they share.
struct ContactTeam {
  int member, members;
  int *contacts, *candidates;
};

// Points of pairs with a closed form, in any order; the others become candidates.
template <class S, bool kOwnValues = false>
class ContactFinder {
  using P = WorldLane<S>;
  using Vec = Vec3<P>;

 public:
  TORSOR_INLINE ContactFinder(const WorldView<S>& view, const ConstraintView<S>& out, int world,
                              const ContactTeam& team)
      : view_(view),
        store_(out.contacts),
        candidates_(out.candidates),
        narrow_(out.plan.narrow),
        plans_(out.plan, world),
        world_(world),
        team_(team),
        xpos_(view.data.geom_xpos.data()),
        xmat_(view.data.geom_xmat.data()) {}

  // There may be more than there is room for.
  TORSOR_HD void find(const ConstraintPlan& plan) const {
    constexpr int kAtOnce = 4;  // their numbers are read together
    for (int first = kAtOnce * team_.member; first < plan.pair_count; first += kAtOnce * team_.members) {
      bool may_be_near[kAtOnce];
      for (int i = 0; i < kAtOnce; ++i)
        may_be_near[i] = are_spheres_near(plans_.reach(first + i < plan.pair_count ? first + i : first));
      for (int i = 0; i < kAtOnce && first + i < plan.pair_count; ++i) {
        const int k = first + i;
        if (may_be_near[i] && are_near<P>(plans_.reach(k), xpos_, xmat_)) touch_pair(plans_.shapes(k), k);
      }
    }
  }

 private:
  // The first look of are_near(), without branches.
  TORSOR_INLINE bool are_spheres_near(const PairReach& pair) const {
    const auto R = xmat_ + 9 * pair.geom1;
    const Vec between = load3(xpos_ + 3 * pair.geom2) - load3(xpos_ + 3 * pair.geom1);
    const P height = dot(Vec{R[2], R[5], R[8]}, between), distance2 = norm2(between), reach = P(pair.reach);
    return !(select(pair.has_plane, height - reach, distance2 - P(pair.reach * pair.reach)) > P(0));
  }

  TORSOR_HD void touch_pair(const PairPlan& pair, int k) const {
    const auto shape = [&](int geom, int side) {
      return PackShape<P>{load3(view_.data.geom_xpos.row(geom, 3)), view_.data.geom_xmat.row(geom, 9), pair.size[side]};
    };
    const PackShape<P> a = shape(pair.pair.geom1, 0), b = shape(pair.pair.geom2, 1);
    if (pair.kind == PackPair::kLaneByLane) {
      if (!find_apart(pair, a, b)) add_candidate(k);
      return;
    }
    PackPoint<P> points[kMaxPoints];
    PackTouch<P> touch(a, b, pair.range.detection, points);
    const int found = collide(pair.kind, touch);
    if (touch.left) return knows_rare_poses(pair.kind) ? touch_rarely(pair, k, a, b, touch) : add_candidate(k);
    for (int i = 0; i < found; ++i) {
      if (points[i].lanes) add(pair, k, touch, points[i].dist, points[i].pos_W, points[i].normal_W);
    }
  }

  // Poses without a closed form in lanes go through the function of one world, in double.
  TORSOR_HD void touch_rarely(const PairPlan& pair, int k, const PackShape<P>& a, const PackShape<P>& b,
                              PackTouch<P>& touch) const {
    RarePoint points[kMaxPoints];
    const int found = touch_in_rare_pose(pair, a, b, points);
    for (int i = 0; i < found; ++i) {
      add(pair, k, touch, P(points[i].dist), to_lane(points[i].pos_W), to_lane(points[i].normal_W));
    }
  }
  static TORSOR_INLINE Vec to_lane(const Vec3<double>& v) { return {P(v.x), P(v.y), P(v.z)}; }

  TORSOR_INLINE void add(const PairPlan& pair, int k, const PackTouch<P>& touch, P dist, const Vec& pos_W,
                         const Vec& normal_W) const {
    const int slot = add_to(team_.contacts, 1);
    if (slot < store_.capacity)
      write_point(store_, world_, slot, pair, k, dist, pos_W, normal_W, choose_tangent(touch, normal_W));
  }
  TORSOR_INLINE void add_candidate(int k) const {
    const int candidate = add_to(team_.candidates, 1);
    if (candidate >= candidates_.capacity) return;
    const int slot = candidates_.capacity * world_ + candidate, kind = int(narrow_[k].kind);
    candidates_.pairs[slot] = k;
    candidates_.listed[std::ptrdiff_t(kind) * candidates_.most_listed + add_to(candidates_.listed_count + kind, 1)] =
        slot;
  }

  const WorldView<S>& view_;
  const ContactStore<S>& store_;
  const CandidateStore<S>& candidates_;
  const NarrowPair* const narrow_;
  const PlanOfWorld<kOwnValues> plans_;
  const int world_;
  const ContactTeam& team_;
  const WorldPointer<S> xpos_, xmat_;
};

// Puts the points of a world's candidates after those of closed forms.
template <class S, bool kOwnValues = false>
class CandidatePoints {
  using P = WorldLane<S>;

 public:
  TORSOR_INLINE CandidatePoints(const ConstraintView<S>& view, int world)
      : store_(view.contacts), candidates_(view.candidates), plans_(view.plan, world), world_(world) {}

  // Points of all candidates, of which there must not be more than there is room for.
  TORSOR_HD int count() const {
    int points = 0;
    for (int c = 0; c < candidates_.count[world_]; ++c) points += candidates_.points[slot(c)];
    return points;
  }
  // `contacts` are there.
  TORSOR_HD void append(int contacts) const {
    for (int c = 0; c < candidates_.count[world_]; ++c) {
      for (int i = 0; i < candidates_.points[slot(c)]; ++i) write(slot(c), i, candidates_.pairs[slot(c)], contacts++);
    }
  }

 private:
  TORSOR_INLINE int slot(int candidate) const { return candidates_.capacity * world_ + candidate; }
  TORSOR_INLINE void write(int slot, int point, int k, int to) const {
    const S* const numbers = candidates_.numbers_of(slot, point);
    const auto vector = [&](int i) { return Vec3<P>{P(numbers[i]), P(numbers[i + 1]), P(numbers[i + 2])}; };
    const Vec3<P> normal_W = vector(4);
    write_point(store_, world_, to, plans_.shapes(k), k, P(numbers[0]), vector(1), normal_W,
                choose_tangent(normal_W, false, Vec3<P>::zero()));
  }

  const ContactStore<S>& store_;
  const CandidateStore<S>& candidates_;
  const PlanOfWorld<kOwnValues> plans_;
  const int world_;
};

}  // namespace torsor::gpu
