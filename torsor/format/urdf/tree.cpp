#include "torsor/format/urdf/tree.hpp"

#include <fmt/format.h>

namespace torsor::urdf {

Tree::Tree(const Robot& robot, mjcf::Report& report) : robot_(robot), report_(report) {
  for (size_t i = 0; i < robot.links.size(); ++i) {
    const Link& link = robot.links[i];
    if (!links_.emplace(link.name, static_cast<int>(i)).second)
      report.error(link.where, fmt::format("there are two links called '{}'", link.name));
  }
  to_.assign(robot.links.size(), -1);
  from_.resize(robot.links.size());
  for (size_t j = 0; j < robot.joints.size(); ++j) connect(static_cast<int>(j));
  if (is_sound_) find_root();
}

void Tree::fail(const Location& where, const std::string& message, const std::string& hint) {
  report_.error(where, message, hint);
  is_sound_ = false;
}

int Tree::find_link(const Joint& joint, const std::string& name) {
  if (const auto found = links_.find(name); found != links_.end()) return found->second;
  std::vector<std::string> names;
  for (const Link& link : robot_.links) names.push_back(link.name);
  fail(joint.where, fmt::format("joint '{}' refers to the link '{}', which does not exist", joint.name, name),
       mjcf::suggest(name, names));
  return -1;
}

void Tree::connect(int index) {
  const Joint& joint = robot_.joints[static_cast<size_t>(index)];
  if (!joints_.emplace(joint.name, index).second)
    fail(joint.where, fmt::format("there are two joints called '{}'", joint.name));
  const int parent = find_link(joint, joint.parent), child = find_link(joint, joint.child);
  if (parent < 0 || child < 0) return;
  int& to = to_[static_cast<size_t>(child)];
  if (to >= 0)
    return fail(joint.where,
                fmt::format("link '{}' is the child of two joints, '{}' and '{}'", joint.child,
                            robot_.joints[static_cast<size_t>(to)].name, joint.name),
                "the links of URDF are a tree");
  to = index;
  from_[static_cast<size_t>(parent)].push_back(index);
}

void Tree::find_root() {
  for (size_t i = 0; i < to_.size(); ++i) {
    if (to_[i] >= 0) continue;
    if (root_ >= 0)
      return fail(robot_.links[i].where,
                  fmt::format("links '{}' and '{}' both have no parent: one root is needed",
                              robot_.links[static_cast<size_t>(root_)].name, robot_.links[i].name),
                  "a joint of type fixed connects them");
    root_ = static_cast<int>(i);
  }
  if (root_ < 0)
    return fail(robot_.where, robot_.links.empty() ? "the robot has no links" : "every link is the child of another");
  if (const size_t reached = count_below(root_); reached != to_.size())
    fail(robot_.links[static_cast<size_t>(root_)].where,
         fmt::format("{} links are not connected to the root '{}': their joints are a loop", to_.size() - reached,
                     robot_.links[static_cast<size_t>(root_)].name));
}

size_t Tree::count_below(int root) const {
  std::vector<int> stack{root};
  size_t count = 0;
  for (; !stack.empty(); ++count) {
    const int link = stack.back();
    stack.pop_back();
    for (const int joint : joints_from(link)) stack.push_back(child_of(joint));
  }
  return count;
}

}  // namespace torsor::urdf
