// One Data per thread, one simulation after the other; the calling thread reports while others work.
#include "torsor/batch/rollout.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "torsor/core/error.hpp"
#include "torsor/core/parallel.hpp"
#include "torsor/model/settings.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

void check(const std::vector<const Model*>& models, const RolloutInput& input) {
  if (input.nbatch < 0 || input.nstep < 0)
    throw Error(fmt::format("nbatch and nstep must not be negative, got {} and {}", input.nbatch, input.nstep));
  if (models.empty()) throw Error("a rollout needs a model");
  if (models.size() != 1 && models.size() != static_cast<size_t>(input.nbatch))
    throw Error(
        fmt::format("one model is needed, or one for each of {} rollouts, got {}", input.nbatch, models.size()));
  if (input.nbatch > 0 && !input.initial_states) throw Error("a rollout needs initial states");
  if ((input.control_signature & ~kStateUser) != 0)
    throw Error("controls may be inputs only: ctrl, qfrc_applied, xfrc_applied, eq_active, mocap poses, userdata");
  for (size_t i = 0; i < models.size(); ++i) {
    require_settings(*models[i]);
    if (models[i]->signature != models[0]->signature)
      throw Error(fmt::format("model {} of a rollout has another structure than the first", i));
    if (models[i]->memory != models[0]->memory)
      throw Error(fmt::format("model {} of a rollout asks for other memory than the first", i));
  }
}

// Readings that nobody asked for are not computed, unless they go into the state: into its history.
bool can_skip_sensors(const Model& model, const RolloutOutput& output) {
  const auto has_history = [](int address) { return address >= 0; };
  return model.nsensor > 0 && !output.sensordata &&
         std::none_of(model.sensor_historyadr.begin(), model.sensor_historyadr.end(), has_history);
}

class Rollout {
 public:
  Rollout(const std::vector<const Model*>& models, const RolloutInput& input, const RolloutOutput& output)
      : input_(input),
        output_(output),
        nstate_(state_size(*models[0], kStateFullPhysics)),
        ncontrol_(state_size(*models[0], input.control_signature)) {
    for (const Model* model : models) models_.push_back(prepared(*model));
  }

  void run(int threads) {
    if (output_.steps) std::fill_n(output_.steps, input_.nbatch, 0);
    std::vector<Data> datas(static_cast<size_t>(thread_count(input_.nbatch, threads)), Data(*models_[0]));
    parallel_for(input_.nbatch, threads, [&](int i, int thread) { run_one(i, datas[static_cast<size_t>(thread)]); });
  }
  void stop() { stopped_ = true; }
  int64_t done() const { return done_; }
  int64_t bad() const { return bad_; }

 private:
  // Row `row` of an array of rows of n numbers.
  template <class T>
  static T* row_of(T* array, size_t row, int n) {
    return array + row * static_cast<size_t>(n);
  }

  // Copied only if its options must change.
  const Model* prepared(const Model& model) {
    if (!can_skip_sensors(model, output_)) return &model;
    Option options = model.opt;
    options.disableflags |= kDisableSensor;
    return &changed_.emplace_back(model.with_options(options));
  }

  void start(int i, const Model& model, Data& data) const {
    const size_t row = static_cast<size_t>(i);
    reset(model, data);
    data.noise_seed = static_cast<uint64_t>(i);
    set_state(model, data, row_of(input_.initial_states, row, nstate_), kStateFullPhysics);
    if (input_.initial_warmstart)
      std::copy_n(row_of(input_.initial_warmstart, row, model.nv), model.nv, data.qacc_warmstart.begin());
  }

  void run_one(int i, Data& data) {
    const Model& model = *models_[models_.size() == 1 ? 0 : static_cast<size_t>(i)];
    start(i, model, data);
    int64_t counted = 0;  // steps that done_ knows of
    for (int k = 0; k < input_.nstep && !stopped_; ++k) {
      const size_t row = static_cast<size_t>(i) * static_cast<size_t>(input_.nstep) + static_cast<size_t>(k);
      if (input_.controls) set_state(model, data, row_of(input_.controls, row, ncontrol_), input_.control_signature);
      const Status status = step(model, data);
      if (status == Status::kOutOfMemory) require_memory(model, data);  // throws
      if (status != Status::kOk) ++bad_;
      if (output_.states) get_state(model, data, row_of(output_.states, row, nstate_), kStateFullPhysics);
      if (output_.sensordata)
        std::copy(data.sensordata.begin(), data.sensordata.end(), row_of(output_.sensordata, row, model.nsensordata));
      if (output_.steps) output_.steps[i] = k + 1;
      if ((k + 1) % kStepsBetweenCounts != 0 && k + 1 < input_.nstep) continue;
      done_ += k + 1 - counted;
      counted = k + 1;
    }
    if (output_.last_states)
      get_state(model, data, row_of(output_.last_states, static_cast<size_t>(i), nstate_), kStateFullPhysics);
  }

  static constexpr int kStepsBetweenCounts = 16;  // so that threads seldom wait for each other

  std::vector<const Model*> models_;
  std::deque<Model> changed_;  // whose options are not those of the caller
  const RolloutInput& input_;
  const RolloutOutput& output_;
  const int nstate_, ncontrol_;
  std::atomic<bool> stopped_{false};
  std::atomic<int64_t> done_{0}, bad_{0};
};

// Runs `work` in a thread of its own and calls `report` meanwhile. What either throws is thrown here, after the end.
void run_and_report(Rollout& rollout, int threads, const std::function<void(int64_t)>& report) {
  constexpr std::chrono::milliseconds kBetweenReports(50);
  std::mutex mutex;
  std::condition_variable ended;
  bool is_done = false;
  std::exception_ptr failure;
  std::thread worker([&] {
    std::exception_ptr thrown;
    try {
      rollout.run(threads);
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    failure = thrown;
    is_done = true;
    ended.notify_one();
  });
  std::exception_ptr stopped;
  try {
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, kBetweenReports, [&] { return is_done; })) {
      lock.unlock();
      report(rollout.done());
      lock.lock();
    }
  } catch (...) {
    stopped = std::current_exception();
    rollout.stop();
  }
  worker.join();
  if (stopped) std::rethrow_exception(stopped);
  if (failure) std::rethrow_exception(failure);
  report(rollout.done());
}

}  // namespace

int64_t rollout(const std::vector<const Model*>& models, const RolloutInput& input, const RolloutOutput& output,
                const RolloutOptions& options) {
  check(models, input);
  Rollout all(models, input, output);
  if (options.progress)
    run_and_report(all, options.threads, options.progress);
  else
    all.run(options.threads);
  return all.bad();
}

}  // namespace torsor
