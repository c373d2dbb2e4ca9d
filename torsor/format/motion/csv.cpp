// Motion in CSV: one file in degrees and centimetres with Euler angles, or a folder of SONIC's deployment files.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "torsor/convention/euler.hpp"
#include "torsor/core/error.hpp"
#include "torsor/format/motion/deployment.hpp"
#include "torsor/format/motion/read.hpp"
#include "torsor/format/table.hpp"

namespace torsor {
namespace {

constexpr double kCsvDegree = M_PI / 180, kCentimetre = 0.01;
constexpr const char* kRootColumns[6] = {"root_translateX", "root_translateY", "root_translateZ",
                                         "root_rotateX",    "root_rotateY",    "root_rotateZ"};
constexpr std::string_view kDofEnding = "_dof";

rotations::EulerSequence sequence_of(const std::string& letters) {
  return rotations::make_euler_sequence(letters, rotations::EulerSpelling::kMujoco);
}

// Columns of joints: all but the frame number and the root.
std::vector<size_t> joint_columns(const Table& table) {
  std::vector<size_t> columns;
  for (size_t i = 0; i < table.width(); ++i) {
    const std::string& name = table.columns[i];
    if (name != "Frame" && name != "frame" && !name.starts_with("root_")) columns.push_back(i);
  }
  return columns;
}

void check_columns(const Table& table, const std::string& file) {
  std::vector<std::string> missing;
  for (const char* name : kRootColumns) {
    if (table.find(name) < 0) missing.push_back(name);
  }
  if (!missing.empty())
    fail_motion(file, fmt::format("no columns {}", fmt::join(missing, ", ")),
                "a motion in CSV has root_translateX, ..., root_rotateZ and <joint>_dof in centimetres and degrees");
}

}  // namespace

MotionClip parse_motion_csv(std::string_view text, const MotionReadOptions& options, const std::string& file) {
  const Table table = parse_csv(text, file);
  check_columns(table, file);
  if (options.fps == 0) fail_motion(file, "the file has no frame rate", "pass fps=");
  const std::string letters = options.euler.empty() ? "XYZ" : options.euler;
  const rotations::EulerSequence sequence = sequence_of(letters);
  const double unit = options.unit > 0 ? options.unit : kCentimetre;
  const std::vector<size_t> joints = joint_columns(table);
  MotionClip clip;
  clip.convention =
      fmt::format("sonic[rotation=euler,euler={},angle=deg,length={},pose=position first]", letters, unit);
  if (options.unit <= 0)
    clip.notes.push_back("positions are in centimetres, as SONIC's CSV files have them; unit= overrides it");
  clip.fps = options.fps;
  clip.dofs = int(joints.size());
  set_frames(clip, int(table.rows));
  for (size_t f = 0; f < table.rows; ++f) {
    double root[6];
    for (size_t i = 0; i < 6; ++i) root[i] = table.at(f, size_t(table.find(kRootColumns[i])));
    store3(&clip.root_pos[f * 3], load3(root) * unit);
    store4(&clip.root_quat[f * 4], rotations::quat_from_euler(sequence, load3(root + 3) * kCsvDegree));
    for (size_t j = 0; j < joints.size(); ++j) clip.dof[f * joints.size() + j] = table.at(f, joints[j]) * kCsvDegree;
  }
  for (const size_t column : joints) {
    std::string name = table.columns[column];
    if (name.ends_with(kDofEnding)) name.resize(name.size() - kDofEnding.size());
    clip.joint_names.push_back(name);
  }
  if (!options.joints.empty()) clip.joint_names = options.joints;
  to_z_up(clip, options.up);
  check_clip(clip);
  return clip;
}

std::string format_motion_csv(const MotionClip& clip, const MotionWriteOptions& options) {
  if (clip.dofs == 0) throw Error("a motion in CSV has joint coordinates, and the clip has none");
  const rotations::EulerSequence sequence = sequence_of(options.euler.empty() ? "XYZ" : options.euler);
  const double unit = options.unit > 0 ? options.unit : kCentimetre;
  MotionClip turned = clip;
  from_z_up(turned, options.up);
  Table table;
  table.columns = {"Frame"};
  table.columns.insert(table.columns.end(), std::begin(kRootColumns), std::end(kRootColumns));
  for (int j = 0; j < clip.dofs; ++j)
    table.columns.push_back((clip.joint_names.empty() ? fmt::format("joint_{}", j) : clip.joint_names[size_t(j)]) +
                            std::string(kDofEnding));
  table.rows = size_t(clip.frames);
  for (int f = 0; f < clip.frames; ++f) {
    const Vec3<double> p = turned.p_WoRo_W(f) / unit;
    const Vec3<double> angles = rotations::euler_from_quat(sequence, turned.q_WR(f)) / kCsvDegree;
    table.data.insert(table.data.end(), {double(f), p.x, p.y, p.z, angles.x, angles.y, angles.z});
    for (const double value : clip.dof_of(f)) table.data.push_back(value / kCsvDegree);
  }
  return format_csv(table);
}

namespace {

// A table of the folder, without columns that count frames or time.
Table read_part(const std::filesystem::path& folder, const char* name) { return read_table((folder / name).string()); }
bool has_part(const std::filesystem::path& folder, const char* name) {
  return std::filesystem::is_regular_file(folder / name);
}

void check_frames(const Table& table, const char* name, size_t frames, const std::string& folder) {
  if (table.rows != frames)
    fail_motion(folder, fmt::format("{} has {} frames, joint_pos.csv has {}", name, table.rows, frames));
}

// The columns of a body start with the root's. metadata.txt lists Isaac Lab's index of each body: "[ 0  4 10 ...]".
void check_root_is_first(const std::filesystem::path& folder) {
  if (!has_part(folder, "metadata.txt")) return;
  const std::string text = read_motion_file((folder / "metadata.txt").string());
  const size_t title = text.find("Body part indexes"), open = text.find('[', title);
  if (title == text.npos || open == text.npos) return;
  const size_t digit = text.find_first_not_of(" \t\r\n", open + 1);
  const bool is_zero = digit != text.npos && text[digit] == '0' &&
                       !(digit + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[digit + 1])));
  if (!is_zero) fail_motion((folder / "metadata.txt").string(), "the first body is not the root: its index must be 0");
}

}  // namespace

