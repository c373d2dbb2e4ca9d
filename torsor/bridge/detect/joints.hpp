// In which order a log lists the joints of a model.
#pragma once

#include <string>
#include <vector>

#include "torsor/bridge/detect/log_columns.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

struct JointFindings {
  bool examined = false;            // a model was given and the log has joints
  std::vector<std::string> orders;  // values of the cell "joints" that the log does not rule out
  std::vector<std::string>
      pairing;  // for each column of velocities that is not the rate of its own position: a sentence
  std::vector<std::string> notes;
};

// An order is ruled out by names, by positions outside the range of the joint, and by the number of joints. Free joints
// are not among the columns.
JointFindings find_joint_order(const LogColumns& log, const Model& model);

}  // namespace torsor
