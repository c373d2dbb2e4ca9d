// torsor motion: reads, converts, plays and compares motion clips.
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/model_source.hpp"
#include "cli/numbers.hpp"
#include "cli/python_command.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/validators.hpp"
#include "torsor/bridge/motion/ground.hpp"
#include "torsor/bridge/motion/tracking.hpp"
#include "torsor/format/motion/embodiment.hpp"
#include "torsor/format/motion/read.hpp"

namespace torsor::cli {
namespace {

struct MotionArguments {
  std::string file, other, out, model, name;
  std::string unit, up, quat_order, robot, euler, out_unit, out_up, out_euler;
  std::vector<std::string> joints;
  double fps = 0, resample = 0, kp = 0, kd = 0;
  bool smpl = false, stored = false, mirror = false, hold_root = false;
  IgnoreOption ignore;
};

MotionReadOptions read_options(const MotionArguments& arguments) {
  MotionReadOptions options;
  options.unit = arguments.unit.empty() ? 0 : parse_unit(arguments.unit);
  options.up = arguments.up.empty() ? UpAxis::kUnspecified : parse_up(arguments.up);
  options.fps = arguments.fps;
  options.quat_order = arguments.quat_order == "wxyz"   ? QuatOrder::kWxyz
                       : arguments.quat_order == "xyzw" ? QuatOrder::kXyzw
                                                        : QuatOrder::kUnspecified;
  options.robot = arguments.robot, options.joints = arguments.joints, options.euler = arguments.euler;
  return options;
}

void print_notes(const MotionClip& clip) {
  const Terminal terminal(stderr);
  for (const std::string& note : clip.notes) terminal.write(fmt::format("note: {}\n", printable(note)));
}

MotionClip read_clip(const MotionArguments& arguments, const std::string& file) {
  MotionReadOptions options = read_options(arguments);
  // of two files that are compared, the options are for the one that needs them
  if (file.ends_with(".motion")) options.unit = 0, options.up = UpAxis::kUnspecified;
  MotionClip clip = read_motion(file, options);
  print_notes(clip);
  return clip;
}

std::string first_names(const std::vector<std::string>& names) {
  constexpr size_t kShown = 6;
  std::vector<std::string> shown(names.begin(), names.begin() + long(std::min(kShown, names.size())));
  const std::string text = printable(fmt::format("{}", fmt::join(shown, ", ")));
  return names.size() > kShown ? text + ", ..." : text;
}

int print_info(const MotionArguments& arguments) {
  const MotionClip clip = read_clip(arguments, arguments.file);
  const Terminal terminal(stdout);
  Table table({{}, {}});
  table.add({"file", printable(arguments.file)});
  table.add({"convention", clip.convention.empty() ? "none" : clip.convention});
  table.add(
      {"frames", fmt::format("{} at {:g} per second, {:.4g} s", format_count(clip.frames), clip.fps, clip.duration())});
  Vec3<double> low = clip.p_WoRo_W(0), high = low;
  for (int f = 1; f < clip.frames; ++f) {
    const Vec3<double> p = clip.p_WoRo_W(f);
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  table.add({"root", fmt::format("x {:.3g} to {:.3g}, y {:.3g} to {:.3g}, z (up) {:.3g} to {:.3g} m", low.x, high.x,
                                 low.y, high.y, low.z, high.z)});
  table.add({"joints", clip.dofs == 0 ? "none"
                                      : fmt::format("{}{}", clip.dofs,
                                                    clip.joint_names.empty() ? ", names not known"
                                                                             : ": " + first_names(clip.joint_names))});
  std::vector<std::string> bodies;
  for (const MotionBody& body : clip.bodies) bodies.push_back(body.name);
  table.add({"bodies", bodies.empty() ? "none" : fmt::format("{}: {}", bodies.size(), first_names(bodies))});
  terminal.write(table.text(terminal));
  return kExitOk;
}

int convert_clip(const MotionArguments& arguments) {
  std::error_code ignored;
  if (std::filesystem::equivalent(arguments.file, arguments.out, ignored))
    throw Error(fmt::format("'{}' is the input file: writing there would destroy it", arguments.out));
  MotionClip clip = read_clip(arguments, arguments.file);
  if (arguments.resample > 0) clip = resample(clip, arguments.resample);
  if (arguments.mirror) {
    const JointMirror joints = clip.dofs > 0 ? mirror_joints_by_name(clip.joint_names) : JointMirror{};
    clip = mirror(clip, joints, clip.dofs > 0 ? 1 : 0);
  }
  MotionWriteOptions options;
  options.unit = arguments.out_unit.empty() ? 0 : parse_unit(arguments.out_unit);
  options.up = arguments.out_up.empty() ? UpAxis::kUnspecified : parse_up(arguments.out_up);
  options.euler = arguments.out_euler, options.smpl = arguments.smpl, options.compressed = !arguments.stored;
  write_motion(arguments.out, clip, options);
  Terminal(stdout).write(fmt::format("{}: {} at {:g} per second\n", printable(arguments.out),
                                     format_plural(clip.frames, "frame", "frames"), clip.fps));
  return kExitOk;
}

int play(const MotionArguments& arguments) {
  const Model model = load_model(arguments.model, arguments.ignore);
  const MotionClip clip = read_clip(arguments, arguments.file);
  const Interrupt interrupt;
  PlayOptions options{arguments.kp, arguments.kd, arguments.hold_root, 100, [&] { return interrupt.requested(); }};
  const Playback result = play_clip(model, clip, options);
  const Terminal terminal(stdout);
  const std::string how = result.uses_actuators ? "the model's position actuators" : "PD forces on the joints";
  terminal.write(fmt::format("{} of {} simulated, {} s steps, driven by {}\n",
                             format_plural(result.motion.frames, "frame", "frames"), format_count(clip.frames),
                             format_number(model.opt.timestep), how));
  if (result.frames_up < result.motion.frames)
    terminal.write(fmt::format("fell in frame {}, at {:.3g} s\n", result.frames_up, result.frames_up / clip.fps));
  terminal.write(to_text(result.errors));
  if (!arguments.out.empty()) write_motion(arguments.out, result.motion);
  if (result.cancelled) return kExitInterrupted;
  return result.diverged ? kExitDiverged : kExitOk;
}

int compare(const MotionArguments& arguments) {
  const MotionClip a = read_clip(arguments, arguments.file), b = read_clip(arguments, arguments.other);
  TrackingErrors errors;
  if (arguments.model.empty())
    errors = compare_clips(a, b);
  else
    errors = compare_clips(load_model(arguments.model, arguments.ignore), a, b);
  Terminal(stdout).write(
      fmt::format("{} compared\n{}", format_plural(errors.frames, "frame", "frames"), to_text(errors)));
  return kExitOk;
}

constexpr const char* kCodes =
    "0 success, 1 error, 2 usage error, 3 the simulation diverged, 130 interrupted with Ctrl-C";

void add_read_options(CLI::App& part, const std::shared_ptr<MotionArguments>& arguments) {
  part.add_option("--unit", arguments->unit,
                  "Unit of length of the file: m, cm, mm, inch, foot or metres; BVH needs it")
      ->type_name("UNIT");
  part.add_option("--up", arguments->up, "Vertical axis of the file, y or z (default: that of the format)")
      ->transform(one_of("axis", {"y", "z"}))
      ->type_name("AXIS");
  part.add_option("--fps", arguments->fps, "Frames per second, where the file does not say or is wrong")
      ->check(more_than(0))
      ->type_name("FPS");
  part.add_option("--quat-order", arguments->quat_order, "Order of root_rot, wxyz or xyzw, where pose_aa does not tell")
      ->transform(one_of("order", {"wxyz", "xyzw"}))
      ->type_name("ORDER");
  part.add_option("--robot", arguments->robot, "Names of the joints: those of a known robot (g1)")
      ->transform(one_of("robot", embodiment_names()))
      ->type_name("NAME");
  part.add_option("--joints", arguments->joints, "Names of the joints, in the order of the file, separated by commas")
      ->delimiter(',')
      ->type_name("NAMES");
  part.add_option("--name", arguments->name, "Name of the clip, in a pickle with several")->type_name("NAME");
  part.add_option("--euler", arguments->euler, "Sequence of the root's angles in CSV, MuJoCo's spelling (default XYZ)")
      ->type_name("XYZ");
}

CLI::App* add_part(CLI::App& parent, const char* name, const char* meaning, const char* examples) {
  CLI::App* part = parent.add_subcommand(name, meaning);
  part->set_help_flag("-h,--help", "Print this help and exit");
  part->footer(std::string("Examples:\n") + examples + "\nExit codes: " + kCodes + ".");
  return part;
}

bool is_pickle(const std::string& file) {
  return file.ends_with(".pkl") || file.ends_with(".pickle") || file.ends_with(".joblib");
}

CLI::App* add_info(CLI::App& parent, MotionArguments& arguments) {
  CLI::App* part = add_part(parent, "info", "Describe a clip", "  torsor motion info walk.bvh --unit cm\n");
  part->add_option("FILE", arguments.file, "Clip: .bvh, .npz, .motion, .csv, .pkl, .joblib, or a folder of CSVs")
      ->required()
      ->type_name("");
  return part;
}

CLI::App* add_convert_part(CLI::App& parent, MotionArguments& arguments) {
  CLI::App* part = add_part(parent, "convert", "Write a clip in another format",
                            "  torsor motion convert walk.pkl walk.motion --resample 50\n");
  part->add_option("FILE", arguments.file, "Clip to read")->required()->type_name("");
  part->add_option("OUT", arguments.out,
                   "File to write: .bvh, .npz, .motion, .csv, .pkl; without extension, a deployment folder")
      ->required()
      ->type_name("");
  part->add_option("--resample", arguments.resample, "Frames per second of the result")
      ->check(more_than(0))
      ->type_name("FPS");
  part->add_flag("--mirror", arguments.mirror, "Exchange left and right");
  part->add_option("--out-unit", arguments.out_unit, "Unit of length of the result, where its format needs one")
      ->type_name("UNIT");
  part->add_option("--out-up", arguments.out_up, "Vertical axis of the result (default: that of the format)")
      ->transform(one_of("axis", {"y", "z"}))
      ->type_name("AXIS");
  part->add_option("--out-euler", arguments.out_euler, "Order of rotation channels (BVH) or angles (CSV)")
      ->type_name("XYZ");
  part->add_flag("--smpl", arguments.smpl, "Write SMPL's fields to .npz");
  part->add_flag("--stored", arguments.stored, "Do not compress .npz");
  return part;
}

CLI::App* add_play(CLI::App& parent, MotionArguments& arguments) {
  CLI::App* part = add_part(parent, "play", "Track a clip with PD control in simulation, and print the errors",
                            "  torsor motion play g1.xml walk.npz --robot g1 --hold-root\n");
  part->add_option("MODEL", arguments.model, "Model file, MJCF, URDF or binary")->required()->type_name("");
  part->add_option("FILE", arguments.file, "Clip to track")->required()->type_name("");
  part->add_option("--kp", arguments.kp, "Stiffness of all joints (default: the model's position actuators, or 5 Hz)")
      ->check(more_than(0))
      ->type_name("X");
  part->add_option("--kd", arguments.kd, "Damping of all joints (default: critical)")
      ->check(more_than(0))
      ->type_name("X");
  part->add_flag("--hold-root", arguments.hold_root, "Let the root follow the clip instead of falling");
  part->add_option("--out", arguments.out, "Write the motion that results")->type_name("OUT");
  arguments.ignore.add_to(*part);
  return part;
}

CLI::App* add_compare(CLI::App& parent, MotionArguments& arguments) {
  CLI::App* part = add_part(parent, "compare", "Print the errors of a clip that should follow another",
                            "  torsor motion compare walk.npz played.npz --model g1.xml\n");
  part->add_option("A", arguments.file, "Clip that should be followed")->required()->type_name("");
  part->add_option("B", arguments.other, "Clip that follows it")->required()->type_name("");
  part->add_option("--model", arguments.model, "Model, for errors of bodies")->type_name("MODEL");
  arguments.ignore.add_to(*part);
  return part;
}

// Pickles are read by the Python package: it makes clips of them, and starts this program again.
int run_part(const MotionArguments& arguments, int (*work)(const MotionArguments&),
             const std::vector<std::string>& words) {
  for (const std::string* file : {&arguments.file, &arguments.other, &arguments.out}) {
    if (is_pickle(*file)) run_in_python("motion_of_pickles", {words.begin() + 1, words.end()});
  }
  return work(arguments);
}

}  // namespace

void add_motion(Program& program) {
  const auto arguments = std::make_shared<MotionArguments>();
  CLI::App* command = program.add_command("motion", "Show, convert, play and compare motion clips",
                                          "  torsor motion info walk.bvh --unit cm\n"
                                          "  torsor motion convert walk.pkl walk.motion --resample 50\n"
                                          "  torsor motion convert walk.npz walk.csv --robot g1\n"
                                          "  torsor motion play g1.xml walk.npz --hold-root --out played.npz\n"
                                          "  torsor motion compare walk.npz played.npz --model g1.xml\n",
                                          kCodes);
  command->require_subcommand(1);
  const std::pair<CLI::App*, int (*)(const MotionArguments&)> parts[] = {
      {add_info(*command, *arguments), print_info},
      {add_convert_part(*command, *arguments), convert_clip},
      {add_play(*command, *arguments), play},
      {add_compare(*command, *arguments), compare}};
  for (const auto& [part, work] : parts) {
    add_read_options(*part, arguments);
    part->callback([&program, arguments, work = work] {
      program.run = [arguments, work, words = program.words] { return run_part(*arguments, work, words); };
    });
  }
}

}  // namespace torsor::cli