MotionClip read_deployment(const std::string& path, const MotionReadOptions& options) {
  const std::filesystem::path folder(path);
  std::vector<std::string> missing;
  for (const char* name : {"joint_pos.csv", "body_quat.csv"}) {
    if (!has_part(folder, name)) missing.push_back(name);
  }
  if (!missing.empty())
    fail_motion(path, fmt::format("the folder has no {}", fmt::join(missing, " and no ")),
                "a deployment clip is a folder with joint_pos.csv, body_pos.csv and body_quat.csv");
  check_root_is_first(folder);
  const Table joints = read_part(folder, "joint_pos.csv"), quats = read_part(folder, "body_quat.csv");
  MotionClip clip;
  clip.convention = "isaaclab2";
  clip.name = folder.filename().string();
  clip.fps = options.fps != 0 ? options.fps : kDeploymentRate;
  if (options.fps == 0)
    clip.notes.push_back("50 frames per second, as SONIC's deployment reads them; fps= overrides it");
  clip.dofs = int(joints.width());
  const size_t frames = joints.rows;
  set_frames(clip, int(frames));
  clip.dof = joints.data;
  check_frames(quats, "body_quat.csv", frames, path);
  if (quats.width() % 4) fail_motion(path, fmt::format("body_quat.csv has {} columns, not 4 per body", quats.width()));
  for (size_t f = 0; f < frames; ++f) std::copy_n(&quats.data[f * quats.width()], 4, &clip.root_quat[f * 4]);
  if (has_part(folder, "body_pos.csv")) {
    const Table positions = read_part(folder, "body_pos.csv");
    check_frames(positions, "body_pos.csv", frames, path);
    if (positions.width() % 3)
      fail_motion(path, fmt::format("body_pos.csv has {} columns, not 3 per body", positions.width()));
    for (size_t f = 0; f < frames; ++f) std::copy_n(&positions.data[f * positions.width()], 3, &clip.root_pos[f * 3]);
    if (positions.width() > 3)
      clip.notes.push_back(fmt::format("the poses of {} more bodies are not kept: forward kinematics gives them",
                                       positions.width() / 3 - 1));
  } else {
    clip.notes.push_back("no body_pos.csv: the root stays at the origin");
  }
  if (has_part(folder, "joint_vel.csv"))
    check_frames(read_part(folder, "joint_vel.csv"), "joint_vel.csv", frames, path);
  clip.joint_names = options.joints;
  clip.notes.push_back("joints are in Isaac Lab's order");
  check_clip(clip);
  return clip;
}

void write_deployment(const std::string& path, const MotionClip& clip, const std::vector<double>& joint_vel,
                      const std::vector<double>& root_vel, const std::vector<double>& root_angvel) {
  if (clip.dofs == 0) throw Error("a deployment clip has joint coordinates, and the clip has none");
  const std::filesystem::path folder(path);
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) fail_motion(path, fmt::format("the folder cannot be made: {}", failure.message()));
  const auto write = [&](const char* name, const std::string& prefix, const std::vector<const char*>& endings,
                         int count, const std::vector<double>& data) {
    Table table;
    for (int i = 0; i < count; ++i) {
      for (const char* ending : endings) table.columns.push_back(fmt::format("{}{}{}", prefix, i, ending));
    }
    table.rows = size_t(clip.frames), table.data = data;
    write_table((folder / name).string(), table);
  };
  write("joint_pos.csv", "joint_", {""}, clip.dofs, clip.dof);
  write("joint_vel.csv", "joint_vel_", {""}, clip.dofs, joint_vel);
  write("body_pos.csv", "body_", {"_x", "_y", "_z"}, 1, clip.root_pos);
  write("body_quat.csv", "body_", {"_w", "_x", "_y", "_z"}, 1, clip.root_quat);
  write("body_lin_vel.csv", "body_", {"_vel_x", "_vel_y", "_vel_z"}, 1, root_vel);
  write("body_ang_vel.csv", "body_", {"_angvel_x", "_angvel_y", "_angvel_z"}, 1, root_angvel);
  write_motion_file(
      (folder / "metadata.txt").string(),
      fmt::format(
          "Metadata for: {}\n==============================\n\nBody part indexes:\n[0]\n\nTotal timesteps: {}\n",
          folder.filename().string(), clip.frames));
}

}  // namespace torsor
