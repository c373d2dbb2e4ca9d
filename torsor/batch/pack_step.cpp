#include "torsor/batch/pack_step.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "torsor/core/error.hpp"

namespace torsor {

void MemoryFailure::take(int world, const Model& model, const Data& data) {
  const std::lock_guard lock(mutex_);
  if (world_ >= 0 && world_ < world) return;
  world_ = world;
  try {
    require_memory(model, data);
  } catch (const Error& error) {
    text_ = error.what();
  }
}

void MemoryFailure::require_none() const {
  if (world_ >= 0) throw Error(fmt::format("world {}: {}", world_, text_));
}

bool can_step_smoothly(const BatchProgram& program, const BatchFeatures& features) {
  return program.is_all_wide() && program.stages().is_simple && !features.has_rows && !features.is_sap &&
         !features.is_discrete;
}

template <class S>
PackStep<S>::PackStep(const Model& model, const BatchProgram& program, const std::vector<double>& reference,
                      MemoryFailure& failure)
    : model_(model),
      program_(program),
      reference_(reference),
      failure_(failure),
      has_lanes_(!program.is_all_wide()),
      qpos_(program.fields().find("qpos")),
      qvel_(program.fields().find("qvel")),
      qacc_(program.fields().find("qacc")),
      state_numbers_(BatchWorker<S>::state_numbers(model)) {}

template <class S>
void PackStep<S>::begin(BatchWorker<S>& worker, PackOfWorlds<S>& worlds) const {
  if (has_lanes_) worker.ensure_lanes(model_);
  worker.bind(worlds.block);
  for (int lane = 0; has_lanes_ && lane < worker.lanes(); ++lane) {
    worker.lane_data(lane).noise_seed = worlds.seeds[lane];
    worker.lane_data(lane).noise_step = worlds.noise_steps[lane];
  }
  copy_switches(worker, worlds);
}

template <class S>
void PackStep<S>::copy_switches(BatchWorker<S>& worker, const PackOfWorlds<S>& worlds) const {
  worker.use_switches(worlds.eq_active, model_.neq);
  for (int lane = 0; has_lanes_ && lane < worker.lanes(); ++lane)
    std::copy_n(worlds.eq_active + lane * model_.neq, model_.neq, worker.lane_data(lane).eq_active.begin());
}

// Forward dynamics. What the first evaluation has read stays, as it does in step().
template <class S>
void PackStep<S>::evaluate(BatchWorker<S>& worker, bool is_first) const {
  worker.poison(program_.fields(), is_first);
  for (int lane = 0; has_lanes_ && lane < worker.lanes(); ++lane) {
    Data& data = worker.lane_data(lane);
    data.clear_memory_needed();
    data.has_energy_position = data.has_energy_velocity = data.has_subtree_velocity = data.has_rne_post = false;
  }
  worker.run(model_, program_.forward());
  if (is_first) worker.run(model_, program_.observe());
}

template <class S>
void PackStep<S>::evaluate_again(BatchWorker<S>& worker) const {
  unsigned had_rne_post = 0;
  for (int lane = 0; has_lanes_ && lane < worker.lanes(); ++lane)
    had_rne_post |= unsigned{worker.lane_data(lane).has_rne_post} << lane;
  evaluate(worker, false);
  for (int lane = 0; has_lanes_ && lane < worker.lanes(); ++lane)
    worker.lane_data(lane).has_rne_post = (had_rne_post >> lane & 1) != 0;
}

template <class S>
void PackStep<S>::forward(BatchWorker<S>& worker, PackOfWorlds<S>& worlds) const {
  begin(worker, worlds);
  evaluate(worker, true);
  worker.run(model_, program_.report());
  find_memory_failures(worker, worlds);
}

// Lanes with a number that is NaN or huge.
template <class S>
unsigned PackStep<S>::find_bad(const BatchWorker<S>& worker, int field) const {
  return worker.find_bad(field);
}

template <class S>
unsigned PackStep<S>::reset_lanes(BatchWorker<S>& worker, PackOfWorlds<S>& worlds, unsigned lanes) const {
  const int width = worker.lanes();
  for (int lane = 0; lane < width; ++lane) {
    if (!(lanes & 1u << lane)) continue;
    for (size_t i = 1; i < reference_.size(); ++i)
      worlds.block[i * static_cast<size_t>(width) + lane] = static_cast<S>(reference_[i]);
    worker.packs(0)[lane] = static_cast<S>(reference_[0]);
    if (has_lanes_) worker.lane_data(lane).noise_step = 0;
    worlds.noise_steps[lane] = 0;
    std::copy(model_.eq_active0.begin(), model_.eq_active0.end(), worlds.eq_active + lane * model_.neq);
    if (worlds.observer) worlds.observer->take_reset(lane);
  }
  if (lanes != 0) copy_switches(worker, worlds);
  return lanes;
}

template <class S>
unsigned PackStep<S>::find_memory_failures(BatchWorker<S>& worker, const PackOfWorlds<S>& worlds) const {
  unsigned failed = 0;
  for (int lane = 0; has_lanes_ && lane < worker.lanes(); ++lane) {
    const Data& data = worker.lane_data(lane);
    if (data.memory_needed() == 0) continue;
    failed |= 1u << lane;
    if (lane < worlds.count) failure_.take(worlds.ids[lane], model_, data);
  }
  return failed;
}

// Copies numbers of the chosen lanes; numbers of a lane are `width` apart.
template <class S>
static void copy_lanes(unsigned lanes, int width, size_t count, const S* from, S* to) {
  for (int lane = 0; lane < width; ++lane) {
    for (size_t i = 0; (lanes >> lane & 1) != 0 && i < count; ++i)
      to[i * static_cast<size_t>(width) + static_cast<size_t>(lane)] =
          from[i * static_cast<size_t>(width) + static_cast<size_t>(lane)];
  }
}

// Bad numbers in the state, then in the acceleration, reset a world, as in step(). Returns the worlds that were reset.
template <class S>
unsigned PackStep<S>::evaluate_checked(BatchWorker<S>& worker, PackOfWorlds<S>& worlds, unsigned& stopped) const {
  const bool resets = !model_.opt.disabled(kDisableAutoReset);
  unsigned was_reset = 0;
  if (resets) was_reset = reset_lanes(worker, worlds, (find_bad(worker, qpos_) | find_bad(worker, qvel_)) & ~stopped);
  save_state(worker, worlds);
  evaluate(worker, true);
  stopped |= find_memory_failures(worker, worlds);
  const unsigned bad = resets ? find_bad(worker, qacc_) & ~stopped : 0;
  if (bad == 0) return was_reset;
  was_reset |= reset_lanes(worker, worlds, bad);
  save_state(worker, worlds);
  evaluate(worker, true);
  stopped |= find_memory_failures(worker, worlds);
  return was_reset;
}

template <class S>
void PackStep<S>::save_state(BatchWorker<S>& worker, const PackOfWorlds<S>& worlds) const {
  const size_t width = static_cast<size_t>(worker.lanes());
  std::vector<S>& state = worker.saved_state();
  state.assign(worlds.block, worlds.block + state_numbers_ * width);
  std::copy_n(worker.packs(0), width, state.begin());  // the time in the block is that of the last release()
}

// Lanes in `stopped` take no more steps: they had no memory.
template <class S>
void PackStep<S>::step(BatchWorker<S>& worker, PackOfWorlds<S>& worlds, unsigned& stopped) const {
  const unsigned was_reset = evaluate_checked(worker, worlds, stopped);
  const int evaluations = program_.stages().evaluations, width = worker.lanes();
  worker.run(model_, program_.start());
  for (int evaluation = 1; evaluation <= evaluations; ++evaluation) {
    if (evaluation > 1) {
      evaluate_again(worker);
      stopped |= find_memory_failures(worker, worlds);
    }
    if (evaluation == evaluations && worlds.observer && worlds.observer->reads_results()) {
      worker.run(model_, program_.report());
      worlds.observer->take_results(stopped);
    }
    worker.run(model_, program_.between());
  }
  worker.run(model_, program_.finish());
  if (stopped != 0) {
    copy_lanes(stopped, width, state_numbers_, worker.saved_state().data(), worlds.block);
    copy_lanes(stopped, width, 1, worker.saved_state().data(), worker.packs(0));
  }
  for (int lane = 0; lane < width; ++lane) {
    if ((stopped >> lane & 1) == 0) {
      ++worlds.noise_steps[lane];
      if (lane < worlds.count) worlds.resets += was_reset >> lane & 1;
    }
    if (has_lanes_) worker.lane_data(lane).noise_step = worlds.noise_steps[lane];
  }
}

template <class S>
void PackStep<S>::run(BatchWorker<S>& worker, PackOfWorlds<S>& worlds, int steps) const {
  begin(worker, worlds);
  unsigned stopped = 0;
  for (int k = 0; k < steps; ++k) {
    if (worlds.observer && !worlds.observer->begin_step(k)) break;
    copy_switches(worker, worlds);
    step(worker, worlds, stopped);
    if (worlds.observer) worlds.observer->end_step(stopped);
  }
  worker.release();
}

template class PackStep<double>;
template class PackStep<float>;

}  // namespace torsor
