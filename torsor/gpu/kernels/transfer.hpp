// Numbers between the arrays that users see, world after world, and the blocks that kernels work on.
#pragma once

#include "torsor/gpu/world_view.hpp"

namespace torsor::gpu {

// Fields with an array for users.
template <class S>
struct TransferList {
  static constexpr int kMost = kMostFieldsOfUsers;
  struct Entry {
    int place, count;  // numbers of a world
    S* values;         // [world][count]
  };
  int count = 0;
  const int* rows = nullptr;  // see StepSeries: store_world() leaves arrays of worlds without a row alone
  Entry entries[kMost];
};

template <class S>
TORSOR_INLINE void load_world(const WorldView<S>& view, const TransferList<S>& list, int world) {
  for (int k = 0; k < list.count; ++k) {
    const auto& entry = list.entries[k];
    const S* const from = entry.values + std::ptrdiff_t(entry.count) * world;
    for (int i = 0; i < entry.count; ++i) view.numbers[entry.place + i] = from[i];
  }
}
template <class S>
TORSOR_INLINE void store_world(const WorldView<S>& view, const TransferList<S>& list, int world) {
  if (list.rows && list.rows[world] < 0) return;
  for (int k = 0; k < list.count; ++k) {
    const auto& entry = list.entries[k];
    S* const to = entry.values + std::ptrdiff_t(entry.count) * world;
    for (int i = 0; i < entry.count; ++i) to[i] = view.numbers[entry.place + i].v;
  }
}

// Steps that worlds shall take from now on: those with a row, where rows are given.
struct Aim {
  std::int64_t steps = 0;
  const int* rows = nullptr;  // see StepSeries
  bool has_series = false;
};
template <class S>
TORSOR_INLINE void aim_world(const Progress<S>& progress, const Aim& aim, int world) {
  progress.target[world] = progress.taken[world] + (aim.rows && aim.rows[world] < 0 ? 0 : aim.steps);
  progress.flags[world] = aim.has_series ? Progress<S>::kHasSeries : 0;
}

// Back to a pose, which has the numbers of a block's state; equalities hold as the model says.
template <class S>
TORSOR_INLINE void put_world(const WorldView<S>& view, const TransferList<S>& state, const S* pose,
                             const std::uint8_t* mask, int world) {
  if (mask && !mask[world]) return;
  for (int k = 0; k < state.count; ++k) {
    const auto& entry = state.entries[k];
    for (int i = 0; i < entry.count; ++i) entry.values[std::ptrdiff_t(entry.count) * world + i] = pose[entry.place + i];
  }
  const int equalities = view.model.neq;
  for (int i = 0; i < equalities; ++i)
    view.eq_active[std::ptrdiff_t(equalities) * world + i] = S(view.model.eq_active0[i]);
  view.progress.diverged_at[world] = -1;
}

}  // namespace torsor::gpu
