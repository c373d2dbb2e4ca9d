// Steps one pack of worlds stage by stage: wide stages in packs, the others lane by lane. Looks for bad numbers where
// step() of one world does, and treats each world as step() would.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "torsor/batch/worker.hpp"

namespace torsor {

// The first world of a batch that memory was not enough for, whichever thread finds it.
class MemoryFailure {
 public:
  void take(int world, const Model& model, const Data& data);
  void require_none() const;  // throws Error

 private:
  std::mutex mutex_;
  int world_ = -1;
  std::string text_;
};

// What a caller does between the steps of a pack, and while it steps.
class PackObserver {
 public:
  virtual ~PackObserver() = default;
  virtual bool begin_step(int step) = 0;            // may write inputs; false: no more steps
  virtual bool reads_results() const = 0;           // of this step
  virtual void take_results(unsigned stopped) = 0;  // of the last evaluation, but not those of lanes in `stopped`
  virtual void take_reset(int lane) = 0;            // which had bad numbers
  virtual void end_step(unsigned stopped) = 0;
};

template <class S>
struct PackOfWorlds {
  S* block;
  const int* ids;         // of the worlds, by lane
  int count;              // lanes beyond them are in the reference pose
  const uint64_t* seeds;  // of the noise, by lane
  uint64_t* noise_steps;  // by lane
  bool* eq_active;        // lane after lane
  PackObserver* observer = nullptr;
  int resets = 0;  // steps of a world that reset it
};

// Whether whole steps of kernels/lanes.cpp are enough, which keep nothing between stages.
bool can_step_smoothly(const BatchProgram& program, const BatchFeatures& features);

template <class S>
class PackStep {
 public:
  // `reference` has the numbers of a world after a reset, in the order of a block.
  PackStep(const Model& model, const BatchProgram& program, const std::vector<double>& reference,
           MemoryFailure& failure);

  void run(BatchWorker<S>& worker, PackOfWorlds<S>& worlds, int steps) const;
  // Forward dynamics alone, for worker.read().
  void forward(BatchWorker<S>& worker, PackOfWorlds<S>& worlds) const;

 private:
  void begin(BatchWorker<S>& worker, PackOfWorlds<S>& worlds) const;
  void copy_switches(BatchWorker<S>& worker, const PackOfWorlds<S>& worlds) const;
  void step(BatchWorker<S>& worker, PackOfWorlds<S>& worlds, unsigned& stopped) const;
  void evaluate(BatchWorker<S>& worker, bool is_first) const;
  void evaluate_again(BatchWorker<S>& worker) const;
  unsigned evaluate_checked(BatchWorker<S>& worker, PackOfWorlds<S>& worlds, unsigned& stopped) const;
  void save_state(BatchWorker<S>& worker, const PackOfWorlds<S>& worlds) const;
  unsigned find_bad(const BatchWorker<S>& worker, int field) const;
  unsigned reset_lanes(BatchWorker<S>& worker, PackOfWorlds<S>& worlds, unsigned lanes) const;
  unsigned find_memory_failures(BatchWorker<S>& worker, const PackOfWorlds<S>& worlds) const;

  const Model& model_;
  const BatchProgram& program_;
  const std::vector<double>& reference_;
  MemoryFailure& failure_;
  const bool has_lanes_;
  const int qpos_, qvel_, qacc_;
  const size_t state_numbers_;  // per world, at the front of a block
};

}  // namespace torsor
