// torsor rollout: many runs of a model from perturbed states under random controls, on all cores.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/model_source.hpp"
#include "cli/names.hpp"
#include "cli/numbers.hpp"
#include "cli/rollout_cluster.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/trajectory.hpp"
#include "cli/validators.hpp"
#include "torsor/batch/rollout.hpp"
#include "torsor/core/parallel.hpp"
#include "torsor/dynamics/dispatch.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::cli {
namespace {

struct RolloutArguments {
  ModelSource source;
  RunSettings settings;
  int count = 100;
  int steps = 500;
  int threads = 0;
  double spread = 0;
  bool random_controls = false;
  uint64_t seed = 0;
  std::string csv;
  ClusterOptions cluster;
};

// Initial states and controls of the runs; determined by the seed.
struct Scattered {
  Scattered(const Model& model, const RolloutArguments& arguments) {
    Data data(model);
    arguments.settings.start(model, data);
    nstate = static_cast<size_t>(state_size(model, kStateFullPhysics));
    states.resize(static_cast<size_t>(arguments.count) * nstate);
    std::mt19937_64 generator(arguments.seed);
    std::normal_distribution<double> normal;
    const std::vector<double> qvel(data.qvel.begin(), data.qvel.end());
    for (int i = 0; i < arguments.count; ++i) {
      for (int k = 0; k < model.nv; ++k)
        data.qvel[k] = qvel[static_cast<size_t>(k)] + arguments.spread * normal(generator);
      get_state(model, data, states.data() + static_cast<size_t>(i) * nstate, kStateFullPhysics);
    }
    fill_controls(model, data, arguments, generator);
  }

  // Uniform in their ranges, or between -1 and 1; without --random, those of the initial state.
  void fill_controls(const Model& model, const Data& data, const RolloutArguments& arguments,
                     std::mt19937_64& generator) {
    if (model.nu == 0) return;
    // a cluster is sent the same controls once
    const bool is_one_for_all = !arguments.random_controls && !arguments.cluster.address.empty();
    const size_t rows =
        is_one_for_all ? 1 : static_cast<size_t>(arguments.count) * static_cast<size_t>(arguments.steps);
    controls.reserve(rows * static_cast<size_t>(model.nu));
    for (size_t row = 0; row < rows; ++row) {
      for (int u = 0; u < model.nu; ++u) {
        const bool limited = model.actuator_ctrllimited[u];
        const double low = limited ? model.actuator_ctrlrange[2 * u] : -1;
        const double high = limited ? model.actuator_ctrlrange[2 * u + 1] : 1;
        controls.push_back(arguments.random_controls ? std::uniform_real_distribution(low, high)(generator)
                                                     : data.ctrl[u]);
      }
    }
  }

