// The points of one candidate, in double, as the functions of contact/pairs.hpp find them.
#pragma once

#include <new>

#include "torsor/contact/kernels/box_box.hpp"
#include "torsor/contact/kernels/capsule_box.hpp"
#include "torsor/contact/kernels/convex.hpp"
#include "torsor/contact/kernels/field_convex.hpp"
#include "torsor/contact/kernels/plane_cone.hpp"
#include "torsor/contact/kernels/plane_mesh.hpp"
#include "torsor/gpu/constraint_view.hpp"
#include "torsor/gpu/kernels/atomics.hpp"
#include "torsor/gpu/kernels/group.hpp"
#include "torsor/gpu/kernels/own_plan.hpp"

namespace torsor::gpu {

// The search for depths on a device, where a thread keeps all of the polytope on its stack: a small one, which is
// enough for nearly all. Where it is not, the search begins again in one of the large ones.
class SmallDepthSearch {
 public:
  TORSOR_HD Nearest operator()(ConvexPart& a, ConvexPart& b, const Simplex& simplex) { return find(a, b, simplex); }
  TORSOR_HD bool has_given_up() const { return has_given_up_; }

 private:
  TORSOR_HD __attribute__((noinline)) Nearest find(ConvexPart& a, ConvexPart& b, const Simplex& simplex) {
    polytopes::Polytope<48, true> polytope(a, b, simplex);
    const Nearest found = polytope.run();
    has_given_up_ = polytope.has_given_up();
    return found;
  }
  bool has_given_up_ = false;
};
using LargePolytope = polytopes::Polytope<polytopes::kDepthCorners, false>;
struct LargeDepthSearch {
  LargePolytope* polytope;  // memory for one
  TORSOR_HD Nearest operator()(ConvexPart& a, ConvexPart& b, const Simplex& simplex) const {
    return (new (polytope) LargePolytope(a, b, simplex))->run();
  }
};

template <NarrowKind kKind>
TORSOR_INLINE int touch_shapes(const Shape& a, const Shape& b, double margin, ContactPoint* points, bool& is_left) {
  if constexpr (kKind == NarrowKind::kCapsuleBox) return touch_capsule_box(a, b, margin, points);
  if constexpr (kKind == NarrowKind::kBoxBox) return touch_boxes(a, b, margin, points);
  if constexpr (kKind == NarrowKind::kPlaneMesh) return touch_plane_mesh(a, b, margin, points);
  if constexpr (kKind == NarrowKind::kPlaneCone) return touch_plane_cone(a, b, margin, points);
  SmallDepthSearch search;
  const int found = touch_convexes(a, b, margin, points, search);
  is_left = search.has_given_up();
  return found;
}

// A geom of a world, with its numbers in double.
struct NarrowShape {
  double R_WG[9];
  Shape shape;

  template <class S>
  TORSOR_INLINE NarrowShape(const ConstraintView<S>& view, int world, const PairPlan& pair, const NarrowPair& narrow,
                            int side) {
    const int geom = side == 0 ? pair.pair.geom1 : pair.pair.geom2, mesh = narrow.mesh[side];
    for (int i = 0; i < 9; ++i) R_WG[i] = view.geom_xmat.at(world, 9 * geom + i);
    shape.type = narrow.type[side];
    shape.size = pair.size[side];
    for (int i = 0; i < 3; ++i) shape.p_WoGo_W[i] = view.geom_xpos.at(world, 3 * geom + i);
    shape.R_WG = R_WG;
    shape.hull = mesh >= 0 ? view.plan.hulls + mesh : nullptr;
  }
};

// The pair of a candidate in its pose.
template <class S, bool kOwnValues = false>
struct PlacedPair {
  const ConstraintView<S>& view;
  const int slot, world = slot / view.candidates.capacity, k = view.candidates.pairs[slot];
  const decltype(PlanOfWorld<kOwnValues>(view.plan, 0).shapes(0)) pair =
      PlanOfWorld<kOwnValues>(view.plan, world).shapes(k);
  const NarrowShape a{view, world, pair, view.plan.narrow[k], 0}, b{view, world, pair, view.plan.narrow[k], 1};

