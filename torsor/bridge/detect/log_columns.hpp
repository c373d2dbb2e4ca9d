// LogColumns: the columns of a recorded log by meaning, as far as known.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "torsor/convention/terms.hpp"
#include "torsor/format/table.hpp"

namespace torsor {

struct LogColumns {
  std::vector<double> time;      // seconds
  std::vector<double> position;  // 3 numbers per sample
  std::vector<double> rotation;  // 4 per sample, a quaternion in the order of its columns; or 9, a matrix row by row
  std::vector<double> linear;    // 3 per sample, or none
  std::vector<double> angular;   // 3 per sample, or none

  // If the order is unknown, `position` holds the first three of the seven numbers of a pose, `linear` the first three
  // of the six numbers of a twist.
  bool pose_order_known = true, twist_order_known = true;
  QuatOrder named_quat = QuatOrder::kUnspecified;  // the order according to the columns' names

  std::vector<std::string> joint_names;                // may be empty
  std::vector<double> joint_position, joint_velocity;  // a number per joint and sample, or none

  size_t samples() const { return time.size(); }
  size_t rotation_width() const { return time.empty() ? 0 : rotation.size() / time.size(); }
  size_t joints() const { return time.empty() ? 0 : joint_position.size() / time.size(); }
};

// "time=0,position=1:4,quat=4:8,linear=8:11,angular=11:14": columns by number, the end excluded, or by name.
// Also: pose, twist (order unknown), matrix, joints, rates.
LogColumns take_columns(const Table& table, const std::string& columns);

// By the names of the columns; without usable names, as time, pose and twist in unknown order.
LogColumns recognise_columns(const Table& table);

}  // namespace torsor
