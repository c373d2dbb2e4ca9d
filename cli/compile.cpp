// torsor compile: writes a model as a binary file, which loads faster.
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/model_source.hpp"
#include "cli/names.hpp"
#include "cli/numbers.hpp"
#include "cli/terminal.hpp"
#include "torsor/format/binary/binary.hpp"

namespace torsor::cli {
namespace {

struct CompileArguments {
  ModelSource source;
  std::string output;
};

int compile_to_file(const CompileArguments& arguments) {
  const Model model = arguments.source.load();
  check_not_same_file(arguments.source.file, arguments.output);
  save_binary(model, arguments.output);
  const Terminal terminal(stdout);
  terminal.write(fmt::format("{}: {} ({})\n", printable(arguments.output),
                             format_bytes(std::filesystem::file_size(arguments.output)), describe_size(model)));
  return kExitOk;
}

}  // namespace

void add_compile(Program& program) {
  const auto arguments = std::make_shared<CompileArguments>();
  CLI::App* command = program.add_command("compile", "Compile a model into a binary file, which every command can read",
                                          "  torsor compile robot.xml -o robot.torsor\n"
                                          "  torsor sim robot.torsor\n",
                                          "0 success, 1 error, 2 usage error");
  arguments->source.add_to(*command);
  command->add_option("-o,--output", arguments->output, "Binary file to write")->required()->type_name("OUT");
  command->callback([&program, arguments] { program.run = [arguments] { return compile_to_file(*arguments); }; });
}

}  // namespace torsor::cli
