// torsor replay: trajectories and motion clips as one HTML file, each a world of its own.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/model_source.hpp"
#include "cli/numbers.hpp"
#include "cli/terminal.hpp"
#include "cli/trajectory.hpp"
#include "cli/validators.hpp"
#include "torsor/bridge/motion/on_model.hpp"
#include "torsor/core/error.hpp"
#include "torsor/format/motion/read.hpp"
#include "torsor/format/table.hpp"
#include "torsor/view/replay.hpp"

namespace torsor::cli {
namespace {

constexpr size_t kMostWorlds = 64;
constexpr double kMostFrames = 1e6;

struct ReplayArguments {
  ModelSource source;
  std::vector<std::string> files;
  std::string output, title, unit;
  double fps = view::ReplayOptions{}.fps;
  bool ghosts = false;
};

// States of one world, in the order of time.
struct Track {
  std::vector<double> time;  // ascending
  std::vector<double> qpos, qvel;

  // The last state that is not later than a time.
  size_t at(double wanted) const {
    const auto later = std::upper_bound(time.begin(), time.end(), wanted + 1e-9);
    return later == time.begin() ? 0 : static_cast<size_t>(later - time.begin()) - 1;
  }
};

// Columns are found by name, so that it shows when a trajectory belongs to another model.
std::vector<int> find_columns(const torsor::Table& table, const Model& model, const std::string& file) {
  std::vector<int> found;
  for (const std::string& name : trajectory_columns(model)) {
    found.push_back(table.find(name));
    if (found.back() < 0 && !name.starts_with("qvel."))
      throw Error(fmt::format("{}: there is no column '{}': is it a trajectory of another model?", file, name));
  }
  for (const std::string& name : table.columns) {
    const bool is_state = name.starts_with("qpos.") || name.starts_with("qvel.");
    const auto of_model = trajectory_columns(model);
    if (is_state && std::find(of_model.begin(), of_model.end(), name) == of_model.end())
      throw Error(fmt::format("{}: the model has nothing for the column '{}': is it a trajectory of another model?",
                              file, name));
  }
  return found;
}

Track read_trajectory(const Model& model, const std::string& file) {
  const torsor::Table table = read_table(file);
  const std::vector<int> columns = find_columns(table, model, file);
  Track track;
  for (size_t row = 0; row < table.rows; ++row) {
    const auto number = [&](int i) {
      const int column = columns[static_cast<size_t>(i)];
      const double value = column < 0 ? 0.0 : table.at(row, static_cast<size_t>(column));
      if (!std::isfinite(value))
        throw Error(fmt::format("{}: row {} has no number for '{}'", file, row + 1,
                                table.columns[static_cast<size_t>(column)]));
      return value;
    };
    const double time = number(0);
    if (!track.time.empty() && !(time > track.time.back()))
      throw Error(fmt::format("{}: time does not grow in row {}", file, row + 1));
    track.time.push_back(time);
    for (int i = 0; i < model.nq; ++i) track.qpos.push_back(number(1 + i));
    for (int i = 0; i < model.nv; ++i) track.qvel.push_back(number(1 + model.nq + i));
  }
  if (track.time.empty()) throw Error(fmt::format("{}: there are no rows", file));
  return track;
}

Track read_clip(const Model& model, const std::string& file, const std::string& unit) {
  MotionReadOptions options;
  options.unit = unit.empty() || file.ends_with(".motion") ? 0 : parse_unit(unit);
  const MotionClip clip = read_motion(file, options);
  const ClipOnModel placed(model, clip, true);
  Track track;
  track.qpos.resize(static_cast<size_t>(clip.frames) * static_cast<size_t>(model.nq));
  track.qvel.assign(static_cast<size_t>(clip.frames) * static_cast<size_t>(model.nv), 0);
  for (int f = 0; f < clip.frames; ++f) {
    track.time.push_back(f / clip.fps);
    placed.write_qpos(clip, f, track.qpos.data() + std::ptrdiff_t{f} * model.nq);
  }
  return track;
}

Track read_track(const Model& model, const std::string& file, const std::string& unit) {
  const bool is_table = file.ends_with(".csv") || file.ends_with(".json") || file.ends_with(".npy");
  return is_table ? read_trajectory(model, file) : read_clip(model, file, unit);
}

void show_at(const Model& model, const Track& track, double time, Data& data) {
  const size_t row = track.at(time);
  std::copy_n(track.qpos.begin() + static_cast<std::ptrdiff_t>(row) * model.nq, model.nq, data.qpos.begin());
  std::copy_n(track.qvel.begin() + static_cast<std::ptrdiff_t>(row) * model.nv, model.nv, data.qvel.begin());
  data.time = time;
}

int run_replay(const ReplayArguments& arguments) {
  if (arguments.files.size() > kMostWorlds)
    throw Error(fmt::format("a replay shows at most {} worlds, got {}", kMostWorlds, arguments.files.size()));
  const Model model = arguments.source.load();
  check_not_same_file(arguments.source.file, arguments.output);
  std::vector<Track> tracks;
  std::vector<std::unique_ptr<Data>> worlds;
  std::vector<const Data*> shown;
  for (const std::string& file : arguments.files) {
    check_not_same_file(file, arguments.output);
    tracks.push_back(read_track(model, file, arguments.unit));
    worlds.push_back(std::make_unique<Data>(model));
    shown.push_back(worlds.back().get());
  }
  double start = tracks[0].time.front(), end = tracks[0].time.back();
  for (const Track& track : tracks) start = std::min(start, track.time.front()), end = std::max(end, track.time.back());
  view::ReplayOptions options;
  options.fps = arguments.fps;
  options.layout = arguments.ghosts ? view::WorldLayout::kGhosts : view::WorldLayout::kSideBySide;
  options.title =
      arguments.title.empty() ? std::filesystem::path(arguments.files[0]).filename().string() : arguments.title;
  view::Recorder recorder(model, options, arguments.source.textures());
  const double wanted = std::floor((end - start) * arguments.fps + 1e-6) + 1;
  if (wanted > kMostFrames)
    throw Error(fmt::format("{:g} s are too long for a replay at {:g} frames per second", end - start, arguments.fps));
  const auto frames = static_cast<int64_t>(wanted);
  for (int64_t frame = 0; frame < frames; ++frame) {
    const double time = start + static_cast<double>(frame) / arguments.fps;
    for (size_t w = 0; w < tracks.size(); ++w) show_at(model, tracks[w], time, *worlds[w]);
    recorder.record(shown);
  }
  recorder.save(arguments.output);
  Terminal(stdout).write(fmt::format("{}: {} of {}, {:.1f} MB\n", printable(arguments.output),
                                     format_plural(recorder.frames(), "frame", "frames"),
                                     format_plural(static_cast<int64_t>(tracks.size()), "world", "worlds"),
                                     static_cast<double>(std::filesystem::file_size(arguments.output)) / 1e6));
  return kExitOk;
}

}  // namespace

void add_replay(Program& program) {
  const auto arguments = std::make_shared<ReplayArguments>();
  CLI::App* command = program.add_command("replay", "Make a replay of trajectories or motion clips",
                                          "  torsor sim robot.xml --csv run.csv\n"
                                          "  torsor replay robot.xml run.csv --out run.html\n"
                                          "  torsor replay robot.xml ours.csv theirs.csv --ghosts --out both.html\n"
                                          "  torsor replay g1.xml walk.motion --out walk.html\n",
                                          "0 success, 1 error, 2 usage error");
  arguments->source.add_to(*command);
  command
      ->add_option(
          "TRAJ", arguments->files,
          "Trajectories as torsor sim --csv writes them (CSV, JSON, NPY with names), or motion clips (.motion, "
          ".npz, .bvh); each is a world")
      ->type_name("")
      ->required();
  command->add_option("-o,--out", arguments->output, "HTML file to write, which any browser plays")
      ->type_name("OUT")
      ->required();
  command->add_flag("--ghosts", arguments->ghosts, "Show the worlds in one place, all but the first transparent");
  command->add_option("--fps", arguments->fps, "Frames per second of the replay (default 60)")
      ->type_name("N")
      ->check(between(1, 1000));
  command->add_option("--title", arguments->title, "Title of the page (default: the name of the first file)")
      ->type_name("TEXT");
  command->add_option("--unit", arguments->unit, "Unit of length of a clip that does not say it: m, cm, mm, inch, foot")
      ->type_name("UNIT");
  command->callback([&program, arguments] { program.run = [arguments] { return run_replay(*arguments); }; });
}

}  // namespace torsor::cli
