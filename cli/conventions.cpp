// torsor conventions: the conventions of each system, and the differences between two.
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/convention_text.hpp"
#include "cli/rows_option.hpp"
#include "cli/terminal.hpp"

namespace torsor::cli {
namespace {

struct ConventionArguments {
  RowsOption rows;
  bool json = false;
  std::string shown, a, b;
};

int print_table(const ConventionArguments& arguments) {
  const Terminal terminal(stdout);
  const std::vector<Convention> all = list_conventions();
  terminal.write(arguments.json ? convention_table_json(all) : convention_table(all, terminal));
  return kExitOk;
}

int print_page(const ConventionArguments& arguments) {
  const Terminal terminal(stdout);
  const Convention convention = find_convention(arguments.shown);
  terminal.write(arguments.json ? convention_page_json(convention) : convention_page(convention, terminal));
  return kExitOk;
}

int print_differences(const ConventionArguments& arguments) {
  const Terminal terminal(stdout);
  const Convention a = find_convention(arguments.a), b = find_convention(arguments.b);
  terminal.write(arguments.json ? convention_differences_json(a, b) : convention_differences(a, b, terminal));
  return kExitOk;
}

constexpr const char* kExamples =
    "  torsor conventions\n"
    "  torsor conventions show newton\n"
    "  torsor conventions diff isaaclab2 isaaclab3\n"
    "  torsor conventions diff mujoco mylab --rows mylab.json\n"
    "  torsor conventions --json\n";
constexpr const char* kCodes = "0 success, 1 error, 2 usage error";

// A command below `conventions`; options of the parent may follow it.
CLI::App* add_part(CLI::App& parent, const char* name, const char* meaning, const char* example) {
  CLI::App* part = parent.add_subcommand(name, meaning);
  part->set_help_flag("-h,--help", "Print this help and exit");
  part->footer(std::string("--json and --rows FILE work here too.\n\nExamples:\n") + example +
               "\nExit codes: " + kCodes + ".");
  part->fallthrough();
  return part;
}

}  // namespace

void add_conventions(Program& program) {
  const auto arguments = std::make_shared<ConventionArguments>();
  CLI::App* command = program.add_command(
      "conventions", "List the conventions of other systems, show one, or compare two", kExamples, kCodes);
  arguments->rows.add_to(*command);
  command->add_flag("--json", arguments->json, "Print JSON");
  command->require_subcommand(0, 1);
  CLI::App* show = add_part(*command, "show", "Show all cells of a convention, its source, and its worked example",
                            "  torsor conventions show drake\n  torsor conventions show \"physx[axes=z-up]\"\n");
  show->add_option("ID", arguments->shown, "Id of a convention; cells may be set in brackets")
      ->required()
      ->type_name("");
  CLI::App* diff = add_part(*command, "diff", "List the differences between two conventions",
                            "  torsor conventions diff mujoco newton\n");
  diff->add_option("A", arguments->a, "Id of a convention")->required()->type_name("");
  diff->add_option("B", arguments->b, "Id of the convention to compare with")->required()->type_name("");
  command->callback([&program, arguments, show, diff] {
    const auto work = show->parsed() ? print_page : (diff->parsed() ? print_differences : print_table);
    program.run = [arguments, work] {
      arguments->rows.load();
      return work(*arguments);
    };
  });
}

}  // namespace torsor::cli
