// Motion files: which formats there are, and reading and writing by extension.
//
//   .bvh           row bvh; needs a unit of length
//   .npz           fields of SONIC's retargeted clips (row sonic), or of SMPL (row smpl)
//   .motion        our own binary form: exact, checked, with names
//   a folder       SONIC's deployment CSVs: joint_pos.csv, body_pos.csv, body_quat.csv (row isaaclab2)
//   .csv           degrees, centimetres and Euler angles: root_translateX, ..., <joint>_dof (row sonic, with other
//   cells)
//
// Pickles (.pkl, .joblib) are read by the Python package, which hands their fields to clip_from_fields().
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/convention/terms.hpp"
#include "torsor/format/motion/bvh.hpp"
#include "torsor/format/motion/clip.hpp"
#include "torsor/format/npy.hpp"
#include "torsor/format/zip.hpp"

namespace torsor {

// What a file may leave open. Zero and empty mean "not given"; a file that needs what is not given is an error.
struct MotionReadOptions {
  double unit = 0;                                 // metres in the file's unit of length
  UpAxis up = UpAxis::kUnspecified;                // default: that of the format
  double fps = 0;                                  // overrides that of the file
  QuatOrder quat_order = QuatOrder::kUnspecified;  // of root_rot
  std::vector<std::string> joints{};               // names of the joint coordinates, in the order of the file
  std::string robot{};                             // "g1": the names of a known robot, in the order of the format
  std::string euler{};                             // of Euler angles in CSV files, MuJoCo's spelling; default XYZ
};

struct MotionWriteOptions {
  double unit = 0;                    // of BVH (required) and CSV (default: centimetres)
  UpAxis up = UpAxis::kUnspecified;   // default: that of the format
  std::string euler{};                // BVH: order of the rotation channels, default zxy; CSV: default XYZ
  bool smpl = false;                  // .npz: fields of SMPL instead of SONIC's
  bool compressed = true;             // .npz
  std::vector<std::string> joints{};  // order of the joints in the file; default: Isaac Lab's of a known robot for
                                      // deployment folders, else that of the clip
};

// Metres in "m", "cm", "mm", "inch", "foot" or a number of metres. Throws an Error that lists them.
double parse_unit(std::string_view text);
// "y" or "z".
UpAxis parse_up(std::string_view text);

// By extension, or a folder. Throws an Error that names file, line and column where the format has lines.
MotionClip read_motion(const std::string& path, const MotionReadOptions& options = {});
// The same for the bytes of a file whose name has that extension.
MotionClip parse_motion(std::string_view bytes, const std::string& name, const MotionReadOptions& options = {});
// Whether the extension is that of a motion file.
bool is_motion_file(const std::string& name);
void write_motion(const std::string& path, const MotionClip& clip, const MotionWriteOptions& options = {});

// --- formats in memory
// ------------------------------------------------------------------------------------------------- Arrays by name.
// root_rot without a label has the order in which it agrees with pose_aa; the clip's notes say which.
using MotionFields = std::map<std::string, NpyArray>;
MotionClip clip_from_fields(const MotionFields& fields, const MotionReadOptions& options, const std::string& file);
// The same with the names of options.robot, in MuJoCo's order.
MotionClip read_fields(const MotionFields& fields, const MotionReadOptions& options, const std::string& file);
MotionFields sonic_fields(const MotionClip& clip);
MotionFields smpl_fields(const MotionClip& clip, UpAxis up);

MotionClip parse_motion_npz(std::string_view bytes, const MotionReadOptions& options, const std::string& file);
std::string format_motion_npz(const MotionFields& fields, ZipMethod method);

MotionClip parse_motion_binary(std::string_view bytes, const std::string& file = "clip.motion");
std::string format_motion_binary(const MotionClip& clip);

MotionClip parse_motion_csv(std::string_view text, const MotionReadOptions& options, const std::string& file);
std::string format_motion_csv(const MotionClip& clip, const MotionWriteOptions& options);

}  // namespace torsor
