// torsor demo: runs the embedded scene with three integrators side by side; ends with a replay and a plot.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/demo_scene.hpp"
#include "cli/demo_world.hpp"
#include "cli/gallery.hpp"
#include "cli/interrupt.hpp"
#include "cli/model_source.hpp"
#include "cli/names.hpp"
#include "cli/numbers.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/validators.hpp"
#include "torsor/dynamics/dispatch.hpp"
#include "torsor/load/load.hpp"
#include "torsor/render/plot/plot.hpp"
#include "torsor/view/replay.hpp"

namespace torsor::cli {
namespace {

constexpr Align kRight = Align::kRight;
constexpr double kLongestReplay = 60;  // s; a longer demo is recorded from its start
constexpr double kFrame = 0.05;        // s between two frames
constexpr int kReplayFrames = 3;       // of the replay, in that time

struct DemoArguments {
  double duration = 10;
  bool fast = false;
  bool xml = false;
  bool no_files = false;
  std::string out, gallery;
};

// The replay and the plot that the demo ends with.
class Souvenirs {
 public:
  explicit Souvenirs(const Model& model) : recorder_(model, {60, view::WorldLayout::kSideBySide, true, "torsor demo"}) {
    plot_.title = "Energy drift by integrator";
    plot_.panels.push_back({"energy drift [J]", {}});
  }

  void add(const std::vector<std::unique_ptr<DemoWorld>>& worlds) {
    std::vector<render::Signal>& signals = plot_.panels[0].signals;
    std::vector<const Data*> data;
    if (signals.empty()) {
      for (const auto& world : worlds) signals.push_back({name_of(world->integrator()), {}});
    }
    plot_.x.push_back(worlds[0]->time());
    for (size_t w = 0; w < worlds.size(); ++w) {
      signals[w].values.push_back(worlds[w]->energy_drift());
      data.push_back(&worlds[w]->data());
    }
    recorder_.record(data);
  }

  // Returns the lines that say where they are. A place that cannot be written to does not spoil the demo.
  std::string save(const std::string& folder) const {
    if (recorder_.frames() == 0) return {};
    try {
      const std::string place = folder.empty() ? make_cache_folder() : folder;
      if (!folder.empty()) make_folder(folder);
      const std::string replay = (std::filesystem::path(place) / "demo.html").string();
      const std::string plot = (std::filesystem::path(place) / "demo.svg").string();
      recorder_.save(replay);
      render::write_file(plot, render::to_svg(plot_));
      return fmt::format("replay  {}\nplot    {}\n", printable(replay), printable(plot));
    } catch (const Error& error) {
      if (!folder.empty()) throw;
      return fmt::format("no replay: {}\n", printable(error.what()));
    }
  }

