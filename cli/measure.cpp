// Rounds of steps from the same pose, timed one by one.
#include "cli/measure.hpp"

#include <algorithm>
#include <chrono>

#include "torsor/batch/batch.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

template <class Work>
double time_of(Work work) {
  const Clock::time_point start = Clock::now();
  work();
  return seconds_since(start);
}

Pace pace_of(std::vector<double> rounds, double steps) {
  std::sort(rounds.begin(), rounds.end());
  return {rounds[rounds.size() / 2] / steps, rounds.front() / steps};
}

// Timers nest, and the Runge-Kutta integrator runs the forward stages inside of its own: so its own share is what is
// left of the step.
std::vector<StageTime> stages_of(const Data& data) {
  const auto time = [&](Timer timer) {
    const auto steps = static_cast<double>(data.timer[static_cast<int>(Timer::kStep)].number);
    return data.timer[static_cast<int>(timer)].duration / steps;
  };
  const double whole = time(Timer::kStep), forward = time(Timer::kForward);
  const double named =
      time(Timer::kPosition) + time(Timer::kVelocity) + time(Timer::kActuation) + time(Timer::kConstraint);
  return {{"step", 0, whole},
          {"position", 1, time(Timer::kPosition)},
          {"kinematics", 2, time(Timer::kKinematics)},
          {"inertia", 2, time(Timer::kInertia)},
          {"velocity", 1, time(Timer::kVelocity)},
          {"actuation", 1, time(Timer::kActuation)},
          {"acceleration", 1, forward - named},
          {"constraint", 1, time(Timer::kConstraint)},
          {"integration", 1, whole - forward}};
}

// Rounds of one world; the timers tell of the quickest.
class OneWorld {
 public:
  OneWorld(const Model& model, const RunSettings& settings, bool with_timers)
      : model_(model), settings_(settings), data_(model) {
    data_.timers_on = with_timers;
  }

  void run(int steps) {
    settings_.start(model_, data_);  // clears the timers too
    seconds.push_back(time_of([&] {
      for (int i = 0; i < steps; ++i) step(model_, data_);
    }));
    if (data_.timers_on && seconds.back() <= *std::min_element(seconds.begin(), seconds.end()))
      stages = stages_of(data_);
  }

  std::vector<double> seconds;
  std::vector<StageTime> stages;

 private:
  const Model& model_;
  const RunSettings& settings_;
  Data data_;
};

// Rounds of many worlds, all from the same start.
class ManyWorlds {
 public:
  ManyWorlds(const Model& model, const RunSettings& settings, int worlds) : batch_(model, worlds) {
    Data data(model);
    settings.start(model, data);
    for (int world = 0; world < worlds; ++world) {
      qpos_.insert(qpos_.end(), data.qpos.begin(), data.qpos.end());
      qvel_.insert(qvel_.end(), data.qvel.begin(), data.qvel.end());
    }
  }

  void run(int steps, int threads) {
    batch_.reset();
    if (!qpos_.empty()) batch_.set("qpos", qpos_.data());
    if (!qvel_.empty()) batch_.set("qvel", qvel_.data());
    seconds.push_back(time_of([&] { batch_.step(steps, threads); }));
  }

  std::vector<double> seconds;

 private:
  Batch batch_;
  std::vector<double> qpos_, qvel_;
};

}  // namespace

Measurement measure(const Model& model, const RunSettings& settings, const MeasureOptions& options,
                    const Interrupt& interrupt) {
  constexpr int kPacks = 16, kFewestRounds = 3;
  Measurement result;
  result.lanes = kernels().lanes->lanes;
  result.worlds = options.worlds > 0 ? options.worlds : kPacks * result.lanes;
  OneWorld plain(model, settings, false), timed(model, settings, true);
  ManyWorlds many(model, settings, result.worlds);

  const Clock::time_point begin = Clock::now();
  do {
    plain.run(options.round_steps);
    timed.run(options.round_steps);
    many.run(options.round_steps, options.threads);
    ++result.rounds;
  } while (!interrupt.requested() && (result.rounds < kFewestRounds || seconds_since(begin) < options.seconds));

  result.one_world = pace_of(plain.seconds, options.round_steps);
  result.in_lanes = pace_of(many.seconds, static_cast<double>(options.round_steps) * result.worlds);
  result.stages = timed.stages;
  return result;
}

}  // namespace torsor::cli