  TORSOR_INLINE void write(const ContactPoint* points, int found) const {
    view.candidates.points[slot] = found;
    for (int i = 0; i < found; ++i) write(points[i], i);
  }
  TORSOR_INLINE void write(const ContactPoint& point, int i) const {
    S* const numbers = view.candidates.numbers_of(slot, i);
    numbers[0] = S(point.dist);
    for (int n = 0; n < 3; ++n) numbers[1 + n] = S(point.pos_W[n]), numbers[4 + n] = S(point.normal_W[n]);
  }
  TORSOR_INLINE int limited(int found) const { return view.plan.has_one_point && found > 1 ? 1 : found; }
};

// Candidate `at` of the list of its kind.
template <NarrowKind kKind, bool kOwnValues = false, class S>
TORSOR_INLINE void touch_candidate(const ConstraintView<S>& view, int at) {
  const CandidateStore<S>& store = view.candidates;
  if (at >= store.listed_count[int(kKind)]) return;
  const PlacedPair<S, kOwnValues> placed{view, store.listed[std::ptrdiff_t(kKind) * store.most_listed + at]};
  ContactPoint points[kMaxPoints];
  bool is_left = false;
  const int found = touch_shapes<kKind>(placed.a.shape, placed.b.shape, placed.pair.range.detection, points, is_left);
  placed.write(points, kKind == NarrowKind::kConvex ? placed.limited(found) : found);
  if (is_left) store.left[add_to(store.left_count, 1)] = placed.slot;
}

// The height field of a pair, which is its first shape.
template <class Placed>
TORSOR_INLINE Shape field_of(const Placed& placed) {
  Shape shape = placed.a.shape;
  shape.field = placed.view.plan.fields + placed.view.plan.narrow[placed.k].mesh[0];
  return shape;
}

// Candidate `at` of those of height fields, by a group of L threads: each takes a prism at a time, and points come in
// the order of prisms.
template <int L, bool kOwnValues = false, class S>
TORSOR_HD void touch_field_candidate(const ConstraintView<S>& view, int at) {
  const CandidateStore<S>& store = view.candidates;
  const PlacedPair<S, kOwnValues> placed{
      view, store.listed[std::ptrdiff_t(int(NarrowKind::kField)) * store.most_listed + at]};
  const Group<L> group;
  const Shape field = field_of(placed);
  FieldMeeting meeting(field, placed.b.shape, placed.pair.range.detection);
  const int prisms = meeting.prisms();
  int count = 0;
  bool is_left = false;
  for (int first = 0; first < prisms && count < kMaxFieldPoints; first += L) {
    ContactPoint point;
    bool touches = false;
    if (const int k = first + group.lane(); k < prisms) {
      SmallDepthSearch search;
      touches = meeting.touch(k, point, search);
      is_left = is_left || search.has_given_up();
    }
    const unsigned touching = group.ballot(touches);
    const int place = count + count_bits(touching & ((1u << group.lane()) - 1));
    if (touches && place < kMaxFieldPoints) placed.write(point, place);
    count += count_bits(touching);
  }
  is_left = group.ballot(is_left) != 0;
  if (group.lane() > 0) return;
  store.points[placed.slot] = count < kMaxFieldPoints ? count : kMaxFieldPoints;
  if (is_left) store.left[add_to(store.left_count, 1)] = placed.slot;
}

// Those of a kind that small searches have left, by `threads` threads.
template <NarrowKind kKind, bool kOwnValues = false, class S>
TORSOR_INLINE void touch_left_candidates(const ConstraintView<S>& view, int thread, int threads) {
  const CandidateStore<S>& store = view.candidates;
  for (int at = thread; at < *store.left_count; at += threads) {
    const PlacedPair<S, kOwnValues> placed{view, store.left[at]};
    if (view.plan.narrow[placed.k].kind != kKind) continue;
    const LargeDepthSearch search{static_cast<LargePolytope*>(store.polytopes) + thread};
    if constexpr (kKind == NarrowKind::kField) {
      const Shape field = field_of(placed);
      FieldMeeting meeting(field, placed.b.shape, placed.pair.range.detection);
      ContactPoint point;
      int count = 0;
      for (int k = 0; k < meeting.prisms() && count < kMaxFieldPoints; ++k)
        if (meeting.touch(k, point, search)) placed.write(point, count++);
      store.points[placed.slot] = count;
    } else {
      ContactPoint points[kMaxPoints];
      const int found = touch_convexes(placed.a.shape, placed.b.shape, placed.pair.range.detection, points, search);
      placed.write(points, placed.limited(found));
    }
  }
}

TORSOR_INLINE bool has_kind(unsigned kinds, NarrowKind kind) { return (kinds >> int(kind) & 1) != 0; }

// Calls f(std::integral_constant of the kind) for the kinds that the model has and that take one thread for each
// candidate.
template <class F>
void for_each_narrow_kind(unsigned kinds, F&& f) {
  const auto call = [&](auto kind) {
    if (kinds >> int(decltype(kind)::value) & 1) f(kind);
  };
  call(std::integral_constant<NarrowKind, NarrowKind::kCapsuleBox>{});
  call(std::integral_constant<NarrowKind, NarrowKind::kBoxBox>{});
  call(std::integral_constant<NarrowKind, NarrowKind::kPlaneMesh>{});
  call(std::integral_constant<NarrowKind, NarrowKind::kPlaneCone>{});
  call(std::integral_constant<NarrowKind, NarrowKind::kConvex>{});
}

}  // namespace torsor::gpu
