// torsor detect: in which convention a recorded log is.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/model_source.hpp"
#include "cli/terminal.hpp"
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

// The body that the log follows: the one that was named, or the only one with a free joint.
int find_body(const Model& model, const std::string& name) {
  if (!name.empty()) {
    const int body = model.find(ObjectType::kBody, name);
    if (body >= 0) return body;
    throw Error(fmt::format("the model has no body '{}'", name));
  }
  std::vector<int> found;
  for (int j = 0; j < model.njnt; ++j) {
    if (static_cast<JointType>(model.jnt_type[j]) == JointType::kFree) found.push_back(model.jnt_bodyid[j]);
  }
  if (found.size() == 1) return found[0];
  throw Error(
      fmt::format("the model has {} bodies with free joints; say with --body which one the log follows", found.size()));
}

std::string painted(const DetectionReport& report, const Terminal& terminal) {
  const std::string text = to_text(report);
  const size_t colon = text.find(':');
  return terminal.paint(report.decided ? Style::kGreen : Style::kYellow, text.substr(0, colon)) + text.substr(colon);
}

int detect_file(const DetectArguments& arguments) {
  const Table table = read_table(arguments.log);
  const LogColumns log = arguments.columns.empty() ? recognise_columns(table) : take_columns(table, arguments.columns);
  DetectOptions options{.smallest_offset = arguments.smallest_offset};
  std::optional<Model> model;
  if (!arguments.model.empty()) {
    model = load_model(arguments.model, arguments.ignore);
    options.p_BoBcm_B = load3(&model->body_ipos[3 * find_body(*model, arguments.body)]);
  }
  if (!arguments.com.empty()) options.p_BoBcm_B = load3(arguments.com.data());
  DetectionReport report = detect(log, options);
  if (model) report.joints = find_joint_order(log, *model);
  const Terminal terminal(stdout);
  terminal.write(arguments.json ? to_json(report) : painted(report, terminal));
  return report.decided ? kExitOk : kExitUndecidable;
}

}  // namespace

void add_detect(Program& program) {
  const auto arguments = std::make_shared<DetectArguments>();
  CLI::App* command = program.add_command(
      "detect", "Find out in which convention a recorded log of poses and velocities is",
      "  torsor detect flight.csv\n"
      "  torsor detect states.npy --columns time=0,position=1:4,quat=4:8,linear=8:11,angular=11:14\n"
      "  torsor detect run.csv --model robot.xml --json\n",
      "0 decided, 1 error, 2 wrong usage, 3 the log cannot tell everything");
  command->add_option("LOG", arguments->log, "A table: .csv, .json or .npy")->required()->type_name("");
  command
      ->add_option("--columns", arguments->columns,
                   "Which columns are which: part=first:end,... of time, position, quat, matrix, linear, angular, "
                   "pose, twist, joints, rates")
      ->type_name("PARTS");
  CLI::Option* model = command->add_option("--model", arguments->model, "The model: its centre of mass and its joints")
                           ->type_name("FILE");
  command->add_option("--body", arguments->body, "The body that the log follows, if not the only free one")
      ->type_name("NAME")
      ->needs(model);
  command->add_option("--com", arguments->com, "Centre of mass from the body's origin, metres: X,Y,Z")
      ->delimiter(',')
      ->expected(3)
      ->type_name("X,Y,Z");
  command
      ->add_option("--smallest-offset", arguments->smallest_offset,
                   "Offsets of the centre of mass below this, in the log's unit, count as none")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->type_name("LENGTH");
  arguments->ignore.add_to(*command);
  command->add_flag("--json", arguments->json, "Print the report as JSON");
  command->callback([&program, arguments] { program.run = [arguments] { return detect_file(*arguments); }; });
}

}  // namespace torsor::cli
