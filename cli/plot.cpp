// torsor plot: signals of a trajectory over time, as SVG or PNG.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/model_source.hpp"
#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "cli/validators.hpp"
#include "torsor/format/table.hpp"
#include "torsor/render/plot/plot.hpp"

namespace torsor::cli {
namespace {

struct PlotArguments {
  std::string trajectory, output, model, title, theme = "light";
  std::vector<std::string> signals;
  int width = 960, height = 260;
  bool list = false;
};

int run_plot(const PlotArguments& arguments) {
  const torsor::Table table = read_table(arguments.trajectory);
  const Terminal terminal(stdout);
  if (arguments.list) {
    for (const std::string& column : table.columns) terminal.write(printable(column) + "\n");
    return kExitOk;
  }
  const std::string output = arguments.output.empty() ? arguments.trajectory + ".svg" : arguments.output;
  const bool is_svg = output.ends_with(".svg");
  if (!is_svg && !output.ends_with(".png"))
    throw Error(fmt::format("'{}' is neither plot.svg nor plot.png", printable(output)));
  check_not_same_file(arguments.trajectory, output);
  Units units;
  if (!arguments.model.empty()) units = units_of(load_model(arguments.model, {}));
  render::Plot plot = make_plot(table, arguments.signals, units);
  plot.title = arguments.title;
  plot.is_dark = arguments.theme == "dark";
  plot.width = arguments.width, plot.panel_height = arguments.height;
  render::write_file(output, is_svg ? render::to_svg(plot) : render::to_png(render::to_picture(plot)));
  size_t count = 0;
  for (const render::Panel& panel : plot.panels) count += panel.signals.size();
  terminal.write(
      fmt::format("{}: {} {} of {} rows\n", printable(output), count, count == 1 ? "signal" : "signals", table.rows));
  return kExitOk;
}

}  // namespace

void add_plot(Program& program) {
  const auto arguments = std::make_shared<PlotArguments>();
  CLI::App* command =
      program.add_command("plot", "Plot signals of a trajectory over time",
                          "  torsor sim robot.xml --csv run.csv\n"
                          "  torsor plot run.csv --signals 'qpos.*' --out run.svg --model robot.xml\n"
                          "  torsor plot run.csv --signals qpos.knee,qvel.knee --out run.png --theme dark\n"
                          "  torsor plot run.csv --list\n",
                          "0 success, 1 error, 2 usage error");
  command->add_option("TRAJ", arguments->trajectory, "Trajectory: CSV, JSON or NPY, as torsor sim and rollout write it")
      ->type_name("")
      ->required();
  command
      ->add_option("-s,--signals", arguments->signals,
                   "Columns to plot, separated by commas; * stands for any text (default: all)")
      ->type_name("NAME,...")
      ->delimiter(',');
  command->add_option("-o,--out", arguments->output, "plot.svg or plot.png (default: TRAJ.svg)")->type_name("OUT");
  command->add_option("--model", arguments->model, "Model of the trajectory, for the units of its joints")
      ->type_name("MODEL");
  command->add_option("--title", arguments->title, "Title of the plot")->type_name("TEXT");
  command->add_option("--theme", arguments->theme, "light (default) or dark")
      ->type_name("NAME")
      ->transform(one_of("theme", std::vector<std::string>{"light", "dark"}));
  command->add_option("--width", arguments->width, "Width in pixels (default 960)")
      ->type_name("N")
      ->check(whole(200, 8192));
  command->add_option("--height", arguments->height, "Height of each panel in pixels (default 260)")
      ->type_name("N")
      ->check(whole(80, 4096));
  command->add_flag("--list", arguments->list, "List the columns of the trajectory and exit");
  command->callback([&program, arguments] { program.run = [arguments] { return run_plot(*arguments); }; });
}

}  // namespace torsor::cli
