// The links of a Robot as a tree: which joint leads to each, and which lead on.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "torsor/format/mjcf/report.hpp"
#include "torsor/format/urdf/robot.hpp"

namespace torsor::urdf {

class Tree {
 public:
  // Links and joints that are missing, named twice, or not connected as a tree are errors in the report. The robot and
  // the report are used as long as the tree is.
  Tree(const Robot& robot, mjcf::Report& report);

  bool is_sound() const { return is_sound_; }  // of others, only this may be asked
  int root() const { return root_; }
  int joint_to(int link) const { return to_[static_cast<size_t>(link)]; }
  const std::vector<int>& joints_from(int link) const { return from_[static_cast<size_t>(link)]; }
  int parent_of(int joint) const { return links_.at(robot_.joints[static_cast<size_t>(joint)].parent); }
  int child_of(int joint) const { return links_.at(robot_.joints[static_cast<size_t>(joint)].child); }

 private:
  void fail(const Location& where, const std::string& message, const std::string& hint = {});
  int find_link(const Joint& joint, const std::string& name);
  void connect(int index);
  void find_root();
  size_t count_below(int root) const;

  const Robot& robot_;
  mjcf::Report& report_;
  std::map<std::string, int> links_, joints_;
  std::vector<int> to_;                 // joint above a link, -1 of the root
  std::vector<std::vector<int>> from_;  // joints below a link, in the order of the file
  int root_ = -1;
  bool is_sound_ = true;
};

}  // namespace torsor::urdf
