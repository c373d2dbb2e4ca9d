// torsor bench: steps per second of a model, the time of each stage, and the gain from lanes.
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
  bool json = false, batch = false;
};

const char* integrator_of(const Model& model) { return name_of(static_cast<Integrator>(model.opt.integrator)); }

std::string to_json(const BenchArguments& arguments, const Model& model, const Measurement& result) {
  Json stages = Json::object();
  for (const StageTime& stage : result.stages) stages[stage.name] = stage.seconds;
  Json plan = Json::array();
  for (const BatchPlanRow& row : result.plan)
    plan.push_back({{"stage", row.stage}, {"wide", row.is_wide}, {"why", row.why}});
  const Json json = {
      {"file", arguments.source.file},
      {"bodies", model.nbody},
      {"joints", model.njnt},
      {"dofs", model.nv},
      {"integrator", integrator_of(model)},
      {"timestep", model.opt.timestep},
      {"instruction_set", kernels().name},
      {"rounds", result.one_world.rounds},
      {"steps_per_round", arguments.measure.round_steps},
      {"seconds_per_step", result.one_world.median},
      {"best_seconds_per_step", result.one_world.best},
      {"quartiles_of_seconds_per_step", {result.one_world.lower_quartile, result.one_world.upper_quartile}},
      {"steps_per_second", 1 / result.one_world.median},
      {"real_time_factor", model.opt.timestep / result.one_world.median},
      {"stage_seconds_per_step", stages},
      {"lanes",
       {{"width", result.lanes},
        {"worlds", result.worlds},
        {"threads", arguments.measure.threads},
        {"rounds", result.in_lanes.rounds},
        {"world_steps_per_second", 1 / result.in_lanes.median},
        {"best_seconds_per_world_step", result.in_lanes.best},
        {"quartiles_of_seconds_per_world_step", {result.in_lanes.lower_quartile, result.in_lanes.upper_quartile}},
        {"speedup", result.one_world.median / result.in_lanes.median},
        {"plan", plan}}},
  };
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

constexpr double kUnsteady = 0.1;  // spread beyond which a median is unreliable

std::string describe_rounds(const Pace& pace, int steps) {
  return fmt::format("median of {} of {} steps, +-{:.1f} % (quartiles {} to {}), best {}",
                     format_plural(pace.rounds, "round", "rounds"), steps, 100 * pace.spread(),
                     format_duration(pace.lower_quartile), format_duration(pace.upper_quartile),
                     format_duration(pace.best));
}

// "lane by lane: contacts and rows, constraint solver"
std::string describe_plan(const std::vector<BatchPlanRow>& plan) {
  std::string names;
  for (const BatchPlanRow& row : plan) {
    if (!row.is_wide) names += (names.empty() ? "" : ", ") + row.stage;
  }
  return names.empty() ? "all stages run wide" : fmt::format("lane by lane: {} (--batch says why)", names);
}

std::string plan_table(const Measurement& result, const Terminal& terminal) {
  Table table({{"stage of a batch"}, {"runs"}, {"because"}});
  for (const BatchPlanRow& row : result.plan) table.add({row.stage, row.is_wide ? "wide" : "lane by lane", row.why});
  return fmt::format("\n{}", table.text(terminal));
}

std::string summary(const BenchArguments& arguments, const Model& model, const Measurement& result,
                    const Terminal& terminal) {
  Table table({{}, {}});
  table.add({"model", fmt::format("{}: {}", printable(arguments.source.file), describe_size(model))});
  table.add({"method", fmt::format("{}, timestep {} s, {}", integrator_of(model), format_number(model.opt.timestep),
                                   kernels().name)});
  table.add({"one world", fmt::format("{} steps/s, {} per step, {} real time", format_rate(1 / result.one_world.median),
                                      format_duration(result.one_world.median),
                                      format_factor(model.opt.timestep / result.one_world.median))});
  table.add({"", describe_rounds(result.one_world, arguments.measure.round_steps)});
  table.add({"lanes", fmt::format("{} steps/s with {} worlds, {} per pack, {}: {} the speed of one world",
                                  format_rate(1 / result.in_lanes.median), result.worlds, result.lanes,
                                  format_plural(arguments.measure.threads, "thread", "threads"),
                                  format_factor(result.one_world.median / result.in_lanes.median))});
  table.add({"", describe_rounds(result.in_lanes, arguments.measure.round_steps)});
  table.add({"", describe_plan(result.plan)});
  if (result.one_world.spread() > kUnsteady || result.in_lanes.spread() > kUnsteady)
    table.add({"note", "the rounds differ much: the machine is busy or changes its clock; try --time 30"});
  return table.text(terminal);
}

std::string stage_table(const Measurement& result, const Terminal& terminal) {
  Table table({{"stage"}, {"time", Align::kRight}, {"share", Align::kRight}});
  const double whole = result.stages.front().seconds;
  for (const StageTime& stage : result.stages) {
    table.add({std::string(static_cast<size_t>(2 * stage.depth), ' ') + stage.name, format_duration(stage.seconds),
               fmt::format("{:.1f} %", whole > 0 ? 100 * stage.seconds / whole : 0)});
  }
  return fmt::format(
      "\n{}{}\n", table.text(terminal),
      terminal.paint(Style::kDim, "(of the fastest round with timers, which cost a few clock reads per step)"));
}

Measurement measure_with_progress(const Model& model, const BenchArguments& arguments, const Interrupt& interrupt) {
  const Terminal errors(stderr);
  ProgressBar bar(errors);
  bar.show(0, "first round");
  return measure(model, arguments.settings, arguments.measure, interrupt, [&](double part, const Pace& one_world) {
    bar.show(part, fmt::format("{}, {} per step", format_plural(one_world.rounds, "round", "rounds"),
                               format_duration(one_world.median)));
  });
}

int bench(const BenchArguments& arguments) {
  if (!arguments.isa.empty()) use_kernels(arguments.isa);
  Model model = arguments.source.load();
  arguments.settings.apply(model);
  const Terminal terminal(stdout);
  const Interrupt interrupt;
  const Measurement result = measure_with_progress(model, arguments, interrupt);
  terminal.write(arguments.json ? to_json(arguments, model, result)
                                : summary(arguments, model, result, terminal) + stage_table(result, terminal) +
                                      (arguments.batch ? plan_table(result, terminal) : ""));
  return interrupt.requested() ? kExitInterrupted : kExitOk;
}

}  // namespace

