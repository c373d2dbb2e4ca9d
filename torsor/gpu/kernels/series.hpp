// Controls step by step, and records.
#pragma once

#include "torsor/gpu/world_view.hpp"

namespace torsor::gpu {

// Where the numbers of the world's present step are in the array of an entry.
template <class S>
TORSOR_INLINE S* numbers_of_step(const WorldView<S>& view, const typename StepSeries<S>::Entry& entry, int world) {
  const StepSeries<S>& series = *view.series;
  const std::int64_t step = view.progress.taken[world] - (view.progress.target[world] - series.of_call);
  const std::ptrdiff_t row = series.rows ? series.rows[world] : world;
  return entry.values + (row * series.steps + series.first + step) * entry.stride;
}

// Whether equalities hold is no number of a block.
template <class S>
TORSOR_INLINE S* switches_of(const WorldView<S>& view, int world) {
  return view.eq_active + std::ptrdiff_t(view.model.neq) * world;
}

// Before the state is looked at, since a world with a bad state loses its controls, too. A step that begins again has
// written them, and may have been reset since.
template <class S>
TORSOR_INLINE void write_controls(const WorldView<S>& view, int world) {
  const auto flags = view.progress.flags[world];
  if (!(flags & Progress<S>::kHasSeries) || (flags & Progress<S>::kWasReset)) return;
  for (int k = 0; k < view.series->controls; ++k) {
    const auto& entry = view.series->entries[k];
    const S* const from = numbers_of_step(view, entry, world);
    for (int i = 0; i < entry.count; ++i) {
      if (entry.place < 0)
        switches_of(view, world)[i] = S(from[i] != S(0));
      else
        view.numbers[entry.place + i] = from[i];
    }
  }
}

// After a step, before it is counted.
template <class S>
TORSOR_INLINE void record_step(const WorldView<S>& view, int world) {
  if (!(view.progress.flags[world] & Progress<S>::kHasSeries)) return;
  for (int k = view.series->controls; k < view.series->count; ++k) {
    const auto& entry = view.series->entries[k];
    S* const to = numbers_of_step(view, entry, world);
    for (int i = 0; i < entry.count; ++i)
      to[i] = entry.place < 0 ? S(switches_of(view, world)[i] != S(0)) : view.numbers[entry.place + i].v;
  }
}

}  // namespace torsor::gpu
