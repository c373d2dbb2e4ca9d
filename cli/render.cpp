// torsor render: pictures and films of a model, drawn without a display.
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/film.hpp"
#include "cli/interrupt.hpp"
#include "cli/model_source.hpp"
#include "cli/names.hpp"
#include "cli/numbers.hpp"
#include "cli/terminal.hpp"
#include "cli/validators.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/render/renderer.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::cli {
namespace {

struct RenderArguments {
  ModelSource source;
  RunSettings settings;
  std::string output;
  double time = 0, duration = 0, fps = 30;
  std::string camera, track, size = "640x480";
  std::vector<double> lookat;
  std::optional<double> azimuth, elevation, distance;
  int samples = 4;
  bool no_shadows = false, as_model = false;
};

// An element by name, or by number if no name is like it.
int find_element(const Model& model, ObjectType type, int count, const char* what, const std::string& text) {
  if (const int found = model.find(type, text); found >= 0) return found;
  char* end = nullptr;
  const long number = std::strtol(text.c_str(), &end, 10);
  if (!text.empty() && *end == '\0' && number >= 0 && number < count) return static_cast<int>(number);
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.emplace_back(model.name(type, i));
  throw Error(fmt::format("no {} '{}' among {}{}", what, printable(text), count, did_you_mean(text, names)));
}

void read_size(const std::string& text, int& width, int& height) {
  char* end = nullptr;
  const long w = std::strtol(text.c_str(), &end, 10), h = *end == 'x' ? std::strtol(end + 1, &end, 10) : 0;
  if (*end != '\0' || w < 1 || h < 1 || w > render::kLargestSide || h > render::kLargestSide)
    throw Error(fmt::format("--size must be WIDTHxHEIGHT, up to {} each, such as 640x480; got '{}'",
                            render::kLargestSide, printable(text)));
  width = static_cast<int>(w), height = static_cast<int>(h);
}

// Takes pictures through the camera of the arguments.
class Photographer {
 public:
  Photographer(const RenderArguments& arguments, const Model& model) : model_(model), shown_(model) {
    int width = 0, height = 0;
    read_size(arguments.size, width, height);
    render::RenderOptions options;
    options.samples = arguments.samples;
    options.with_shadows = !arguments.no_shadows;
    options.style = arguments.as_model ? render::Style::kModel : render::Style::kStudio;
    renderer_ = std::make_unique<render::Renderer>(model, height, width, arguments.source.textures(), options);
    for (const std::string& warning : renderer_->warnings()) print_diagnostics({{Severity::kWarning, {}, warning, {}}});
    if (!arguments.camera.empty())
      fixed_ = find_element(model, ObjectType::kCamera, model.ncam, "camera", arguments.camera);
    free_ = render::default_camera(model);
    if (!arguments.track.empty())
      free_.trackbody = find_element(model, ObjectType::kBody, model.nbody, "body", arguments.track);
    if (!arguments.lookat.empty()) free_.lookat = load3(arguments.lookat.data());
    free_.azimuth_deg = arguments.azimuth.value_or(free_.azimuth_deg);
    free_.elevation_deg = arguments.elevation.value_or(free_.elevation_deg);
    free_.distance = arguments.distance.value_or(free_.distance);
  }

  const render::Renderer& renderer() const { return *renderer_; }

  // Poses in a Data after step() belong to the state before it: they are computed again.
  render::Picture take(const Data& data) {
    copy_state(model_, data, shown_, kStateIntegration);
    forward(model_, shown_);
    fixed_ >= 0 ? renderer_->update_scene(shown_, fixed_) : renderer_->update_scene(shown_, free_);
    return renderer_->render();
  }

