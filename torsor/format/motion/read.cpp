// The formats by extension.
#include "torsor/format/motion/read.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "torsor/core/count.hpp"
#include "torsor/core/error.hpp"
#include "torsor/format/files.hpp"
#include "torsor/format/motion/deployment.hpp"
#include "torsor/format/motion/edit.hpp"
#include "torsor/format/motion/embodiment.hpp"

namespace torsor {
namespace {

constexpr std::uintmax_t kMostFileBytes = std::uintmax_t(kMostNumbers) * 8;

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending;
}

[[noreturn]] void fail_for_format(const std::string& path) {
  const std::string ending = ending_of(path);
  if (ending == ".pkl" || ending == ".pickle" || ending == ".joblib")
    fail_motion(path, "pickles are read and written by the Python package only", "torsor.motion.MotionClip.read(path)");
  fail_motion(path, "unknown kind of motion file",
              "known are .bvh, .npz, .motion, .csv, folders of deployment CSVs and, in Python, .pkl and .joblib");
}

// The names of a known robot, in the order of the format.
MotionReadOptions with_robot(const MotionReadOptions& given, bool is_isaac, const std::string& path) {
  MotionReadOptions options = given;
  if (given.robot.empty()) return options;
  if (!given.joints.empty()) fail_motion(path, "either the joints or the robot can be given, not both");
  const Embodiment robot = find_embodiment(given.robot);
  options.joints = is_isaac ? robot.isaaclab_joints : robot.mujoco_joints;
  return options;
}

// Where a format is in metres, the caller may know better.
void scale_positions(MotionClip& clip, double unit) {
  for (double& number : clip.root_pos) number *= unit > 0 ? unit : 1;
}

// Deployment clips have Isaac Lab's order, which the joints of a clip may not have.
MotionClip in_deployment_order(const MotionClip& clip, const MotionWriteOptions& options) {
  if (!options.joints.empty()) return reorder(clip, options.joints);
  if (clip.convention == "isaaclab2") return clip;  // it was read from such a folder, and has not been reordered
  std::vector<std::string> sorted = clip.joint_names;
  std::sort(sorted.begin(), sorted.end());
  for (const std::string& name : embodiment_names()) {
    const Embodiment robot = find_embodiment(name);
    std::vector<std::string> known = robot.isaaclab_joints;
    std::sort(known.begin(), known.end());
    if (sorted == known) return reorder(clip, robot.isaaclab_joints);
  }
  throw Error({Diagnostic{Severity::kError,
                          {},
                          "the joints of a deployment clip are in Isaac Lab's order, which is not known for this robot",
                          "pass the names in that order, joints=[...]"}});
}

}  // namespace

void fail_motion(const std::string& path, const std::string& message, const std::string& hint) {
  throw Error({Diagnostic{Severity::kError, {path, 0, 0}, message, hint}});
}

std::string read_motion_file(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) fail_motion(path, "the file does not exist");
  if (!is_regular_file(path)) fail_motion(path, "not a regular file");
  if (std::filesystem::file_size(path, failure) > kMostFileBytes) fail_motion(path, "the file is too large");
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.good() && !file.eof()) fail_motion(path, "the file cannot be read");
  return bytes;
}

void write_motion_file(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) fail_motion(path, "the file cannot be written");
}

double parse_unit(std::string_view text) {
  for (const auto& [name, metres] :
       {std::pair{"m", 1.0}, {"cm", 0.01}, {"mm", 0.001}, {"inch", 0.0254}, {"foot", 0.3048}}) {
    if (text == name) return metres;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0) || !std::isfinite(value))
    throw Error(fmt::format("unit '{}' is not known: use m, cm, mm, inch, foot, or a number of metres", text));
  return value;
}

UpAxis parse_up(std::string_view text) {
  if (text == "y" || text == "Y") return UpAxis::kY;
  if (text == "z" || text == "Z") return UpAxis::kZ;
  throw Error(fmt::format("up '{}' is not known: use y or z", text));
}

