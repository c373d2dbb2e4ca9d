// Which columns of a table are the coordinates, velocities and forces of which joints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "torsor/bridge/joint_system.hpp"
#include "torsor/convention/convention.hpp"
#include "torsor/format/table.hpp"

namespace torsor::cli {

// The numbers of one joint in a convention, by name: qw, qx, ..., vx, ...; one number without a name for a hinge or
// slide.
struct JointNumbers {
  std::string name;   // of the joint, "#2" if it has none, "" for a body without a model
  int rotation = -1;  // where its rotation starts among its coordinates, -1 if it has none
  std::vector<std::string> q, v, f;
};

// All joints, in the order in which the convention lists them.
struct StateLayout {
  std::vector<JointNumbers> joints;
  int nq = 0, nv = 0;
};
StateLayout make_layout(const JointSystem& system, const Convention& convention, const std::optional<Order>& order);

// Columns by their index in the table; those of velocities and forces may be empty.
struct StateColumns {
  int time = -1;
  std::vector<int> q, v, f;
  bool by_name = false;  // found by the names of joints
};

struct ColumnHints {
  bool forces = false;           // generalised forces come last
  std::optional<bool> has_time;  // whether the first column is time
};

// By the names of the columns, or by their number if the names are unknown. Throws an Error that says what would fit.
StateColumns find_columns(const torsor::Table& table, const StateLayout& layout, const ColumnHints& hints,
                          const std::string& file);

// Names for columns with the same content in another layout.
std::vector<std::string> name_columns(const StateLayout& layout, const StateColumns& like, const std::string& time);

}  // namespace torsor::cli
