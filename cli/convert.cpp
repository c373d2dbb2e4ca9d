// torsor convert: writes a model as one MJCF file, with includes and attached models expanded.
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/model_source.hpp"
#include "cli/numbers.hpp"
#include "cli/terminal.hpp"
#include "torsor/format/mjcf/mjcf.hpp"

namespace torsor::cli {
namespace {

struct ConvertArguments {
  std::string input, output;
  IgnoreOption ignore;
};

std::string ending_of(const std::string& path) { return std::filesystem::path(path).extension().string(); }

int convert(const ConvertArguments& arguments) {
  const std::string& output = arguments.output;
  if (ending_of(output) != ".xml")
    throw Error(fmt::format("'{}': convert writes MJCF, into a file that ends in .xml", output));
  const Spec spec = read_spec(arguments.input, arguments.ignore);
  check_not_same_file(arguments.input, output);
  write_mjcf_file(spec, output);
  const Terminal terminal(stdout);
  terminal.write(fmt::format("{}: {} of MJCF\n", printable(output), format_bytes(std::filesystem::file_size(output))));
  return kExitOk;
}

}  // namespace

void add_convert(Program& program) {
  const auto arguments = std::make_shared<ConvertArguments>();
  CLI::App* command = program.add_command(
      "convert",
      "Write a model as one MJCF file that compiles to the same model: with includes, replicates and attached models "
      "expanded, and default classes kept",
      "  torsor convert scene.xml flat.xml\n"
      "  torsor convert robot.xml light.xml --ignore contact,equality\n",
      "0 success, 1 error, 2 usage error");
  command->add_option("IN", arguments->input, "MJCF model file")->required()->type_name("");
  command->add_option("OUT", arguments->output, "File to write; must end in .xml")->required()->type_name("");
  arguments->ignore.add_to(*command);
  command->callback([&program, arguments] { program.run = [arguments] { return convert(*arguments); }; });
}

}  // namespace torsor::cli