bool is_motion_file(const std::string& name) {
  const std::string ending = ending_of(name);
  return ending == ".bvh" || ending == ".npz" || ending == ".motion" || ending == ".csv";
}

MotionClip parse_motion(std::string_view bytes, const std::string& path, const MotionReadOptions& given) {
  const MotionReadOptions options = with_robot(given, false, path);
  const std::string ending = ending_of(path);
  MotionClip clip;
  if (ending == ".bvh")
    clip = parse_bvh(bytes, {options.unit, options.up == UpAxis::kUnspecified ? UpAxis::kY : options.up, "zxy"}, path);
  else if (ending == ".npz")
    clip = parse_motion_npz(bytes, options, path);
  else if (ending == ".motion")
    clip = parse_motion_binary(bytes, path);
  else if (ending == ".csv")
    clip = parse_motion_csv(bytes, options, path);
  else
    fail_for_format(path);
  if (ending == ".motion" && (options.unit > 0 || options.up != UpAxis::kUnspecified))
    fail_motion(path, "clips of this format are always in metres, with z up", "leave out the unit and the axis");
  if (ending == ".npz") scale_positions(clip, options.unit);
  if (options.fps != 0) clip.fps = options.fps;
  if (!options.joints.empty()) clip.joint_names = options.joints;
  if (clip.name.empty()) clip.name = file_stem(path);
  try {
    check_clip(clip);
  } catch (const Error& error) {
    fail_motion(path, error.diagnostics()[0].message, error.diagnostics()[0].hint);
  }
  return clip;
}

MotionClip read_motion(const std::string& path, const MotionReadOptions& given) {
  std::error_code failure;
  if (!std::filesystem::is_directory(path, failure)) {
    if (!is_motion_file(path)) fail_for_format(path);
    return parse_motion(read_motion_file(path), path, given);
  }
  const MotionReadOptions options = with_robot(given, true, path);
  MotionClip clip = read_deployment(path, options);
  to_z_up(clip, options.up);
  scale_positions(clip, options.unit);
  return clip;
}

MotionClip read_fields(const MotionFields& fields, const MotionReadOptions& options, const std::string& file) {
  return clip_from_fields(fields, with_robot(options, false, file), file);
}

void write_motion(const std::string& path, const MotionClip& given, const MotionWriteOptions& options) {
  const std::string ending = ending_of(path);
  const MotionClip clip = ending.empty()           ? in_deployment_order(given, options)
                          : options.joints.empty() ? given
                                                   : reorder(given, options.joints);
  if (ending == ".bvh") {
    const UpAxis up = options.up == UpAxis::kUnspecified ? UpAxis::kY : options.up;
    write_motion_file(path, format_bvh(clip, {options.unit, up, options.euler.empty() ? "zxy" : options.euler}));
  } else if (ending == ".npz") {
    const UpAxis up = options.up == UpAxis::kUnspecified ? UpAxis::kY : options.up;
    if (!options.smpl && options.up == UpAxis::kY)
      fail_motion(path, "retargeted clips have z up", "leave out up=, or write SMPL");
    const MotionFields fields = options.smpl ? smpl_fields(clip, up) : sonic_fields(clip);
    write_motion_file(path, format_motion_npz(fields, options.compressed ? ZipMethod::kDeflated : ZipMethod::kStored));
  } else if (ending == ".motion") {
    write_motion_file(path, format_motion_binary(clip));
  } else if (ending == ".csv") {
    write_motion_file(path, format_motion_csv(clip, options));
  } else if (ending.empty()) {
    const MotionVelocities velocities = compute_velocities(clip);
    write_deployment(path, clip, velocities.dof, velocities.root_linear, velocities.root_angular);
  } else {
    fail_for_format(path);
  }
}

}  // namespace torsor
