// torsor diff: where two models differ, and by how much.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/model_source.hpp"
#include "cli/names.hpp"
#include "cli/numbers.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/validators.hpp"
#include "torsor/model/difference.hpp"

namespace torsor::cli {
namespace {

struct DiffArguments {
  std::string first, second;
  IgnoreOption ignore;
  double tolerance = 0;
};

std::string place_of(const FieldDifference& d) {
  if (d.index < 0) return d.name;
  if (d.columns <= 1) return fmt::format("{}[{}]", d.name, d.index);
  return fmt::format("{}[{}, {}]", d.name, d.index / d.columns, d.index % d.columns);
}

int diff(const DiffArguments& arguments) {
  const Model a = load_model(arguments.first, arguments.ignore), b = load_model(arguments.second, arguments.ignore);
  const Terminal terminal(stdout);
  Table table({{"largest difference at"},
               {"first", Align::kRight},
               {"second", Align::kRight},
               {"difference", Align::kRight},
               {"numbers", Align::kRight}});
  int64_t count = 0;
  for (const FieldDifference& d : find_differences(a, b)) {
    if (!(d.difference > arguments.tolerance)) continue;
    ++count;
    const std::string size = std::isinf(d.difference) ? "-" : fmt::format("{:.3g}", d.difference);
    table.add({place_of(d), fmt::format("{}", d.a), fmt::format("{}", d.b), size,
               d.is_length() ? "length" : format_count(d.count)});
  }
  if (count == 0) {
    terminal.write(arguments.tolerance > 0
                       ? fmt::format("no difference above {} ({})\n", arguments.tolerance, describe_size(a))
                       : fmt::format("equal to the bit ({})\n", describe_size(a)));
    return kExitOk;
  }
  terminal.write(fmt::format("{} {}, the largest first\n", format_plural(count, "field", "fields"),
                             count == 1 ? "differs" : "differ"));
  terminal.write(table.text(terminal));
  return kExitDiffer;
}

}  // namespace

void add_diff(Program& program) {
  const auto arguments = std::make_shared<DiffArguments>();
  CLI::App* command = program.add_command("diff", "Compare two models field by field",
                                          "  torsor diff robot.xml robot.torsor\n"
                                          "  torsor diff old.xml new.xml --tolerance 1e-9\n",
                                          "0 no difference, 1 error, 2 usage error, 3 the models differ");
  command->add_option("A", arguments->first, "Model file, MJCF, URDF or binary")->required()->type_name("");
  command->add_option("B", arguments->second, "Model file to compare it with")->required()->type_name("");
  arguments->ignore.add_to(*command);
  command
      ->add_option("--tolerance", arguments->tolerance,
                   "Ignore differences |a - b| / max(1, |a|, |b|) up to this (default 0: compare bits)")
      ->type_name("X")
      ->check(at_least(0));
  command->callback([&program, arguments] { program.run = [arguments] { return diff(*arguments); }; });
}

}  // namespace torsor::cli
