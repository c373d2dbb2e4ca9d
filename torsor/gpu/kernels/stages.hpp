// The stages of a step for one world, with the checks and resets of step().
#pragma once

#include "torsor/dynamics/kernels/run_stage.hpp"
#include "torsor/gpu/kernels/atomics.hpp"
#include "torsor/gpu/kernels/series.hpp"
#include "torsor/gpu/world_view.hpp"

namespace torsor::gpu {

// What run_stage() works on.
template <class S>
struct ThreadWorkspace {
  using Number = WorldLane<S>;
  DataView<Number>& data;
  WorldPointer<S> scratch, kept;
  int evaluations;
  bool shows_mean;
};

template <class S>
TORSOR_INLINE bool has_bad(const Field<WorldLane<S>>& numbers) {
  bool bad = false;
  for (int i = 0; i < numbers.size(); ++i) bad = bad | is_bad(numbers[i].v, S(kMaxValue));
  return bad;
}

template <class S>
TORSOR_INLINE void reset_world(const WorldView<S>& view, int world) {
  for (int i = 0; i < view.state; ++i) view.numbers[i] = view.progress.reference[i];
  for (int i = 0; i < view.model.neq; ++i)
    view.eq_active[std::ptrdiff_t(view.model.neq) * world + i] = S(view.model.eq_active0[i]);
  view.progress.flags[world] |= Progress<S>::kWasReset;
}

// Back to where a step of Runge-Kutta began: a world that waits after its first evaluation is on its way.
template <class S>
TORSOR_INLINE void return_to_start(const WorldView<S>& view) {
  using P = WorldLane<S>;
  DataView<P>& data = const_cast<DataView<P>&>(view.data);
  const Kept<P> kept(view.model, view.kept.data());
  for (int i = 0; i < view.model.nq; ++i) data.qpos[i] = kept.q0[i];
  for (int i = 0; i < view.model.nv; ++i) data.qvel[i] = kept.v0[i];
  for (int k = 0; k < view.model.na; ++k) data.act[k] = kept.act0[k];
  data.time = kept.time0;
}

// False for a world that does nothing in this pass.
template <class S>
TORSOR_INLINE bool begin_step(const WorldView<S>& view, int world) {
  const Progress<S>& progress = view.progress;
  if (progress.taken[world] >= progress.target[world]) return false;
  if (progress.flags[world] & Progress<S>::kMoved) return_to_start(view);
  progress.flags[world] &= std::uint8_t(~(Progress<S>::kWaits | Progress<S>::kMoved));
  write_controls(view, world);
  if (progress.auto_reset && (has_bad(view.data.qpos) || has_bad(view.data.qvel))) reset_world(view, world);
  return true;
}

// False for a world that begins its step again.
template <class S>
TORSOR_INLINE bool check_acceleration(const WorldView<S>& view, int world) {
  const Progress<S>& progress = view.progress;
  if (!progress.auto_reset || (progress.flags[world] & Progress<S>::kRetried) || !has_bad(view.data.qacc)) return true;
  reset_world(view, world);
  progress.flags[world] |= Progress<S>::kRetried | Progress<S>::kWaits;
  return false;
}

template <class S>
TORSOR_INLINE void end_step(const WorldView<S>& view, int world) {
  const Progress<S>& progress = view.progress;
  if (progress.flags[world] & Progress<S>::kWasReset) {
    progress.diverged_at[world] = progress.taken[world];
    add_to(progress.resets, 1ull);
  } else if (!progress.auto_reset && progress.diverged_at[world] < 0 &&
             (has_bad(view.data.qpos) || has_bad(view.data.qvel))) {
    progress.diverged_at[world] = progress.taken[world];
  }
  record_step(view, world);
  progress.flags[world] &= Progress<S>::kHasSeries;
  ++progress.taken[world];
}

// After the stages of a list
template <class S>
TORSOR_INLINE void end_stages(const WorldView<S>& view, const StageList& list, int world) {
  if (list.moves) view.progress.flags[world] |= Progress<S>::kMoved;
  if (list.ends) end_step(view, world);
}

// Whether a world has anything to do in this pass; begins its step or checks it where the list says so.
template <class S>
TORSOR_INLINE bool begin_stages(const WorldView<S>& view, const StageList& list, int world) {
  if (list.begins ? !begin_step(view, world) : list.is_step && !view.progress.is_active(world)) return false;
  return !list.checks || check_acceleration(view, world);
}

template <class S>
TORSOR_INLINE WorldPointer<S> scratch_of(const WorldView<S>& view, const StageList& list) {
  return view.scratch.data() + list.scratch_part * (view.scratch.size() / kScratchParts);
}

}  // namespace torsor::gpu
