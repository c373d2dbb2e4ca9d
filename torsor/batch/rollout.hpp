// Many simulations from given states under given controls, spread over threads.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "torsor/model/data.hpp"

namespace torsor {

// What to run. Arrays are by rows and belong to the caller. States are those of kStateFullPhysics: time, qpos, qvel,
// act, history; state_size() says how many numbers that is.
struct RolloutInput {
  int nbatch = 0, nstep = 0;
  const double* initial_states = nullptr;     // nbatch x state
  const double* controls = nullptr;           // nbatch x nstep x control, may be null
  const double* initial_warmstart = nullptr;  // nbatch x nv, may be null: from 0
  int control_signature = kStateCtrl;         // StateBits that a control is
  uint64_t first_seed = 0;                    // of the noise of sensors; the next simulations count up from it
};

// Results after each step, each may be null. Sensors belong to the state before the step, as step() leaves them.
struct RolloutOutput {
  double* states = nullptr;        // nbatch x nstep x state
  double* sensordata = nullptr;    // nbatch x nstep x nsensordata
  double* last_states = nullptr;   // nbatch x state, where the others would need too much memory
  int* steps = nullptr;            // nbatch, how many steps each has taken: nstep unless the rollout was stopped
  int64_t* diverged_at = nullptr;  // nbatch, how many steps each had taken when its numbers last went bad; -1: never
};

struct RolloutOptions {
  int threads = 1;  // 0: one per core
  // Called a few times a second by the thread that called rollout(), with the number of steps done. What it throws
  // stops the rollout and reaches the caller.
  std::function<void(int64_t steps)> progress{};
  // In lanes, as Batch::step(): faster, and equal to a loop of step() up to rounding instead of to the bit. Not with
  // models of their own.
  bool wide = false;
};

// Each simulation starts from a reset Data with its initial state and warm start, and is what a loop of step() makes of
// it, to the bit, for any number of threads: bad numbers reset it and it goes on. The seed of the noise of sensors is
// the number of the simulation, counted from `first_seed`: a part of a rollout can be run alone, elsewhere. `models` is
// one model, or one per simulation, all of one structure. Returns how many steps met bad numbers. Throws Error for
// sizes that make no sense, for models that differ in structure, and for a step that needs more memory than its model
// allows.
//   std::vector<double> states(nbatch * nstep * state_size(model, kStateFullPhysics));
//   rollout({&model}, {nbatch, nstep, initial_states, controls}, {states.data(), nullptr}, {.threads = 0});
int64_t rollout(const std::vector<const Model*>& models, const RolloutInput& input, const RolloutOutput& output,
                const RolloutOptions& options = {});

}  // namespace torsor
