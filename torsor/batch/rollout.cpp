// A batch with one world per rollout, whose steps take controls and leave records; the calling thread reports
// meanwhile.
#include "torsor/batch/rollout.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "torsor/batch/batch.hpp"
#include "torsor/core/error.hpp"
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

// The parts of a state vector, in its order.
constexpr struct {
  int bit;
  const char* field;
} kParts[] = {{kStateTime, "time"},
              {kStateQpos, "qpos"},
              {kStateQvel, "qvel"},
              {kStateAct, "act"},
              {kStateHistory, "history"},
              {kStateWarmStart, "qacc_warmstart"},
              {kStateCtrl, "ctrl"},
              {kStateQfrcApplied, "qfrc_applied"},
              {kStateXfrcApplied, "xfrc_applied"},
              {kStateEqActive, "eq_active"},
              {kStateMocapPos, "mocap_pos"},
              {kStateMocapQuat, "mocap_quat"},
              {kStateUserData, "userdata"},
              {kStatePlastic, "plastic"}};

// A batch with one world per rollout.
class Rollout {
 public:
  Rollout(const std::vector<const Model*>& models, const RolloutInput& input, const RolloutOutput& output, bool wide)
      : models_(models),
        input_(input),
        output_(output),
        batch_(*models[0], input.nbatch),
        nstate_(static_cast<size_t>(state_size(*models[0], kStateFullPhysics))) {
    if (output_.steps) std::fill_n(output_.steps, input_.nbatch, 0);
    start();
    call_.steps = input.nstep;
    call_.one_by_one = call_.may_sleep = !wide;
    call_.models = models.size() > 1 ? models.data() : nullptr;
    call_.stop = &stop_;
    call_.done = &done_;
    call_.taken = output.steps;
    if (input.controls) add_series(input.control_signature, const_cast<double*>(input.controls), controls_);
    if (output.states) add_series(kStateFullPhysics, output.states, records_);
    const size_t readings = static_cast<size_t>(models[0]->nsensordata);
    if (output.sensordata && readings > 0)
      records_.push_back({batch_.find_field("sensordata"), output.sensordata, readings});
    call_.controls = controls_.data(), call_.ncontrols = static_cast<int>(controls_.size());
    call_.records = records_.data(), call_.nrecords = static_cast<int>(records_.size());
  }

  void run(int threads) {
    call_.threads = threads;
    struct Finish {  // also when the run throws
      ~Finish() {
        rollout.read_last_states();
        if (rollout.output_.diverged_at)
          std::copy_n(rollout.batch_.diverged_at(), rollout.input_.nbatch, rollout.output_.diverged_at);
      }
      Rollout& rollout;
    } finish{*this};
    batch_.step(call_);
  }
  void stop() { stop_ = true; }
  int64_t done() const { return done_; }
  int64_t bad() const { return batch_.resets() + count_diverged(); }

 private:
  // Worlds as after a reset of their models, in the given states.
  void start() {
    Data data(*models_[0]);
    const size_t nv = static_cast<size_t>(models_[0]->nv);
    for (int i = 0; i < input_.nbatch; ++i) {
      const Model& model = *models_[models_.size() == 1 ? 0 : static_cast<size_t>(i)];
      if (models_.size() > 1) reset(model, data);
      set_state(model, data, input_.initial_states + static_cast<size_t>(i) * nstate_, kStateFullPhysics);
      if (input_.initial_warmstart)
        std::copy_n(input_.initial_warmstart + static_cast<size_t>(i) * nv, nv, data.qacc_warmstart.begin());
      batch_.set_world(i, data);
      batch_.seeds()[i] = input_.first_seed + static_cast<uint64_t>(i);
    }
  }

  void add_series(int signature, double* values, std::vector<FieldSeries>& to) const {
    const size_t stride = static_cast<size_t>(state_size(*models_[0], signature));
    for (const auto& part : kParts) {
      if (!(signature & part.bit)) continue;
      to.push_back({batch_.find_field(part.field), values, stride});
      values += state_size(*models_[0], part.bit);
    }
  }

  void read_last_states() {
    Data data(*models_[0]);
    for (int i = 0; output_.last_states && i < input_.nbatch; ++i) {
      batch_.get_world(i, data);
      get_state(*models_[0], data, output_.last_states + static_cast<size_t>(i) * nstate_, kStateFullPhysics);
    }
  }

  // Without resets, a world that goes bad stays so.
  int64_t count_diverged() const {
    int64_t steps = 0;
    for (int i = 0; i < input_.nbatch && models_[0]->opt.disabled(kDisableAutoReset); ++i) {
      if (batch_.diverged_at()[i] >= 0) steps += batch_.steps_taken()[i] - batch_.diverged_at()[i];
    }
    return steps;
  }

  const std::vector<const Model*>& models_;
  const RolloutInput& input_;
  const RolloutOutput& output_;
  Batch batch_;
  const size_t nstate_;
  std::vector<FieldSeries> controls_, records_;
  BatchSteps call_;
  std::atomic<bool> stop_{false};
  std::atomic<int64_t> done_{0};
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
  if (input.nbatch == 0) return 0;
  Rollout all(models, input, output, options.wide);
  if (options.progress)
    run_and_report(all, options.threads, options.progress);
  else
    all.run(options.threads);
  return all.bad();
}

}  // namespace torsor
