// torsor detect: finds the convention of a recorded log.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/model_source.hpp"
#include "cli/terminal.hpp"
#include "cli/validators.hpp"
#include "torsor/bridge/detect.hpp"
#include "torsor/core/error.hpp"
#include "torsor/format/table.hpp"

namespace torsor::cli {
namespace {

struct DetectArguments {
  std::string log, model, body, columns;
  std::vector<double> com;
  double smallest_offset = DetectOptions{}.smallest_offset;
  IgnoreOption ignore;
  bool json = false;
};

std::string painted(const DetectionReport& report, const Terminal& terminal) {
  const std::string text = to_text(report);
  const size_t colon = text.find(':');
  return terminal.paint(report.decided ? Style::kGreen : Style::kYellow, text.substr(0, colon)) + text.substr(colon);
}

int detect_file(const DetectArguments& arguments) {
  const torsor::Table table = read_table(arguments.log);
  TableDetectOptions options{.columns = arguments.columns, .body = arguments.body};
  options.detect.smallest_offset = arguments.smallest_offset;
  std::optional<Model> model;
  if (!arguments.model.empty()) {
    model = load_model(arguments.model, arguments.ignore);
    options.model = &*model;
  }
  if (!arguments.com.empty()) options.detect.p_BoBcm_B = load3(arguments.com.data());
  const DetectionReport report = detect_table(table, options);
  const Terminal terminal(stdout);
  terminal.write(arguments.json ? to_json(report) : painted(report, terminal));
  return report.decided ? kExitOk : kExitUndecidable;
}

}  // namespace

void add_detect(Program& program) {
  const auto arguments = std::make_shared<DetectArguments>();
  CLI::App* command = program.add_command(
      "detect", "Find the convention of a recorded log of poses and velocities",
      "  torsor detect flight.csv\n"
      "  torsor sim robot.xml --csv run.csv && torsor detect run.csv\n"
      "  torsor detect states.npy --columns time=0,position=1:4,quat=4:8,linear=8:11,angular=11:14\n"
      "  torsor detect run.csv --model robot.xml --json\n",
      "0 decided, 1 error, 2 usage error, 3 the log is not conclusive");
  command->add_option("LOG", arguments->log, "A table: .csv, .tsv, .txt, .json or .npy")->required()->type_name("");
  command
      ->add_option("--columns", arguments->columns,
                   "What the columns are, as part=first:end,... with the parts time, position, quat, matrix, linear, "
                   "angular, pose, twist, joints, rates (default: found by titles and numbers)")
      ->type_name("PARTS");
  CLI::Option* model =
      command
          ->add_option("--model", arguments->model, "The model that was recorded: its centres of mass and its joints")
          ->type_name("FILE");
  command
      ->add_option("--body", arguments->body,
                   "The body to report (default: the free body with the most conclusive data)")
      ->type_name("NAME")
      ->needs(model);
  command->add_option("--com", arguments->com, "Centre of mass in the body frame, metres: X,Y,Z")
      ->delimiter(',')
      ->expected(3)
      ->check(any_number())
      ->type_name("X,Y,Z");
  command
      ->add_option("--smallest-offset", arguments->smallest_offset,
                   "Offsets of the centre of mass below this, in the log's unit of length, count as zero")
      ->check(more_than(0))
      ->capture_default_str()
      ->type_name("LENGTH");
  arguments->ignore.add_to(*command);
  command->add_flag("--json", arguments->json, "Print the report as JSON");
  command->callback([&program, arguments] { program.run = [arguments] { return detect_file(*arguments); }; });
}

}  // namespace torsor::cli
