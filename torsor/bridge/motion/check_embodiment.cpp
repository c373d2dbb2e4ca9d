#include "torsor/bridge/motion/check_embodiment.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace torsor {
namespace {

using Problems = std::vector<std::string>;

// Names of one list that the other does not have.
std::vector<std::string> without(const std::vector<std::string>& list, const std::vector<std::string>& other) {
  const std::set<std::string> known(other.begin(), other.end());
  std::vector<std::string> rest;
  for (const std::string& name : list) {
    if (!known.contains(name)) rest.push_back(name);
  }
  return rest;
}

bool check_names(const std::vector<std::string>& table, const std::vector<std::string>& model, const char* what,
                 Problems& problems) {
  const size_t before = problems.size();
  for (const std::string& name : without(table, model)) {
    const std::string nearest = find_nearest(name, model);
    problems.push_back(fmt::format("{}: the model has no joint '{}'{}", what, name,
                                   nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest)));
  }
  for (const std::string& name : without(model, table))
    problems.push_back(fmt::format("{}: joint '{}' of the model is missing", what, name));
  std::set<std::string> seen;
  for (const std::string& name : table) {
    if (!seen.insert(name).second) problems.push_back(fmt::format("{}: '{}' is listed twice", what, name));
  }
  return problems.size() == before;
}

void check_order(const std::vector<std::string>& table, const std::vector<std::string>& rule, const char* what,
                 const char* rule_name, Problems& problems) {
  for (size_t i = 0; i < table.size(); ++i) {
    if (table[i] == rule[i]) continue;
    problems.push_back(fmt::format("{}: entry {} is '{}', but the model's {} order has '{}' there", what, i, table[i],
                                   rule_name, rule[i]));
    return;  // what follows is shifted
  }
}

void check_root(const Model& model, const Embodiment& robot, Problems& problems) {
  const int body = model.find(ObjectType::kBody, robot.root);
  if (body <= 0) return problems.push_back(fmt::format("root: the model has no body '{}'", robot.root));
  const int joint = model.body_jntadr[body];
  if (joint < 0 || static_cast<JointType>(model.jnt_type[joint]) != JointType::kFree)
    problems.push_back(fmt::format("root: body '{}' has no free joint, so that the clip cannot move it", robot.root));
}

void check_sides(const Embodiment& robot, Problems& problems) {
  try {
    find_partners(robot.mujoco_joints);
  } catch (const Error& error) {
    problems.push_back(fmt::format("mirror: {}", error.what()));
  }
}

void check_limits(const Model& model, const MotionClip& clip, const ClipOnModel& map, Problems& problems) {
  constexpr double kTolerance = 1e-3;
  for (size_t i = 0; i < map.joints().size(); ++i) {
    const int joint = map.joints()[i];
    if (!model.jnt_limited[joint]) continue;
    const double low = model.jnt_range[2 * joint], high = model.jnt_range[2 * joint + 1];
    double beyond = 0;
    int worst = 0, count = 0;
    for (int f = 0; f < clip.frames; ++f) {
      const double value = clip.dof_of(f)[i], excess = std::max(low - value, value - high);
      count += excess > kTolerance;
      if (excess > beyond) beyond = excess, worst = f;
    }
    if (count > 0)
      problems.push_back(fmt::format(
          "limits: '{}' leaves [{:.4g}, {:.4g}] in {} of {} frames, most in frame {}: {:.4g}",
          model.name(ObjectType::kJoint, joint), low, high, count, clip.frames, worst, clip.dof_of(worst)[i]));
  }
}

void check_ground(const Model& model, const Embodiment& robot, const MotionClip& clip, Problems& problems) {
  constexpr double kDeep = 0.05, kHigh = 0.1;  // m
  FootContactOptions options;
  options.feet = robot.feet;
  const FootContacts contacts = find_foot_contacts(model, clip, options);
  const auto [lowest, highest] = std::minmax_element(contacts.heights.begin(), contacts.heights.end());
  if (*lowest < -kDeep)
    problems.push_back(
        fmt::format("ground: a foot is {:.3g} m below the ground in frame {}: wrong unit, up axis or root height?",
                    -*lowest, size_t(lowest - contacts.heights.begin()) / robot.feet.size()));
  if (*lowest > kHigh)
    problems.push_back(fmt::format(
        "ground: the feet never come nearer than {:.3g} m to the ground: wrong unit, up axis or root height?",
        *lowest));
}

}  // namespace

std::vector<std::string> check_embodiment(const Model& model, const Embodiment& robot, const MotionClip* clip) {
  Problems problems;
  const std::vector<std::string> depth = scalar_joint_names(model, JointOrder::kDepthFirst),
                                 breadth = scalar_joint_names(model, JointOrder::kBreadthFirst);
  if (check_names(robot.mujoco_joints, depth, "mujoco_joints", problems))
    check_order(robot.mujoco_joints, depth, "mujoco_joints", "depth-first", problems);
  if (check_names(robot.isaaclab_joints, depth, "isaaclab_joints", problems))
    check_order(robot.isaaclab_joints, breadth, "isaaclab_joints", "breadth-first", problems);
  check_root(model, robot, problems);
  check_sides(robot, problems);
  for (const std::string& foot : robot.feet) {
    if (model.find(ObjectType::kBody, foot) <= 0)
      problems.push_back(fmt::format("feet: the model has no body '{}'", foot));
  }
  if (!clip || !problems.empty()) return problems;  // a clip says nothing while the tables are wrong
  try {
    const ClipOnModel map(model, *clip);
    check_limits(model, *clip, map, problems);
    if (!robot.feet.empty()) check_ground(model, robot, *clip, problems);
  } catch (const Error& error) {
    problems.push_back(fmt::format("clip: {}", error.what()));
  }
  return problems;
}

}  // namespace torsor
