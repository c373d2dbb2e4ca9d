// Rounds of steps from the same pose, timed one by one.
#include "cli/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

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

// A quantile of sorted numbers, interpolated between two of them.
double quantile(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  const double next = sorted[std::min(below + 1, sorted.size() - 1)];
  return sorted[below] + (place - static_cast<double>(below)) * (next - sorted[below]);
}

Pace pace_of(std::vector<double> rounds, double steps) {
  if (rounds.empty()) return {};
  std::sort(rounds.begin(), rounds.end());
  return {static_cast<int>(rounds.size()), quantile(rounds, 0.5) / steps, rounds.front() / steps,
          quantile(rounds, 0.25) / steps, quantile(rounds, 0.75) / steps};
}

// Timers nest, and Runge-Kutta integrators run the forward stages inside the integrator's timer, so the integrator's
// own time is the rest of the step.
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

// Rounds of one world; the timers are those of the fastest round.
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

// Rounds of many worlds, which differ in their velocities, so that they do not all touch alike.
class ManyWorlds {
 public:
  ManyWorlds(const Model& model, const RunSettings& settings, int worlds) : batch_(model, worlds) {
    constexpr double kScatter = 0.1;  // m/s or rad/s
    int number = 0;
    Data data(model);
    settings.start(model, data);
    for (int world = 0; world < worlds; ++world) {
      qpos_.insert(qpos_.end(), data.qpos.begin(), data.qpos.end());
      for (const double v : data.qvel) qvel_.push_back(v + kScatter * std::sin(static_cast<double>(++number)));
    }
  }
  std::vector<BatchPlanRow> plan() const { return batch_.plan(); }

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
                    const Interrupt& interrupt, const MeasureProgress& progress) {
  constexpr int kPacks = 16;
  Measurement result;
  result.lanes = lane_kernels<double>().lanes;
  result.worlds = options.worlds > 0 ? options.worlds : kPacks * result.lanes;
  OneWorld plain(model, settings, false), timed(model, settings, true);
  ManyWorlds many(model, settings, result.worlds);
  result.plan = many.plan();
  const auto fewest = static_cast<size_t>(options.fewest_rounds);
  const auto rounds = [](const auto& measured) { return measured.seconds.size(); };

  // the measurement that has had the least time is next, so that all get many rounds
  const Clock::time_point begin = Clock::now();
  const auto is_behind = [&](const auto& measured, double part) {
    const double used = std::accumulate(measured.seconds.begin(), measured.seconds.end(), 0.0);
    return rounds(measured) == 0 || used <= part * seconds_since(begin) ||
           (seconds_since(begin) >= options.seconds && rounds(measured) < fewest);
  };
  const auto is_finished = [&] {
    const size_t least = std::min({rounds(plain), rounds(timed), rounds(many)});
    return least > 0 && (interrupt.requested() || (least >= fewest && seconds_since(begin) >= options.seconds));
  };
  while (!is_finished()) {
    if (is_behind(plain, 0.4)) plain.run(options.round_steps);
    if (is_behind(timed, 0.2)) timed.run(options.round_steps);
    if (is_behind(many, 0.4)) many.run(options.round_steps, options.threads);
    const double least = static_cast<double>(std::min({rounds(plain), rounds(timed), rounds(many)}));
    const double part =
        std::min(seconds_since(begin) / std::max(options.seconds, 1e-9), least / static_cast<double>(fewest));
    progress(std::min(part, 1.0), pace_of(plain.seconds, options.round_steps));
  }
  result.one_world = pace_of(plain.seconds, options.round_steps);
  result.in_lanes = pace_of(many.seconds, static_cast<double>(options.round_steps) * result.worlds);
  result.stages = timed.stages;
  return result;
}

}  // namespace torsor::cli
