// torsor check: says of each model file whether it is sound, and what is wrong where.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/model_source.hpp"
#include "cli/names.hpp"
#include "cli/numbers.hpp"
#include "cli/terminal.hpp"

namespace torsor::cli {
namespace {

struct CheckArguments {
  std::vector<std::string> files;
  IgnoreOption ignore;
  bool quiet = false;
};

// Whether the file is sound. What is wrong goes to stderr, the verdict to stdout.
bool check_file(const std::string& file, const CheckArguments& arguments, const Terminal& terminal) {
  try {
    const Model model = load_model(file, arguments.ignore);
    print_diagnostics(model.warnings);
    if (!arguments.quiet)
      terminal.write(
          fmt::format("{}: {} ({})\n", printable(file), terminal.paint(Style::kGreen, "ok"), describe_size(model)));
    return true;
  } catch (const Error& error) {
    print_error(error);
    const auto count = static_cast<int64_t>(error.diagnostics().size());
    if (!arguments.quiet)
      terminal.write(fmt::format("{}: {}\n", printable(file),
                                 terminal.paint(Style::kRed, format_plural(count, "error", "errors"))));
    return false;
  }
}

int check(const CheckArguments& arguments) {
  const Terminal terminal(stdout);
  bool all_sound = true;
  for (const std::string& file : arguments.files) all_sound &= check_file(file, arguments, terminal);
  return all_sound ? kExitOk : kExitError;
}

}  // namespace

void add_check(Program& program) {
  const auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = program.add_command("check", "Validate model files; the exit code says the result",
                                          "  torsor check robot.xml\n"
                                          "  torsor check --quiet models/*.xml && echo all good\n",
                                          "0 all files are sound, 1 one or more have errors, 2 wrong usage");
  command->add_option("FILE", arguments->files, "Model files, MJCF or binary")->required()->type_name("");
  arguments->ignore.add_to(*command);
  command->add_flag("-q,--quiet", arguments->quiet, "Print what is wrong, but no verdict for each file");
  command->callback([&program, arguments] { program.run = [arguments] { return check(*arguments); }; });
}

}  // namespace torsor::cli
