// Many worlds of one model in one call, on the buffers of a SapSolver:
//
//   SapWorlds worlds(solver, 64);
//   worlds.step(states, states, {.dt = {0.005}, .threads = 4});
//
// Each world is stepped as a SapSolver of its own would step it, to the bit, whatever the number of threads and
// whichever worlds are stepped with it. (A Batch detects contacts itself and steps several worlds in the lanes of a
// vector: see docs/decisions/0038-many-worlds-of-sap.md.)
#pragma once

#include <span>
#include <vector>

#include "torsor/bridge/sap_solver.hpp"

namespace torsor {

// Each list has one entry for each world of the call, or is empty. `dt` may also have one entry for all.
struct SapWorldsStep {
  std::vector<double> dt;
  std::vector<const SapControl*> controls{};
  std::vector<const SapContacts*> contacts{};
  std::vector<int> worlds{};  // which ones, none twice; empty: all
  int threads = 1;            // 0: one per core
};

class SapWorlds {
 public:
  // `solver` must outlive this: its model with its options applies to all worlds, as it is when a call begins.
  SapWorlds(SapSolver& solver, int count);

  int count() const { return static_cast<int>(memory_.size()); }
  // One entry for each world of the call.
  std::vector<SapContacts> collide(std::span<const SapState> states, int threads = 1);
  // `in` and `out` have one entry for each world of the call; they may be the same. Throws an Error that names the
  // world, with all of `out` and all worlds unchanged, if anything does not fit or the numbers of a world become bad.
  void step(std::span<const SapState> in, std::span<SapState> out, const SapWorldsStep& call);

  // Whether the solver reached its tolerance in all islands of a world in its last step.
  bool converged(int world) const { return converged_[static_cast<size_t>(world)]; }

 private:
  void prepare(int threads);
  void check(std::span<const SapState> in, std::span<SapState> out, const SapWorldsStep& call) const;

  SapSolver& solver_;
  std::vector<SapSolver> workers_;           // one per thread
  std::vector<std::vector<double>> memory_;  // of each world
  std::vector<bool> converged_;
};

}  // namespace torsor