void add_bench(Program& program) {
  const auto arguments = std::make_shared<BenchArguments>();
  CLI::App* command =
      program.add_command("bench", "Measure steps per second of one world and of many, and the time of each stage",
                          "  torsor bench robot.xml\n"
                          "  torsor bench robot.xml --isa avx2 --threads 4 --json\n",
                          "0 success, 1 error, 2 usage error, 130 interrupted with Ctrl-C; prints what was measured");
  arguments->source.add_to(*command);
  MeasureOptions& measure = arguments->measure;
  command->add_option("-t,--time", measure.seconds, "Time budget for all measurements in seconds (default 5)")
      ->type_name("SECONDS")
      ->check(between(0, 1e6));
  command
      ->add_option("--rounds", measure.fewest_rounds,
                   "Take at least this many rounds, even beyond the time budget (default 5)")
      ->type_name("N")
      ->check(whole(1, 1e6));
  command->add_option("-n,--steps", measure.round_steps, "Steps per round (default 500)")
      ->type_name("N")
      ->check(whole(1, 1e6));
  arguments->settings.add_to(*command);
  command
      ->add_option("--isa", arguments->isa, "Instruction set: baseline, avx2 or avx512 (default: the best available)")
      ->type_name("NAME")
      ->transform(one_of("instruction set", {"baseline", "avx2", "avx512"}));
  command->add_option("--worlds", measure.worlds, "Number of worlds stepped in lanes (default: 16 packs)")
      ->type_name("N")
      ->check(whole(1, 1e6));
  command->add_option("--threads", measure.threads, "Threads for the worlds in lanes (default 1)")
      ->type_name("N")
      ->check(whole(1, 1024));
  command->add_flag("--batch", arguments->batch,
                    "Also print which stages of a batch run wide, and why others run lane by lane");
  command->add_flag("--json", arguments->json, "Print JSON instead of tables");
  command->callback([&program, arguments] { program.run = [arguments] { return bench(*arguments); }; });
}

}  // namespace torsor::cli
