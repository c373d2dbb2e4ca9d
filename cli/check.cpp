// torsor check: reports for each model file whether it is valid, or its errors with their locations.
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/model_source.hpp"
#include "cli/names.hpp"
#include "cli/numbers.hpp"
#include "cli/terminal.hpp"
#include "torsor/format/binary/binary.hpp"
#include "torsor/format/mjcf/mjcf.hpp"
#include "torsor/model/difference.hpp"

namespace torsor::cli {
namespace {

struct CheckArguments {
  std::vector<std::string> files;
  IgnoreOption ignore;
  bool quiet = false;
  bool roundtrip = false;
};

// A temporary folder for one file, removed with its contents in the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "torsor-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw Error("no temporary folder can be made in " + pattern);
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// Throws Error with all differences, the largest first.
void require_same(const Model& model, const Model& again, const std::string& file, const char* way) {
  std::vector<Diagnostic> differences;
  for (const FieldDifference& difference : find_differences(model, again))
    differences.push_back(
        {Severity::kError,
         {file, 0, 0},
         fmt::format("the model differs after writing and reading {}: {}", way, to_string(difference)),
         {}});
  if (!differences.empty()) throw Error(std::move(differences));
}

// Saves and loads again, as a binary file and, if the file is MJCF, as MJCF.
void check_roundtrip(const std::string& file, const Model& model, const IgnoreOption& ignore) {
  require_same(model, from_bytes(to_bytes(model), file), file, "a binary file");
  if (is_binary_file(file)) return;
  const TemporaryFolder folder;
  const std::string written = (folder / "model.xml").string();
  write_mjcf_file(read_spec(file, ignore, true), written);
  require_same(model, load_model(written, {}), file, "an MJCF file");
}

// Whether the file is valid. Errors go to stderr, the result to stdout.
bool check_file(const std::string& file, const CheckArguments& arguments, const Terminal& terminal) {
  try {
    const Model model = load_model(file, arguments.ignore);
    print_diagnostics(model.warnings);
    if (arguments.roundtrip) check_roundtrip(file, model, arguments.ignore);
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
  CLI::App* command = program.add_command("check", "Validate model files",
                                          "  torsor check robot.xml\n"
                                          "  torsor check --quiet models/*.xml && echo all good\n",
                                          "0 all files are valid, 1 one or more have errors, 2 usage error");
  command->add_option("FILE", arguments->files, "Model files, MJCF, URDF or binary")->required()->type_name("");
  arguments->ignore.add_to(*command);
  command->add_flag("--roundtrip", arguments->roundtrip,
                    "Also save each model as a binary file and as MJCF, load it again, and report any difference");
  command->add_flag("-q,--quiet", arguments->quiet, "Print errors and warnings only");
  command->callback([&program, arguments] { program.run = [arguments] { return check(*arguments); }; });
}

}  // namespace torsor::cli
