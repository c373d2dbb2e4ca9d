// The bodies of a recorded table: columns of whole states, as `torsor sim` and `torsor state` write them, sorted by
// body.
#pragma once

#include <string>
#include <vector>

#include "torsor/bridge/log_columns.hpp"
#include "torsor/format/table.hpp"

namespace torsor {

// One body whose pose the table has, and the columns of all hinges and slides beside it.
struct LoggedBody {
  std::string joint{};  // the name of its free joint, "" where the columns have no names
  LogColumns log{};
};

// Reads, in this order: titles of whole states ("qpos.root.x", "v.root.wx", "q.elbow"), titles of one body ("x", "qw",
// "pose.orientation.z", ...), numbered titles ("q0", "v0", ...) and columns without titles. Where titles do not say
// which numbers are a pose, unit quaternions do; each way to read them is one entry. A table that has only hinges and
// slides is one entry without a pose. Throws an Error that says what would be understood.
std::vector<LoggedBody> recognise_bodies(const Table& table);

}  // namespace torsor
