// torsor bench: steps per second of a model, where the time goes, and what lanes gain.
#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/measure.hpp"
#include "cli/model_source.hpp"
#include "cli/names.hpp"
#include "cli/numbers.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/validators.hpp"
#include "torsor/dynamics/dispatch.hpp"

namespace torsor::cli {
namespace {

using Json = nlohmann::ordered_json;

struct BenchArguments {
  ModelSource source;
  RunSettings settings;
  MeasureOptions measure;
  std::string isa;
  bool json = false;
};

const char* integrator_of(const Model& model) { return name_of(static_cast<Integrator>(model.opt.integrator)); }

std::string to_json(const BenchArguments& arguments, const Model& model, const Measurement& result) {
  Json stages = Json::object();
  for (const StageTime& stage : result.stages) stages[stage.name] = stage.seconds;
  const Json json = {
      {"file", arguments.source.file},
      {"bodies", model.nbody},
      {"joints", model.njnt},
      {"dofs", model.nv},
      {"integrator", integrator_of(model)},
      {"timestep", model.opt.timestep},
      {"instruction_set", kernels().name},
      {"rounds", result.rounds},
      {"steps_per_round", arguments.measure.round_steps},
      {"seconds_per_step", result.one_world.median},
      {"best_seconds_per_step", result.one_world.best},
      {"steps_per_second", 1 / result.one_world.median},
      {"real_time_factor", model.opt.timestep / result.one_world.median},
      {"stage_seconds_per_step", stages},
      {"lanes",
       {{"width", result.lanes},
        {"worlds", result.worlds},
        {"threads", arguments.measure.threads},
        {"world_steps_per_second", 1 / result.in_lanes.median},
        {"speedup", result.one_world.median / result.in_lanes.median}}},
  };
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string summary(const BenchArguments& arguments, const Model& model, const Measurement& result,
                    const Terminal& terminal) {
  Table table({{}, {}});
  table.add({"model", fmt::format("{}: {}", printable(arguments.source.file), describe_size(model))});
  table.add({"method", fmt::format("{}, timestep {} s, {}", integrator_of(model), format_number(model.opt.timestep),
                                   kernels().name)});
  table.add({"one world",
             fmt::format("{} steps/s, {} a step (best {}), {} real time", format_rate(1 / result.one_world.median),
                         format_duration(result.one_world.median), format_duration(result.one_world.best),
                         format_factor(model.opt.timestep / result.one_world.median))});
  table.add({"lanes", fmt::format("{} steps/s, {} worlds, {} to a pack, {}: {} one world",
                                  format_rate(1 / result.in_lanes.median), result.worlds, result.lanes,
                                  format_plural(arguments.measure.threads, "thread", "threads"),
                                  format_factor(result.one_world.median / result.in_lanes.median))});
  table.add({"measured", fmt::format("median of {} rounds of {} steps", result.rounds, arguments.measure.round_steps)});
  return table.text(terminal);
}

std::string stage_table(const Measurement& result, const Terminal& terminal) {
  Table table({{"stage"}, {"time", Align::kRight}, {"part", Align::kRight}});
  const double whole = result.stages.front().seconds;
  for (const StageTime& stage : result.stages) {
    table.add({std::string(static_cast<size_t>(2 * stage.depth), ' ') + stage.name, format_duration(stage.seconds),
               fmt::format("{:.1f} %", whole > 0 ? 100 * stage.seconds / whole : 0)});
  }
  return fmt::format("\n{}{}\n", table.text(terminal),
                     terminal.paint(Style::kDim, "(the quickest round with timers on, which cost a little)"));
}

int bench(const BenchArguments& arguments) {
  if (!arguments.isa.empty()) use_kernels(arguments.isa);
  Model model = arguments.source.load();
  arguments.settings.apply(model);
  const Terminal terminal(stdout);
  const Interrupt interrupt;
  const Measurement result = measure(model, arguments.settings, arguments.measure, interrupt);
  terminal.write(arguments.json ? to_json(arguments, model, result)
                                : summary(arguments, model, result, terminal) + stage_table(result, terminal));
  return interrupt.requested() ? kExitInterrupted : kExitOk;
}

}  // namespace

void add_bench(Program& program) {
  const auto arguments = std::make_shared<BenchArguments>();
  CLI::App* command =
      program.add_command("bench", "Measure steps per second, the stages of a step, and many worlds in lanes",
                          "  torsor bench robot.xml\n"
                          "  torsor bench robot.xml --isa avx2 --threads 4 --json\n",
                          "0 success, 1 error, 2 wrong usage, 130 ended by Ctrl-C with what was measured");
  arguments->source.add_to(*command);
  MeasureOptions& measure = arguments->measure;
  command->add_option("-t,--time", measure.seconds, "Seconds of measuring (default 3)")
      ->type_name("SECONDS")
      ->check(at_least(0));
  command->add_option("-n,--steps", measure.round_steps, "Steps in a round (default 500)")
      ->type_name("N")
      ->check(between(1, 1e6));
  arguments->settings.add_to(*command);
  command->add_option("--isa", arguments->isa, "Instruction set: baseline, avx2 or avx512 (default: the best)")
      ->type_name("NAME");
  command->add_option("--worlds", measure.worlds, "Worlds in the lanes (default: 16 packs)")
      ->type_name("N")
      ->check(between(1, 1e6));
  command->add_option("--threads", measure.threads, "Threads for the lanes (default 1)")
      ->type_name("N")
      ->check(between(1, 1024));
  command->add_flag("--json", arguments->json, "Print JSON instead of tables");
  command->callback([&program, arguments] { program.run = [arguments] { return bench(*arguments); }; });
}

}  // namespace torsor::cli
