// torsor inspect: what is in a model, as tables or as JSON.
#include <memory>
#include <string>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/inspection.hpp"
#include "cli/model_source.hpp"
#include "cli/terminal.hpp"

namespace torsor::cli {
namespace {

struct InspectArguments {
  ModelSource source;
  bool json = false;
};

int inspect(const InspectArguments& arguments) {
  const Model model = arguments.source.load();
  const Terminal terminal(stdout);
  terminal.write(arguments.json ? inspection_json(model) : inspection_tables(model, terminal));
  return kExitOk;
}

}  // namespace

void add_inspect(Program& program) {
  const auto arguments = std::make_shared<InspectArguments>();
  CLI::App* command = program.add_command("inspect", "Show what is in a model: bodies, joints, dofs, masses",
                                          "  torsor inspect robot.xml\n"
                                          "  torsor inspect robot.xml --ignore actuator,sensor\n"
                                          "  torsor inspect robot.xml --json | jq .totals.mass\n",
                                          "0 success, 1 error, 2 wrong usage");
  arguments->source.add_to(*command);
  command->add_flag("--json", arguments->json, "Print JSON instead of tables");
  command->callback([&program, arguments] { program.run = [arguments] { return inspect(*arguments); }; });
}

}  // namespace torsor::cli
