// Proofs, searches, what is kept of them.
#include "torsor/contact/hull_queue.hpp"

#include "torsor/contact/dispatch.hpp"
#include "torsor/contact/still_apart.hpp"

namespace torsor {
namespace {

ConvexPair convex_pair(const WaitingPair& waiting) {
  return {waiting.touch.first, waiting.touch.second, waiting.pair.geom1, waiting.pair.geom2, waiting.extent};
}

}  // namespace

void HullQueue::find_still_apart() {
  ReachJob jobs[kRoom];
  WaitingPair* of_job[kRoom];
  int searches = 0;
  for (int i = 0; i < count_; ++i) {
    WaitingPair& waiting = room_.pairs[i];
    const Shape &a = waiting.touch.first, &b = waiting.touch.second;
    waiting.is_apart = false, waiting.touch.count = 0;
    if (!waiting.kept || !waiting.kept->is_of(waiting.pair.geom1, waiting.pair.geom2)) continue;
    if (has_no_hull(a) || has_no_hull(b)) continue;
    jobs[searches] = {&a, &b, load3<double>(waiting.kept->normal_A), {}, 0};
    of_job[searches++] = &waiting;
  }
  nearest_kernels().find_reaches(jobs, searches);
  for (int k = 0; k < searches; ++k) {
    const FacingReach facing{jobs[k].normal_A, jobs[k].normal_B, jobs[k].reach};
    of_job[k]->is_apart = is_gap(convex_pair(*of_job[k]), of_job[k]->touch.margin, facing);
  }
}

void HullQueue::search() {
  if (count_ == 1 && room_.pairs[0].kept) {
    WaitingPair& only = room_.pairs[0];
    only.touch.count = touch_convex(convex_pair(only), only.touch.margin, *only.kept, only.touch.points);
    return;
  }
  find_still_apart();
  ConvexTouch* touches[kRoom];
  int searches = 0;
  for (int i = 0; i < count_; ++i)
    if (!room_.pairs[i].is_apart) touches[searches++] = &room_.pairs[i].touch;
  touch_convexes(touches, searches);
  for (int i = 0; i < count_; ++i) {
    const WaitingPair& waiting = room_.pairs[i];
    if (waiting.kept && !waiting.is_apart)
      keep_result(convex_pair(waiting), waiting.touch.count, waiting.touch.apart_W, *waiting.kept);
  }
}

}  // namespace torsor
