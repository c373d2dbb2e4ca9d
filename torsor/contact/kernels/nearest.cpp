// Several searches in turn; compiled once per instruction set.
#include "torsor/contact/kernels/nearest.hpp"

#include <cstddef>
#include <new>

#include "torsor/contact/epa.hpp"
#include "torsor/contact/kernels/hull_blocks.hpp"

namespace torsor {
inline namespace TORSOR_ISA {
namespace {

using Vec = Vec3<double>;

// The furthest corner of a hull: first where to look, then the look.
class CornerQuery {
 public:
  TORSOR_INLINE void ask(const HullView& hull, const Vec& d_G) {
    is_listed_ = hull.cell_block != nullptr;
    if (!is_listed_) return;
    list_ = hull_blocks::list_of(hull, &d_G.x);
    for (const HullBlock* block : {list_.first, list_.last}) {
      __builtin_prefetch(block);
      __builtin_prefetch(reinterpret_cast<const char*>(block) + 64);
    }
  }
  TORSOR_INLINE bool is_listed() const { return is_listed_; }
  TORSOR_INLINE int answer(const Vec& d_G, Vec& p_G) const { return hull_blocks::find_in(list_, &d_G.x, &p_G.x); }

 private:
  bool is_listed_ = false;
  hull_blocks::List list_;
};

// The furthest point of a core, in the same two steps.
class Query {
 public:
  TORSOR_INLINE void ask(const Core& core, const Vec& d_G) {
    d_G_ = d_G;
    if (core.type == GeomType::kMesh) corner_.ask(*core.hull, d_G);
  }
  TORSOR_INLINE Vec answer(const Core& core) const {
    if (!corner_.is_listed()) return core.furthest_in_own_frame(d_G_);
    Vec p_G;
    corner_.answer(d_G_, p_G);
    return p_G;
  }
  // Also which corner of a hull that is.
  TORSOR_INLINE Vec answer(const Core& core, int& corner) const {
    if (core.type != GeomType::kMesh) return core.furthest_in_own_frame(d_G_);
    if (!corner_.is_listed()) {
      const supports::FurthestCorner furthest(*core.hull, d_G_);
      corner = furthest.index;
      return furthest.p_G;
    }
    Vec p_G;
    corner = corner_.answer(d_G_, p_G);
    return p_G;
  }
  TORSOR_INLINE const Vec& d_G() const { return d_G_; }

 private:
  Vec d_G_;
  CornerQuery corner_;
};

// One search: for a side over the deepest corner, then for the distance, then for the depth where there is one.
class Search {
 public:
  explicit Search(NearestJob& job)
      : job_(job),
        a_(first_part(*job.a, *job.b)),
        b_(second_part(*job.a, *job.b)),
        radii_(a_.radius + b_.radius),
        distance_(a_, b_, std::max(job.margin + radii_, 0.0), job.wants_direction ? &job.apart_F : nullptr) {
    job.apart_F = Vec::zero();
    if (SideSearch::is_for(a_, b_)) stage_ = Stage::kBegin;
  }
  Search(const Search&) = delete;

  TORSOR_INLINE void ask() {
    if (stage_ == Stage::kSide) return ask_along(side_.along_a(), side_.along_b());
    const Vec d_F = stage_ == Stage::kDepth ? depth_.direction() : distance_.direction();
    ask_along(d_F, -d_F);
  }
  TORSOR_INLINE void answer() {
    const Vec on_a = a_.place(of_a_.answer(a_, corner_a_)), on_b = b_.place(of_b_.answer(b_, corner_b_));
    next_ = {on_a - on_b, on_a, on_b};
  }
  // False at the end.
  TORSOR_INLINE bool take() {
    if (stage_ == Stage::kDepth) return depth_.take(next_) || end_depth();
    if (stage_ != Stage::kDistance && take_side()) return stage_ != Stage::kEnd;
    return distance_.take(next_) || end_distance();
  }

 private:
  using SmallPolytope = polytopes::Polytope<48, true>;
  enum class Stage { kBegin, kSide, kDistance, kDepth, kEnd };

  TORSOR_INLINE void ask_along(const Vec& of_a, const Vec& of_b) {
    of_a_.ask(a_, a_.turn_to_own(of_a));
    of_b_.ask(b_, b_.turn_to_own(of_b));
  }
  // False where the search for the distance goes on, from the corner that both begin with.
  __attribute__((noinline)) bool take_side() {
    if (stage_ == Stage::kBegin) {
      stage_ = Stage::kDistance;
      new (&side_) SideSearch(a_, b_);
      if (!side_.begin(distance_.direction(), next_, corner_a_, corner_b_)) return false;
      stage_ = Stage::kSide;
      first_ = next_;
      return true;
    }
    switch (side_.take(next_.on_a, next_.on_b)) {
      case SideSearch::Step::kMore:
        return true;
      case SideSearch::Step::kFound:
        stage_ = Stage::kEnd;
        job_.nearest = side_.result();
        finish();
        return true;
      case SideSearch::Step::kNone:
        break;
    }
    stage_ = Stage::kDistance;
    next_ = first_;
    return false;
  }
  __attribute__((noinline)) bool end_distance() {
    switch (distance_.finish(job_.nearest)) {
      case Distance::kFar:
        job_.touches = false;
        return false;
      case Distance::kApart:
        return finish();
      case Distance::kOverlap:
        break;
    }
    stage_ = Stage::kDepth;
    new (&depth_) SmallPolytope(a_, b_, distance_.simplex);
    return depth_.start() || end_depth();
  }
  __attribute__((noinline)) bool end_depth() {
    job_.nearest = depth_.has_given_up() ? find_depth(a_, b_, distance_.simplex) : depth_.best();
    return finish();
  }
  bool finish() {
    Nearest& nearest = job_.nearest;
    nearest.dist -= radii_;
    nearest.on_a += nearest.normal_F * a_.radius;
    nearest.on_b -= nearest.normal_F * b_.radius;
    job_.touches = nearest.dist <= job_.margin;
    return false;
  }

  NearestJob& job_;
  ConvexPart a_, b_;
  const double radii_;
  Stage stage_ = Stage::kDistance;
  Query of_a_, of_b_;
  int corner_a_ = -1, corner_b_ = -1;
  Corner next_, first_;
  DistanceSearch distance_;
  union {
    SideSearch side_;
    SmallPolytope depth_;
  };
};

constexpr int kTogether = 8;

void find(NearestJob* jobs, int count) {
  struct alignas(64) Room {
    std::byte bytes[sizeof(Search)];
  };
  Room room[kTogether];
  Search* active[kTogether];
  int actives = 0, begun = 0;
  for (; begun < count && actives < kTogether; ++begun, ++actives)
    active[actives] = new (room + actives) Search(jobs[begun]);
  while (actives > 0) {
    for (int i = 0; i < actives; ++i) active[i]->ask();
    for (int i = 0; i < actives; ++i) active[i]->answer();
    for (int i = actives - 1; i >= 0; --i) {
      if (active[i]->take()) continue;
      if (begun < count)
        active[i] = new (active[i]) Search(jobs[begun++]);
      else
        active[i] = active[--actives];
    }
  }
}

constexpr int kAtOnce = 16;

// Calls f(jobs, count) for so many jobs at a time.
template <class Job, class F>
TORSOR_INLINE void for_each_few(Job* jobs, int count, F f) {
  for (; count > 0; jobs += kAtOnce, count -= kAtOnce) f(jobs, std::min(count, kAtOnce));
}

void find_reaches(ReachJob* all, int total) {
  for_each_few(all, total, [](ReachJob* jobs, int count) {
    Query of_a[kAtOnce], of_b[kAtOnce];
    for (int i = 0; i < count; ++i) {
      ReachJob& job = jobs[i];
      job.normal_B = -transposed_mul(load9(job.b->R_WG), load9(job.a->R_WG) * job.normal_A);
      of_a[i].ask(core_of(*job.a), job.normal_A);
      of_b[i].ask(core_of(*job.b), job.normal_B);
    }
    for (int i = 0; i < count; ++i) {
      ReachJob& job = jobs[i];
      const auto reach = [](const Query& query, const Shape& shape) {
        return dot(query.d_G(), query.answer(core_of(shape)));
      };
      job.reach = reach(of_a[i], *job.a) + reach(of_b[i], *job.b);
    }
  });
}

void find_corners(CornerJob* all, int total) {
  for_each_few(all, total, [](CornerJob* jobs, int count) {
    CornerQuery query[kAtOnce];
    for (int i = 0; i < count; ++i) query[i].ask(*jobs[i].hull, jobs[i].d_G);
    for (int i = 0; i < count; ++i) {
      Vec p_G;
      jobs[i].corner = query[i].is_listed() ? query[i].answer(jobs[i].d_G, p_G)
                                            : supports::FurthestCorner(*jobs[i].hull, jobs[i].d_G).index;
    }
  });
}

}  // namespace

extern const NearestKernels kNearestKernels;
const NearestKernels kNearestKernels = {.find = find, .find_reaches = find_reaches, .find_corners = find_corners};

}  // namespace TORSOR_ISA
}  // namespace torsor
