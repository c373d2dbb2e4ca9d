// detect: finds the convention of a log by consistency. In a log of poses and velocities, the velocities are the time
// derivatives of the poses under the correct reading only.
//
//   const DetectionReport report = detect(log);
//   report.ids            // "newton", "sap.public", ...: systems that write such numbers
//   report.undecided      // what cannot be determined from this log, and which recording would determine it
// docs/detect.md explains the method and what a log can show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "torsor/bridge/detect/joints.hpp"
#include "torsor/bridge/detect/log_columns.hpp"
#include "torsor/convention/convention.hpp"
#include "torsor/math/vec3.hpp"

namespace torsor {

struct DetectOptions {
  // Centre of mass from the body's origin, in metres and MuJoCo's axes; without it, an offset is fitted.
  std::optional<Vec3<double>> p_BoBcm_B{};
  // If the log rules out offsets of the centre of mass larger than this (in its own unit), the offset counts as zero.
  double smallest_offset = 0.05;
};

// One reading of the columns, and how well velocities and poses agree under it.
struct Reading {
  Row row{};            // the cells that a log can show; all others are unspecified
  bool turned = false;  // velocities are in constant axes, rotated relative to those of the pose
  Mat3<double> R_PV = Mat3<double>::identity();  // from the axes of velocities to those of positions, if turned
  Vec3<double> offset{0, 0, 0};        // from the posed point to the point whose velocity it is, in the posed frame
  Vec3<double> offset_error{0, 0, 0};  // one standard deviation
  double lag = 0;                      // seconds by which velocities are ahead of poses, half a step in many simulators
  double angular_residual = 0, linear_residual = 0;  // unexplained fraction of the motion, 0 to 1
  double evidence = 0;    // natural logarithm of the odds relative to the best reading: 0 for the best, else negative
  double confidence = 0;  // probability among all readings
  bool possible = false;  // the log does not rule it out
};

struct Undecided {
  std::string cell;                  // such as "twist.angular"
  std::vector<std::string> choices;  // remaining values of that cell
  std::string reason, advice;        // why, and what to record
};

// Gravity, as seen in a free fall in the log.
struct SeenGravity {
  int axis = 0;          // 0, 1, 2 for the log's x, y, z
  int sign = 0;          // of the upward direction along that axis; 0: no free fall was found
  double length = 0;     // metres in a unit of length; 0 if the magnitude fits none
  double magnitude = 0;  // as measured, in units of length per s^2
};

struct DetectionReport {
  bool decided = false;                           // exactly one reading is possible, and it explains the motion
  std::vector<Reading> readings;                  // best first
  std::vector<std::string> ids;                   // conventions that fit
  std::vector<std::string> ids_in_other_axes;     // fit too: one of `ids` in axes that the log does not show
  std::vector<std::string> ids_if_com_at_origin;  // fit too if the centre of mass is at the posed point
  std::vector<Undecided> undecided;
  std::vector<std::string> not_shown;  // cells that this log, or any log of poses and velocities, does not show
  std::vector<std::string> notes;
  SeenGravity gravity;
  JointFindings joints;
  size_t samples = 0, gaps = 0;
  double duration = 0, rate = 0;  // seconds; samples per second
};

// Throws an Error that names the sample if numbers are not finite, times do not increase, or a quaternion is zero.
// Anything else gives a report.
DetectionReport detect(const LogColumns& log, const DetectOptions& options = {});

// Additional information about a recorded table.
struct TableDetectOptions {
  std::string columns{};         // as take_columns() reads them; "": recognised
  std::string body{};            // the body to report; "": the one with the most conclusive data
  const Model* model = nullptr;  // its centres of mass and joints
  DetectOptions detect{};
};

// detect() for a table of states, such as `torsor sim` and `torsor state` write: the columns of a body are found by
// name, or by unit quaternions if there are no names; joints are examined if there is a model.
DetectionReport detect_table(const Table& table, const TableDetectOptions& options = {});

// As text, lines that end with '\n'; and as JSON.
std::string to_text(const DetectionReport& report);
std::string to_json(const DetectionReport& report);

}  // namespace torsor