  size_t nstate;
  std::vector<double> states, controls;
};

struct Stopped {};

struct RolloutOutcome {
  double seconds = 0;
  int64_t steps = 0, bad = 0;
  bool interrupted = false;
};

RolloutOutcome run(const Model& model, const RolloutArguments& arguments, const Scattered& start, double* last_states,
                   const Interrupt& interrupt) {
  const Terminal terminal(stderr);
  ProgressBar bar(terminal);
  RolloutOutcome outcome;
  const double all = static_cast<double>(arguments.count) * arguments.steps;
  const auto report = [&](int64_t steps) {
    outcome.steps = steps;
    bar.show(static_cast<double>(steps) / std::max(all, 1.0), fmt::format("{} steps", format_count(steps)));
    if (interrupt.requested()) throw Stopped{};
  };
  const auto begin = std::chrono::steady_clock::now();
  try {
    const RolloutInput input{arguments.count, arguments.steps, start.states.data(), start.controls.data(), nullptr};
    outcome.bad = rollout({&model}, input, {nullptr, nullptr, last_states}, {arguments.threads, report});
  } catch (const Stopped&) {
    outcome.interrupted = true;
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

std::string model_text(const RolloutArguments& arguments, const Model& model) {
  return fmt::format("{}: {}", printable(arguments.source.file), describe_size(model));
}

std::string method_text(const Model& model) {
  return fmt::format("{}, timestep {} s, {}", name_of(static_cast<Integrator>(model.opt.integrator)),
                     format_number(model.opt.timestep), kernels().name);
}

void print_summary(const RolloutArguments& arguments, const Model& model, const RolloutOutcome& outcome) {
  const Terminal terminal(arguments.csv == "-" ? stderr : stdout);
  const int threads = thread_count(arguments.count, arguments.threads);
  const double rate = static_cast<double>(outcome.steps) / outcome.seconds;
  Table table({{}, {}});
  table.add({"model", model_text(arguments, model)});
  table.add({"method", method_text(model)});
  table.add({"rollouts", fmt::format("{} of {} steps{}", format_count(arguments.count), format_count(arguments.steps),
                                     outcome.interrupted ? ": interrupted" : "")});
  if (outcome.steps > 0)
    table.add({"speed", fmt::format("{} on {}, {} steps/s, {} real time", format_duration(outcome.seconds),
                                    format_plural(threads, "thread", "threads"), format_rate(rate),
                                    format_factor(rate * model.opt.timestep))});
  table.add({outcome.bad > 0 ? "warning" : "warnings",
             outcome.bad > 0
                 ? fmt::format("bad numbers in {} steps, which reset their simulation", format_count(outcome.bad))
                 : std::string("none")});
  terminal.write(table.text(terminal));
}

void write_last_states(const RolloutArguments& arguments, const Model& model, const std::vector<double>& states) {
  Trajectory trajectory(model, arguments.csv);
  Data data(model);
  const size_t nstate = static_cast<size_t>(state_size(model, kStateFullPhysics));
  for (size_t row = 0; row < static_cast<size_t>(arguments.count); ++row) {
    set_state(model, data, states.data() + row * nstate, kStateFullPhysics);
    trajectory.write(data);
  }
  trajectory.close();
}

// The last part of a job on a cluster: Python has run it and starts the program again.
int write_finished(const RolloutArguments& arguments, const Model& model) {
  const std::vector<double> states = read_finished_states(arguments.cluster.finished);
  const size_t nstate = static_cast<size_t>(state_size(model, kStateFullPhysics));
  if (states.size() != static_cast<size_t>(arguments.count) * nstate)
    throw Error(fmt::format("{} has other states than this command", arguments.cluster.finished));
  write_last_states(arguments, model, states);
  return kExitOk;
}

int roll_out(const RolloutArguments& arguments, const std::vector<std::string>& words) {
  Model model = arguments.source.load();
  arguments.settings.apply(model);
  if (!arguments.csv.empty()) check_not_same_file(arguments.source.file, arguments.csv);
  if (!arguments.cluster.finished.empty()) return write_finished(arguments, model);
  if (!arguments.cluster.address.empty()) {
    const Scattered start(model, arguments);
    const ClusterJob job{model,
                         arguments.count,
                         arguments.steps,
                         start.states,
                         start.controls,
                         model_text(arguments, model),
                         method_text(model),
                         arguments.csv,
                         words};
    return run_on_cluster(job, arguments.cluster);
  }
  const Interrupt interrupt;  // from here on, because drawing many controls takes a while
  const Scattered start(model, arguments);
  std::vector<double> last_states(start.states.size());
  const RolloutOutcome outcome = run(model, arguments, start, last_states.data(), interrupt);
  if (!arguments.csv.empty() && !outcome.interrupted) write_last_states(arguments, model, last_states);
  print_summary(arguments, model, outcome);
  if (outcome.interrupted) return kExitInterrupted;
  return outcome.bad > 0 ? kExitDiverged : kExitOk;
}

}  // namespace

void add_rollout(Program& program) {
  const auto arguments = std::make_shared<RolloutArguments>();
  CLI::App* command =
      program.add_command("rollout", "Simulate a model many times from perturbed initial states, on all cores",
                          "  torsor rollout robot.xml --count 1000 --spread 0.1\n"
                          "  torsor rollout robot.xml --keyframe home --random --steps 200 --seed 7 --csv last.csv\n"
                          "  torsor rollout robot.xml --count 100000 --random --cluster auto --checkpoint done/\n",
                          "0 success, 1 error, 2 usage error, 3 a simulation diverged, 130 interrupted with Ctrl-C");
  arguments->source.add_to(*command);
  command->add_option("-c,--count", arguments->count, "Number of rollouts (default 100)")
      ->type_name("N")
      ->check(whole(1, 1e7));
  command->add_option("-n,--steps", arguments->steps, "Steps per rollout (default 500)")
      ->type_name("N")
      ->check(whole(0, 1e9));
  command->add_option("--threads", arguments->threads, "Threads (default: one per core)")
      ->type_name("N")
      ->check(whole(1, 1024));
  command->add_option("--spread", arguments->spread, "Standard deviation of the initial velocities (default 0)")
      ->type_name("SPEED")
      ->check(at_least(0));
  command->add_flag("--random", arguments->random_controls, "Apply random controls in every step, within their ranges");
  command->add_option("--seed", arguments->seed, "Seed of velocities and controls (default 0)")
      ->type_name("N")
      ->check(whole(0, 9007199254740992));  // the largest up to which a double holds every whole number
  arguments->settings.add_to(*command);
  command
      ->add_option("--csv", arguments->csv,
                   "Write the final time, qpos and qvel of every rollout as CSV; - for standard output")
      ->type_name("OUT");
  arguments->cluster.add_to(*command);
  command->callback([&program, arguments] {
    program.run = [arguments, words = program.words] { return roll_out(*arguments, words); };
  });
}

}  // namespace torsor::cli
