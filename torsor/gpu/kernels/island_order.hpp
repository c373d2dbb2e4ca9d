// The order in which groups of threads take the islands of a list: the one with their number first, then whichever
// nobody has.
#pragma once

#include "torsor/gpu/kernels/atomics.hpp"
#include "torsor/gpu/kernels/group.hpp"

namespace torsor::gpu {

// Every island is taken by one group, as long as each group that takes part calls for_each().
class IslandOrder {
 public:
  // Of `launched` groups, the first `most` take part: those that have scratch memory. taken[list] counts islands that
  // groups came back for, zero at first; null: each group takes its share.
  TORSOR_INLINE IslandOrder(int launched, int most, int* taken, int list = 0)
      : groups_(launched < most ? launched : most), list_(list), taken_(taken) {}

  // Calls solve(k) for the islands that group `number` takes of `count`. Islands differ in their iterations, so a group
  // that is done takes the next one. No result depends on who takes it.
  template <int L, class F>
  TORSOR_INLINE void for_each(const Group<L>& group, int number, int count, F&& solve) const {
    if (number >= groups_) return;
    for (int k = number; k < count; k = next(group, k)) {
      solve(k);
      group.sync();
    }
  }

 private:
  template <int L>
  TORSOR_INLINE int next(const Group<L>& group, int now) const {
    if (!taken_) return now + groups_;
    int next = 0;
    if (group.lane() == 0) next = groups_ + add_to(taken_ + list_, 1);
    return group.broadcast(next, 0);
  }

  int groups_, list_;
  int* taken_;
};

}  // namespace torsor::gpu
