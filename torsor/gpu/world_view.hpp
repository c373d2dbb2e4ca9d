// What kernels on a device get, by value: the model, the arrays of all worlds, and how far each world is.
#pragma once

#include "torsor/dynamics/kernels/lanes.hpp"
#include "torsor/gpu/config.hpp"
#include "torsor/gpu/step_series.hpp"
#include "torsor/gpu/tree_lists.hpp"
#include "torsor/math/world_lane.hpp"
#include "torsor/model/data.hpp"

namespace torsor::gpu {

static_assert(kBlock == kWorldsInBlock);
// State, input and results that users have bound, at most.
inline constexpr int kMostFieldsOfUsers = 128;

// Numbers of a world, whichever threads work on it, kBlock apart.
template <class S>
TORSOR_INLINE S* of_world(const Field<WorldLane<S>>& field, int world) {
  return reinterpret_cast<S*>(field.pointer) + std::ptrdiff_t(world / kBlock) * field.block + world % kBlock;
}

// A world takes steps until it has taken as many as it shall. What it cannot do in a pass over all worlds, because it
// needs more room or was reset, it does in a later one.
template <class S>
struct Progress {
  enum Flag : std::uint8_t {
    kWaits = 1,      // until the next pass
    kWasReset = 2,   // in its present step
    kRetried = 4,    // its present step was begun again after a bad acceleration
    kHasSeries = 8,  // its call has controls step by step, or records
    kMoved = 16,     // Runge-Kutta has moved it in its present step
  };
  std::int64_t *taken = nullptr, *target = nullptr, *diverged_at = nullptr;  // [world]
  std::uint8_t* flags = nullptr;                                             // [world]
  unsigned long long* resets = nullptr;                                      // [1], of all worlds
  const S* reference = nullptr;  // a world as a reset leaves it: the first `state` numbers of a block
  bool auto_reset = true;

  TORSOR_INLINE bool is_active(int world) const { return taken[world] < target[world] && !(flags[world] & kWaits); }
};

inline constexpr int kScratchParts = 3;

template <class S>
struct WorldView {
  int worlds = 0;
  int state = 0;  // numbers of a world that persist from step to step: time, state and input, at the front of its block
  ModelView model;
  const ModelView* models = nullptr;  // [world], where worlds have values of their own; else null
  TreeLists trees;
  BodyLevels levels;
  DataView<WorldLane<S>> data;
  Field<WorldLane<S>> numbers;        // all of a world, from time on
  Field<WorldLane<S>> scratch, kept;  // see LaneWorkspace; kScratchParts of scratch
  Progress<S> progress;
  S* eq_active = nullptr;                 // [world][neq], not 0 where an equality holds
  const StepSeries<S>* series = nullptr;  // [1], of calls that have one
};

// Stages that one kernel runs one after the other, and what it does before and after.
struct StageList {
  static constexpr int kMost = 32;
  int count = 0;
  WideStage stages[kMost];
  int evaluation = 0;             // of Runge-Kutta
  bool is_step = true;            // false: all worlds, whatever steps they shall take
  bool begins = false;            // a step: wakes worlds that waited, and looks for a bad state
  bool checks = false;            // the acceleration; a world where it is bad begins its step again
  bool moves = false;             // to the state of the next evaluation of Runge-Kutta
  bool ends = false;              // a step
  bool reads_own_values = false;  // of the model, where worlds have some
  int scratch_part = 0;           // lists that run beside each other have scratch of their own
};

}  // namespace torsor::gpu
