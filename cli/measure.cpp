// Rounds of steps from the same pose, timed one by one.
#include "cli/measure.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "torsor/batch/batch.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Calls prepare(), then times work(), until the time is used up; at least three times. The first round warms up caches.
template <class Prepare, class Work>
std::vector<double> time_rounds(const MeasureOptions& options, const Interrupt& interrupt, Prepare prepare, Work work) {
  constexpr size_t kFewestRounds = 4;
  std::vector<double> rounds;
  const Clock::time_point begin = Clock::now();
  while (rounds.size() < kFewestRounds || seconds_since(begin) < options.seconds) {
    prepare();
    const Clock::time_point start = Clock::now();
    work();
    rounds.push_back(seconds_since(start));
    if (interrupt.requested()) break;
  }
  if (rounds.size() > 1) rounds.erase(rounds.begin());
  return rounds;
}

Pace pace_of(std::vector<double> rounds, double steps) {
  std::sort(rounds.begin(), rounds.end());
  return {rounds[rounds.size() / 2] / steps, rounds.front() / steps, static_cast<int>(rounds.size())};
}

double per_step(const Data& data, Timer timer) {
  const int64_t steps = data.timer[static_cast<int>(Timer::kStep)].number;
  return steps > 0 ? data.timer[static_cast<int>(timer)].duration / static_cast<double>(steps) : 0;
}

// Timers nest, and the Runge-Kutta integrator runs the forward stages inside of its own: so its own share is what is
// left of the step.
std::vector<StageTime> stages_of(const Data& data) {
  const auto time = [&](Timer timer) { return per_step(data, timer); };
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

// The same start for every world.
void start_worlds(const Model& model, const RunSettings& settings, Batch& batch) {
  Data data(model);
  settings.start(model, data);
  const auto spread = [&](const char* field, const Field<double>& values) {
    std::vector<double> all;
    for (int world = 0; world < batch.nworld(); ++world) all.insert(all.end(), values.begin(), values.end());
    if (!all.empty()) batch.set(field, all.data());
  };
  batch.reset();
  spread("qpos", data.qpos);
  spread("qvel", data.qvel);
}

}  // namespace

Pace measure_steps(const Model& model, const RunSettings& settings, const MeasureOptions& options,
                   const Interrupt& interrupt) {
  Data data(model);
  const auto rounds = time_rounds(
      options, interrupt, [&] { settings.start(model, data); },
      [&] {
        for (int i = 0; i < options.round_steps; ++i) step(model, data);
      });
  return pace_of(rounds, options.round_steps);
}

std::vector<StageTime> measure_stages(const Model& model, const RunSettings& settings, const MeasureOptions& options,
                                      const Interrupt& interrupt) {
  Data data(model);
  data.timers_on = true;
  TimerCount total[static_cast<int>(Timer::kCount)];
  time_rounds(
      options, interrupt, [&] { settings.start(model, data); },
      [&] {
        for (int i = 0; i < options.round_steps; ++i) step(model, data);
        for (int i = 0; i < static_cast<int>(Timer::kCount); ++i) {  // the next start clears them
          total[i].duration += data.timer[i].duration;
          total[i].number += data.timer[i].number;
        }
      });
  std::copy(std::begin(total), std::end(total), data.timer);
  return stages_of(data);
}

LanePace measure_lanes(const Model& model, const RunSettings& settings, const MeasureOptions& options,
                       const Interrupt& interrupt) {
  constexpr int kPacks = 16;
  const int lanes = kernels().lanes->lanes;
  const int worlds = options.worlds > 0 ? options.worlds : kPacks * lanes;
  Batch batch(model, worlds);
  const auto rounds = time_rounds(
      options, interrupt, [&] { start_worlds(model, settings, batch); },
      [&] { batch.step(options.round_steps, options.threads); });
  return {pace_of(rounds, static_cast<double>(options.round_steps) * worlds), lanes, worlds, options.threads};
}

}  // namespace torsor::cli
