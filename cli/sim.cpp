// torsor sim: simulates a model and prints a summary; the trajectory goes to a CSV file.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/diagnosis.hpp"
#include "cli/interrupt.hpp"
#include "cli/model_source.hpp"
#include "cli/names.hpp"
#include "cli/numbers.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/trajectory.hpp"
#include "cli/validators.hpp"
#include "cli/warnings.hpp"
#include "torsor/dynamics/dispatch.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/sim/sim.hpp"
#include "torsor/view/replay.hpp"

namespace torsor::cli {
namespace {

constexpr double kDefaultDuration = 10;  // s
constexpr double kMostSteps = 1e15;

struct SimArguments {
  ModelSource source;
  RunSettings settings;
  double duration = kDefaultDuration;
  int64_t steps = -1;
  std::string csv;
  int64_t every = 1;
  std::string replay;
  double fps = view::ReplayOptions{}.fps;
  bool diagnose = false;
};

// The outcome of a run.
struct Outcome {
  int64_t steps = 0;
  double seconds = 0;  // of computing
  bool interrupted = false;
  bool diverged = false;
  WarningTally warnings;
};

int64_t steps_to_run(const SimArguments& arguments, const Model& model) {
  if (arguments.steps >= 0) return arguments.steps;
  // the number of steps that reaches the duration, without an extra one due to rounding
  const double steps = std::ceil(arguments.duration / model.opt.timestep * (1 - 1e-12));
  if (!(steps < kMostSteps)) throw Error("the duration needs too many steps: shorten it or lengthen the timestep");
  return static_cast<int64_t>(steps);
}

Outcome run(const Model& model, Data& data, int64_t steps, int64_t every, Trajectory* trajectory,
            view::Recorder* replay, Diagnosis* diagnosis) {
  constexpr int64_t kStepsBetweenLooks = 32;  // at the clock
  const Interrupt interrupt;
  const Terminal terminal(stderr);
  ProgressBar bar(terminal);
  Outcome outcome;
  const auto start = std::chrono::steady_clock::now();
  if (trajectory) trajectory->write(data);
  if (replay) replay->offer(data);
  while (outcome.steps < steps && !outcome.interrupted && !outcome.diverged) {
    const Status status = step(model, data);
    require_memory(model, data);
    ++outcome.steps;
    if (diagnosis) diagnosis->take(data);
    if (status != Status::kOk) outcome.warnings.take(data);
    outcome.diverged = status == Status::kDiverged;
    outcome.interrupted = interrupt.requested() && outcome.steps < steps;
    const bool last = outcome.steps == steps || outcome.interrupted || outcome.diverged;
    if (trajectory && (last || outcome.steps % every == 0)) trajectory->write(data);
    if (replay && !outcome.diverged) replay->offer(data);
    if (outcome.steps % kStepsBetweenLooks == 0)
      bar.show(static_cast<double>(outcome.steps) / static_cast<double>(steps),
               fmt::format("time {:.3f} s", data.time));
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (trajectory) trajectory->close();
  return outcome;
}

// Potential and kinetic energy of the current state.
struct Energy {
  Energy(const Model& model, Data& data) {
    forward(model, data);
    compute_energy_position(model, data);
    compute_energy_velocity(model, data);
    potential = data.energy[0];
    kinetic = data.energy[1];
  }
  double total() const { return potential + kinetic; }

  double potential, kinetic;
};

std::string describe_time(const Outcome& outcome, int64_t wanted, const Data& data) {
  const std::string steps = fmt::format("{} s after {} steps", format_number(data.time), format_count(outcome.steps));
  if (outcome.interrupted) return fmt::format("{} of {}: interrupted", steps, format_count(wanted));
  if (outcome.diverged) return fmt::format("{} of {}: diverged", steps, format_count(wanted));
  return steps;
}

void print_summary(const SimArguments& arguments, const Model& model, const Data& data, const Outcome& outcome,
                   int64_t wanted, const Energy& before, const Energy& after, const Trajectory* trajectory,
                   const std::string& replay) {
  const Terminal terminal(arguments.csv == "-" ? stderr : stdout);
  const double rate = static_cast<double>(outcome.steps) / outcome.seconds;
  Table table({{}, {}});
  table.add({"model", fmt::format("{}: {}", printable(arguments.source.file), describe_size(model))});
  table.add({"method", fmt::format("{}, timestep {} s, {}", name_of(static_cast<Integrator>(model.opt.integrator)),
                                   format_number(model.opt.timestep), kernels().name)});
  table.add({"time", describe_time(outcome, wanted, data)});
  table.add({"energy",
             fmt::format("{} J (potential {}, kinetic {}), was {} J", format_number(after.total()),
                         format_number(after.potential), format_number(after.kinetic), format_number(before.total()))});
  if (outcome.steps > 0)
    table.add({"speed", fmt::format("{} elapsed, {} steps/s, {} real time", format_duration(outcome.seconds),
                                    format_rate(rate), format_factor(rate * model.opt.timestep))});
  if (trajectory) table.add({"trajectory", trajectory->describe()});
  if (!replay.empty()) table.add({"replay", replay});
  for (const std::string& line : outcome.warnings.describe(model)) table.add({"warning", line});
  if (outcome.warnings.empty()) table.add({"warnings", "none"});
  terminal.write(table.text(terminal));
}

// Null without --replay.
std::unique_ptr<view::Recorder> make_recorder(const SimArguments& arguments, const Model& model) {
  if (arguments.replay.empty()) return nullptr;
  check_not_same_file(arguments.source.file, arguments.replay);
  view::ReplayOptions options;
  options.fps = arguments.fps;
  return std::make_unique<view::Recorder>(model, options, arguments.source.textures());
}

// Writes the file and says what it has: "out.html: 601 frames, 1.2 MB".
std::string save_replay(const SimArguments& arguments, const view::Recorder* recorder) {
  if (!recorder) return {};
  recorder->save(arguments.replay);
  const double bytes = static_cast<double>(std::filesystem::file_size(arguments.replay));
  return fmt::format("{}: {} frames, {:.1f} MB", printable(arguments.replay), format_count(recorder->frames()),
                     bytes / 1e6);
}

int simulate(const SimArguments& arguments) {
  Model model = arguments.source.load();
  arguments.settings.apply(model);
  Data data(model);
  if (arguments.diagnose) Diagnosis::prepare(model, data);
  arguments.settings.start(model, data);
  const int64_t wanted = steps_to_run(arguments, model);
  const Energy before(model, data);
  std::unique_ptr<Trajectory> trajectory;
  if (!arguments.csv.empty()) {
    check_not_same_file(arguments.source.file, arguments.csv);
    trajectory = std::make_unique<Trajectory>(model, arguments.csv);
  }
  const std::unique_ptr<view::Recorder> recorder = make_recorder(arguments, model);
  Diagnosis diagnosis;
  const Outcome outcome = run(model, data, wanted, arguments.every, trajectory.get(), recorder.get(),
                              arguments.diagnose ? &diagnosis : nullptr);
  const Energy after(model, data);
  const std::string replay = save_replay(arguments, recorder.get());
  print_summary(arguments, model, data, outcome, wanted, before, after, trajectory.get(), replay);
  if (arguments.diagnose) {
    const Terminal terminal(arguments.csv == "-" ? stderr : stdout);
    terminal.write(diagnosis.page(model, data, terminal));
  }
  if (outcome.interrupted) return kExitInterrupted;
  return outcome.warnings.empty() ? kExitOk : kExitDiverged;
}

}  // namespace

void add_sim(Program& program) {
  const auto arguments = std::make_shared<SimArguments>();
  CLI::App* command =
      program.add_command("sim", "Simulate a model and print a summary",
                          "  torsor sim robot.xml --duration 5\n"
                          "  torsor sim robot.xml --steps 1000 --keyframe home --integrator rk4 --csv run.csv\n"
                          "  torsor sim robot.xml --replay run.html\n",
                          "0 success, 1 error, 2 usage error, 3 the simulation diverged, 130 interrupted with Ctrl-C");
  arguments->source.add_to(*command);
  auto* duration = command->add_option("-d,--duration", arguments->duration, "Simulated time in seconds (default 10)")
                       ->option_text("SECONDS")
                       ->check(at_least(0));
  command->add_option("-n,--steps", arguments->steps, "Number of steps (instead of --duration)")
      ->option_text("N")
      ->check(whole(0, kMostSteps))
      ->excludes(duration);
  arguments->settings.add_to(*command);
  command->add_option("--csv", arguments->csv, "Write time, qpos and qvel as CSV to this file; - for standard output")
      ->type_name("OUT");
  command->add_option("--every", arguments->every, "Write one row every N steps (default 1)")
      ->type_name("N")
      ->check(whole(1, kMostSteps));
  command->add_option("--replay", arguments->replay, "Write a replay to this HTML file, which any browser plays")
      ->type_name("OUT");
  command->add_option("--fps", arguments->fps, "Frames of the replay per second of simulated time (default 60)")
      ->type_name("N")
      ->check(more_than(0));
  command->add_flag("--diagnose", arguments->diagnose,
                    "Also print the time of each stage, solver statistics, the difference between forward and inverse "
                    "dynamics, and memory use");
  command->callback([&program, arguments] { program.run = [arguments] { return simulate(*arguments); }; });
}

}  // namespace torsor::cli
