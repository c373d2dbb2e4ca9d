// The bodies of a recorded table: columns of whole states, as `torsor sim` and `torsor state` write them, sorted by
// body.
#pragma once

#include <string>
#include <vector>

#include "torsor/bridge/detect/log_columns.hpp"
#include "torsor/format/table.hpp"

namespace torsor {

// One body whose pose is in the table, and the columns of all hinges and slides.
struct LoggedBody {
  std::string joint{};  // the name of its free joint, "" if the columns have no names
  LogColumns log{};
};

// Recognises, in this order: names of whole states ("qpos.root.x", "v.root.wx", "q.elbow"), names of one body ("x",
// "qw", "pose.orientation.z", ...), numbered columns ("q0", "v0", ...) and columns without names. If the names do not
// show which columns are a pose, unit quaternions do; each possibility is one entry. A table with only hinges and
// slides is one entry without a pose. Throws an Error that lists what is recognised.
std::vector<LoggedBody> recognise_bodies(const Table& table);

}  // namespace torsor