 private:
  const Model& model_;
  Data shown_;
  std::unique_ptr<render::Renderer> renderer_;
  int fixed_ = -1;
  render::FreeCamera free_;
};

// Simulates until `time`. Returns false if Ctrl-C ended it.
bool advance(const Model& model, Data& data, double time, const Interrupt& interrupt) {
  while (data.time < time - 0.5 * model.opt.timestep) {
    if (interrupt.requested()) return false;
    if (step(model, data) == Status::kDiverged) throw Error(fmt::format("the simulation diverged at {} s", data.time));
    require_memory(model, data);
  }
  return true;
}

int run_render(const RenderArguments& arguments) {
  Model model = arguments.source.load();
  arguments.settings.apply(model);
  check_not_same_file(arguments.source.file, arguments.output);
  const bool is_film = is_video(arguments.output) || is_numbered(arguments.output);
  if (!is_film && !arguments.output.ends_with(".png"))
    throw Error(fmt::format("'{}' is none of picture.png, frame_%04d.png and video.mp4", printable(arguments.output)));
  Data data(model);
  arguments.settings.start(model, data);
  Photographer photographer(arguments, model);
  const Interrupt interrupt;
  const double start = data.time + arguments.time;
  if (!advance(model, data, start, interrupt)) return kExitInterrupted;
  const int width = photographer.renderer().width(), height = photographer.renderer().height();
  const Terminal terminal(stdout);
  if (!is_film) {
    render::write_file(arguments.output, render::to_png(photographer.take(data)));
    terminal.write(
        fmt::format("{}: {} x {}, time {} s\n", printable(arguments.output), width, height, format_number(data.time)));
    return kExitOk;
  }
  const double duration = arguments.duration > 0 ? arguments.duration : 5;
  const int frames = static_cast<int>(std::floor(std::min(duration * arguments.fps, 1e7) + 1e-9)) + 1;
  const std::unique_ptr<Film> film = make_film(arguments.output, width, height, arguments.fps);
  const Terminal progress(stderr);
  ProgressBar bar(progress);
  bool is_interrupted = false;
  int done = 0;
  for (; done < frames && !is_interrupted; ++done) {
    is_interrupted = !advance(model, data, start + done / arguments.fps, interrupt);
    film->add(photographer.take(data));
    bar.show(static_cast<double>(done) / frames, fmt::format("time {:.2f} s", data.time));
  }
  film->close();
  terminal.write(
      fmt::format("{}: {} frames of {} x {}\n", printable(arguments.output), format_count(done), width, height));
  return is_interrupted ? kExitInterrupted : kExitOk;
}

void add_camera_options(CLI::App& command, RenderArguments& arguments) {
  command
      .add_option("-c,--camera", arguments.camera, "Camera of the model, by name or number (default: a free camera)")
      ->type_name("CAMERA");
  command.add_option("--track", arguments.track, "Body that the free camera looks at, by name or number")
      ->type_name("BODY");
  command.add_option("--lookat", arguments.lookat, "Point that the free camera looks at (default: the model's centre)")
      ->option_text("X,Y,Z")
      ->delimiter(',')
      ->expected(3);
  command.add_option("--azimuth", arguments.azimuth, "Direction of the free camera in degrees: 0 along x, 90 along y")
      ->option_text("DEGREES")
      ->check(any_number());
  command.add_option("--elevation", arguments.elevation, "Its angle above the horizon in degrees; -90 looks down")
      ->option_text("DEGREES")
      ->check(any_number());
  command.add_option("--distance", arguments.distance, "Its distance (default 1.5 times the extent of the model)")
      ->option_text("METRES")
      ->check(more_than(0));
}

}  // namespace

void add_render(Program& program) {
  const auto arguments = std::make_shared<RenderArguments>();
  CLI::App* command = program.add_command("render", "Draw a picture or a film of a model, without a display",
                                          "  torsor render robot.xml robot.png\n"
                                          "  torsor render robot.xml robot.png --time 2 --camera side --size 1280x720\n"
                                          "  torsor render robot.xml frame_%04d.png --duration 3 --fps 30\n"
                                          "  torsor render robot.xml robot.mp4 --keyframe home --track torso\n",
                                          "0 success, 1 error, 2 usage error, 130 interrupted with Ctrl-C");
  arguments->source.add_to(*command);
  command
      ->add_option("OUT", arguments->output, "picture.png, frame_%04d.png, or a video such as film.mp4 (needs ffmpeg)")
      ->type_name("")
      ->required();
  command->add_option("-t,--time", arguments->time, "Simulate this long before the (first) picture (default 0)")
      ->option_text("SECONDS")
      ->check(between(0, 1e6));
  command->add_option("-d,--duration", arguments->duration, "Length of a film in simulated time (default 5)")
      ->option_text("SECONDS")
      ->check(between(0, 1e5));
  command->add_option("--fps", arguments->fps, "Frames of a film per second of simulated time (default 30)")
      ->type_name("N")
      ->check(between(0.01, 1e4));
  command->add_option("--size", arguments->size, "Width and height in pixels (default 640x480)")->type_name("WxH");
  add_camera_options(*command, *arguments);
  command->add_option("--samples", arguments->samples, "Samples per pixel: 1, 4 (default) or 16")
      ->type_name("N")
      ->check(CLI::IsMember({1, 4, 16}));
  command->add_flag("--no-shadows", arguments->no_shadows, "Draw without shadows");
  command->add_flag(
      "--as-model", arguments->as_model,
      "Only the lights and the sky of the model, as MuJoCo draws it: without a sky texture the background "
      "is black");
  arguments->settings.add_to(*command);
  command->callback([&program, arguments] { program.run = [arguments] { return run_render(*arguments); }; });
}

}  // namespace torsor::cli
