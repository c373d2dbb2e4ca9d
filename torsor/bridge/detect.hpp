// detect: in which convention a log is, found by consistency. A log that holds poses and velocities tells more than its
// author wrote down: velocities are the rates of poses, under the right reading and under no other.
//
//   const DetectionReport report = detect(log);
//   report.ids            // "newton", "sap.public", ...: systems that write such numbers
//   report.undecided      // what this log cannot tell, and which recording would
// The method, and what a log can and cannot show: docs/detect.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "torsor/bridge/detect_joints.hpp"
#include "torsor/bridge/log_columns.hpp"
#include "torsor/convention/convention.hpp"
#include "torsor/math/vec3.hpp"

namespace torsor {

struct DetectOptions {
  // Centre of mass from the body's origin, metres in our axes; without it an offset is fitted.
  std::optional<Vec3<double>> p_BoBcm_B{};
  // An offset of the centre of mass that the log excludes down to this length, in its own unit, counts as none.
  double smallest_offset = 0.05;
};

// One reading of the columns, and how well velocities and poses agree under it.
struct Reading {
  Row row{};            // the cells that a log can show; all others are open
  bool turned = false;  // velocities are in axes that stand still, but turned against those of the pose
  Mat3<double> R_PV = Mat3<double>::identity();  // from the axes of velocities to those of positions, if turned
  Vec3<double> offset{0, 0, 0};        // from the posed point to the point whose velocity it is, in the posed frame
  Vec3<double> offset_error{0, 0, 0};  // one standard deviation
  double lag = 0;                      // seconds by which velocities are ahead of poses, half a step in many simulators
  double angular_residual = 0, linear_residual = 0;  // part of the motion that stays unexplained, 0 to 1
  double evidence = 0;    // natural logarithm of the odds against the best reading: 0 for the best, else negative
  double confidence = 0;  // probability among all readings
  bool possible = false;  // the log does not rule it out
};

struct Undecided {
  std::string cell;                  // such as "twist.angular"
  std::vector<std::string> choices;  // words of that cell that are left
  std::string reason, advice;        // why, and what recording would tell
};

// What a free fall in the log says.
struct SeenGravity {
  int axis = 0;          // 0, 1, 2 for the log's x, y, z
  int sign = 0;          // of the direction upwards along that axis; 0: no free fall was seen
  double length = 0;     // metres in a unit of length; 0 if the magnitude fits none
  double magnitude = 0;  // as measured, in units of length per s^2
};

struct DetectionReport {
  bool decided = false;                           // exactly one reading is possible, and it explains the motion
  std::vector<Reading> readings;                  // best first
  std::vector<std::string> ids;                   // conventions that fit
  std::vector<std::string> ids_if_com_at_origin;  // fit too if the centre of mass is at the posed point
  std::vector<Undecided> undecided;
  std::vector<std::string> not_shown;  // cells that no log of poses and velocities shows, or that this one does not
  std::vector<std::string> notes;
  SeenGravity gravity;
  JointFindings joints;
  size_t samples = 0, gaps = 0;
  double duration = 0, rate = 0;  // seconds; samples per second
};

// Throws an Error that names the sample for numbers that are not finite, times that do not increase and quaternions of
// no length; all else is an answer.
DetectionReport detect(const LogColumns& log, const DetectOptions& options = {});

// What is known about a recorded table besides its numbers.
struct TableDetectOptions {
  std::string columns{};         // as take_columns() reads them; "": recognised
  std::string body{};            // the body that the report is about; "": the one of which the table tells most
  const Model* model = nullptr;  // its centres of mass and joints
  DetectOptions detect{};
};

// detect() for a table of states, such as `torsor sim` and `torsor state` write: the columns of a body are found by
// their titles, or by unit quaternions where there are none; joints are examined if there is a model.
DetectionReport detect_table(const Table& table, const TableDetectOptions& options = {});

// For people, lines that end with '\n'; and for programs.
std::string to_text(const DetectionReport& report);
std::string to_json(const DetectionReport& report);

}  // namespace torsor
