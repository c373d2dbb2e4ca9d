// torsor convert: writes a model in another format, and says what that format could not hold.
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/model_source.hpp"
#include "cli/numbers.hpp"
#include "cli/python_command.hpp"
#include "cli/terminal.hpp"
#include "torsor/format/mesh/mesh_file.hpp"
#include "torsor/load/convert.hpp"

namespace torsor::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ConvertArguments {
  std::string input, output;
  bool json = false;
  IgnoreOption ignore;
};

bool is_usd(const std::string& path) {
  const std::string ending = file_extension(path);
  return ending == "usd" || ending == "usda" || ending == "usdc" || ending == "usdz";
}

// The Spec of a compiled model is found in Python.
bool is_decompilation(const std::string& input, const std::string& output) {
  const std::string ending = file_extension(output);
  const bool holds_spec = ending == "xml" || ending == "mjcf" || ending == "mjz" || ending == "zip";
  return holds_spec && is_binary_file(input);
}

std::string title_of(const std::string& format) {
  if (format == "binary") return "binary model";
  std::string title = format;
  for (char& c : title) c = c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
  return title;
}

std::string to_json(const Conversion& conversion, const std::string& input) {
  Json json{{"input", input}, {"from", conversion.from}, {"to", conversion.to}, {"files", conversion.files}};
  json["lost"] = Json::array();
  for (const Loss& loss : conversion.losses)
    json["lost"].push_back({{"kind", loss.kind}, {"names", loss.names}, {"what", loss.what}});
  json["warnings"] = Json::array();
  for (const Diagnostic& warning : conversion.warnings)
    json["warnings"].push_back({{"file", warning.where.file},
                                {"line", warning.where.line},
                                {"column", warning.where.column},
                                {"message", warning.message}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_text(const Conversion& conversion) {
  std::string text;
  for (const std::string& file : conversion.files)
    text += fmt::format("{}: {}{}\n", printable(file), format_bytes(std::filesystem::file_size(file)),
                        file == conversion.files[0] ? " of " + title_of(conversion.to) : "");
  if (!conversion.losses.empty()) text += fmt::format("not carried over to {}:\n", title_of(conversion.to));
  for (const Loss& loss : conversion.losses) text += fmt::format("  {}\n", printable(to_string(loss)));
  return text;
}

int convert(const ConvertArguments& arguments, const std::vector<std::string>& words) {
  if (is_usd(arguments.input) || is_usd(arguments.output) || is_decompilation(arguments.input, arguments.output))
    run_in_python("convert_in_python", {words.begin() + 1, words.end()});
  LoadOptions options;
  arguments.ignore.apply(options);
  const Conversion conversion = convert_file(arguments.input, arguments.output, options);
  const Terminal terminal(stdout);
  if (arguments.json) return terminal.write(to_json(conversion, arguments.input)), kExitOk;
  print_diagnostics(conversion.warnings);
  terminal.write(to_text(conversion));
  return kExitOk;
}

}  // namespace

void add_convert(Program& program) {
  const auto arguments = std::make_shared<ConvertArguments>();
  CLI::App* command = program.add_command(
      "convert",
      "Write a model in another format, and list what that format cannot hold. MJCF is written as one file, with "
      "includes, replicates and attached models expanded, and default classes kept",
      "  torsor convert scene.xml flat.xml\n"
      "  torsor convert robot.urdf robot.xml --base floating\n"
      "  torsor convert robot.xml robot.urdf\n"
      "  torsor convert robot.xml robot.mjz --json\n"
      "  torsor convert robot.usda robot.xml\n"
      "  torsor convert robot.torsor robot.xml\n",
      "0 success, 1 error, 2 usage error");
  command->add_option("IN", arguments->input, "Model file: MJCF, URDF, MJZ, USD or binary")->required()->type_name("");
  command
      ->add_option(
          "OUT", arguments->output,
          "File to write; its ending says the format: .xml, .urdf, .mjz or .zip, .usda, .usdc or .usdz, .torsor")
      ->required()
      ->type_name("");
  command->add_flag("--json", arguments->json, "Print the report as JSON");
  arguments->ignore.add_to(*command);
  command->callback([&program, arguments] {
    program.run = [arguments, words = program.words] { return convert(*arguments, words); };
  });
}

}  // namespace torsor::cli