 private:
  view::Recorder recorder_;
  render::Plot plot_;
};

// One row of the table: its title, and its value for a world.
struct Readout {
  const char* label;
  std::string (*read)(const DemoWorld& world);
};

constexpr Readout kReadouts[] = {
    {"time", [](const DemoWorld& w) { return fmt::format("{:.2f} s", w.time()); }},
    {"energy", [](const DemoWorld& w) { return fmt::format("{:.6f} J", w.energy()); }},
    {"energy drift", [](const DemoWorld& w) { return fmt::format("{:+.2e} J", w.energy_drift()); }},
    {"triple pendulum: height of the tip", [](const DemoWorld& w) { return fmt::format("{:.4f} m", w.tip_height()); }},
    {"spring pendulum: length", [](const DemoWorld& w) { return fmt::format("{:.4f} m", w.spring_length()); }},
    {"top: tilt", [](const DemoWorld& w) { return fmt::format("{:.3f} deg", w.top_tilt_deg()); }},
    {"book: half turns", [](const DemoWorld& w) { return format_plural(w.book_flips(), "time", "times"); }},
    {"time per step", [](const DemoWorld& w) { return format_duration(w.seconds_per_step()); }},
    {"real-time factor", [](const DemoWorld& w) { return format_factor(w.real_time_factor()); }},
};

using Worlds = std::vector<std::unique_ptr<DemoWorld>>;

Worlds make_worlds() {
  const Model model = load_string(kDemoScene);
  Worlds worlds;
  for (const Integrator integrator : {Integrator::kRk4, Integrator::kImplicit, Integrator::kEuler})
    worlds.push_back(std::make_unique<DemoWorld>(model, integrator));
  return worlds;
}

std::vector<std::string> table_of(const Worlds& worlds, const Terminal& terminal) {
  std::vector<Column> columns{{""}};
  for (const auto& world : worlds) columns.push_back({name_of(world->integrator()), kRight});
  Table table(columns);
  for (const Readout& readout : kReadouts) {
    std::vector<std::string> cells{readout.label};
    for (const auto& world : worlds) cells.push_back(readout.read(*world));
    table.add(cells);
  }
  return table.lines(terminal);
}

// One line per simulated second, if the output is not a terminal.
std::string line_of(const Worlds& worlds) {
  std::string line = fmt::format("time {:6.2f} s  energy drift", worlds.front()->time());
  for (const auto& world : worlds)
    line += fmt::format("  {} {:+.2e} J", name_of(world->integrator()), world->energy_drift());
  return line + fmt::format("  real-time factor {}\n", format_factor(worlds.front()->real_time_factor()));
}

// Advances all worlds frame by frame; record() is called kReplayFrames times for each, then draw(time). Returns false
// when Ctrl-C ended it.
template <class Record, class Draw>
bool play(const Worlds& worlds, double duration, bool in_real_time, Record record, Draw draw) {
  using Clock = std::chrono::steady_clock;
  const Interrupt interrupt;
  const Clock::time_point begin = Clock::now();
  for (int frame = 1; frame <= static_cast<int>(std::ceil(duration / kFrame - 1e-9)); ++frame) {
    const double time = std::min(frame * kFrame, duration);
    const double before = (frame - 1) * kFrame;
    for (int part = 1; part <= kReplayFrames; ++part) {
      for (const auto& world : worlds) world->advance_to(before + (time - before) * part / kReplayFrames);
      record();
    }
    draw(time);
    if (in_real_time)
      std::this_thread::sleep_until(begin +
                                    std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(time)));
    if (interrupt.requested()) return false;
  }
  return true;
}

void print_closing(const Worlds& worlds, const Terminal& terminal) {
  terminal.write(fmt::format(
      "\nThe pendulums are chaotic, so the integrators soon disagree about them. Nothing in the scene dissipates "
      "energy:\n"
      "any drift is integration error, {} out of {} after {:.0f} s with {}.\n"
      "`torsor demo --xml > demo.xml` saves the scene; `torsor sim demo.xml --keyframe start` simulates it.\n",
      fmt::format("{:.1e} J", std::abs(worlds.front()->energy_drift())),
      fmt::format("{:.0f} J", worlds.front()->energy()), worlds.front()->time(),
      name_of(worlds.front()->integrator())));
}

int demo(const DemoArguments& arguments) {
  const Terminal terminal(stdout);
  if (arguments.xml) {
    terminal.write(kDemoScene);
    return kExitOk;
  }
  if (!arguments.gallery.empty()) {
    write_gallery(arguments.gallery, [](const std::string& line) { Terminal(stdout).write(printable(line) + "\n"); });
    return kExitOk;
  }
  const Worlds worlds = make_worlds();
  const Model& model = worlds.front()->model();
  terminal.write(fmt::format("{}: {}, timestep {} s, {}\n\n", terminal.paint(Style::kBold, "torsor demo"),
                             describe_size(model), format_number(model.opt.timestep), kernels().name));
  LiveLines lines(terminal);
  Souvenirs souvenirs(model);
  const auto record = [&] {
    if (!arguments.no_files && worlds.front()->time() <= kLongestReplay) souvenirs.add(worlds);
  };
  const bool finished =
      play(worlds, arguments.duration, terminal.is_live() && !arguments.fast, record, [&](double time) {
        if (terminal.is_live())
          lines.draw(table_of(worlds, terminal));
        else if (std::abs(time - std::round(time)) < kFrame / 2)
          terminal.write(line_of(worlds));
      });
  if (!terminal.is_live()) {
    terminal.write("\n");
    for (const std::string& line : table_of(worlds, terminal)) terminal.write(line + "\n");
  }
  print_closing(worlds, terminal);
  terminal.write(souvenirs.save(arguments.out));
  return finished ? kExitOk : kExitInterrupted;
}

}  // namespace

void add_demo(Program& program) {
  const auto arguments = std::make_shared<DemoArguments>();
  CLI::App* command =
      program.add_command("demo", "Run a built-in scene with three integrators and compare energy drift and speed",
                          "  torsor demo\n"
                          "  torsor demo --duration 60 --fast\n"
                          "  torsor demo --xml > demo.xml\n"
                          "  torsor demo --gallery gallery/\n",
                          "0 success, 1 error, 2 usage error, 130 interrupted with Ctrl-C");
  command->add_option("-d,--duration", arguments->duration, "Simulated time in seconds (default 10)")
      ->type_name("SECONDS")
      ->check(between(0, 1e6));
  command->add_flag("--fast", arguments->fast, "Run as fast as possible instead of in real time");
  command
      ->add_option("--out", arguments->out,
                   "Folder for the replay and the plot that it ends with (default: torsor in the folder of caches)")
      ->type_name("FOLDER");
  command->add_flag("--no-files", arguments->no_files, "End without a replay and a plot");
  command
      ->add_option("--gallery", arguments->gallery,
                   "Instead, write replays of this scene, of a figure and of a gripper to this folder, with a page")
      ->type_name("FOLDER");
  command->add_flag("--xml", arguments->xml, "Print the scene as MJCF and exit");
  command->callback([&program, arguments] { program.run = [arguments] { return demo(*arguments); }; });
}

}  // namespace torsor::cli
