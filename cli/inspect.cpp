// torsor inspect: prints the contents of a model as tables or JSON.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.hpp"
#include "cli/inspection.hpp"
#include "cli/model_source.hpp"
#include "cli/terminal.hpp"
#include "cli/validators.hpp"

namespace torsor::cli {
namespace {

struct InspectArguments {
  ModelSource source;
  std::vector<std::string> tables;
  bool json = false;
};

int inspect(const InspectArguments& arguments) {
  const Model model = arguments.source.load();
  const Terminal terminal(stdout);
  terminal.write(arguments.json ? inspection_json(model, arguments.tables)
                                : inspection_tables(model, terminal, arguments.tables));
  return kExitOk;
}

}  // namespace

void add_inspect(Program& program) {
  const auto arguments = std::make_shared<InspectArguments>();
  CLI::App* command =
      program.add_command("inspect", "Show what is in a model: bodies, joints, geoms, actuators, sensors, ...",
                          "  torsor inspect robot.xml\n"
                          "  torsor inspect robot.xml --tables actuators,sensors\n"
                          "  torsor inspect robot.xml --json | jq .totals.mass\n",
                          "0 success, 1 error, 2 usage error");
  arguments->source.add_to(*command);
  std::vector<std::string> names;
  for (const InspectSection& section : inspect_sections()) names.emplace_back(section.key);
  command
      ->add_option("--tables", arguments->tables,
                   fmt::format("Print only these tables, of {} (default: all)", fmt::join(names, ", ")))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(one_of("table", names))
      ->option_text("NAME,...");
  command->add_flag("--json", arguments->json, "Print JSON instead of tables");
  command->callback([&program, arguments] { program.run = [arguments] { return inspect(*arguments); }; });
}

}  // namespace torsor::cli
