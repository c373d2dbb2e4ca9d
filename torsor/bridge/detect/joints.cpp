#include "torsor/bridge/detect/joints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "torsor/bridge/detect/samples.hpp"
#include "torsor/bridge/model_order.hpp"

namespace torsor {
namespace {

using namespace detection;

struct NamedOrder {
  const char* word;
  JointOrder order;
};
constexpr NamedOrder kOrders[] = {{"depth first", JointOrder::kDepthFirst},
                                  {"breadth first", JointOrder::kBreadthFirst},
                                  {"depth first by name", JointOrder::kDepthFirstByName},
                                  {"breadth first by name", JointOrder::kBreadthFirstByName},
                                  {"depth first by joint name", JointOrder::kDepthFirstByJointName},
                                  {"depth first floating last", JointOrder::kDepthFirstFloatingLast}};
constexpr double kBeyond = 0.05;  // of its range: how far a joint may go past its limits

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
};
std::vector<Extent> extents(const LogColumns& log) {
  std::vector<Extent> all(log.joints());
  for (size_t i = 0; i < log.joint_position.size(); ++i) {
    Extent& extent = all[i % all.size()];
    extent.low = std::min(extent.low, log.joint_position[i]);
    extent.high = std::max(extent.high, log.joint_position[i]);
  }
  return all;
}

bool within_limits(const Model& model, const std::vector<int>& joints, const std::vector<Extent>& seen) {
  for (size_t i = 0; i < joints.size(); ++i) {
    const int j = joints[i];
    if (!model.jnt_limited[j]) continue;
    const double low = model.jnt_range[2 * j], high = model.jnt_range[2 * j + 1], slack = kBeyond * (high - low);
    if (seen[i].low < low - slack || seen[i].high > high + slack) return false;
  }
  return true;
}

// The joint that a column's name ends with: "joint_pos.knee" and "knee" are the knee.
int find_named(const Model& model, const std::string& column) {
  int best = -1;
  size_t length = 0;
  for (int j = 0; j < model.njnt; ++j) {
    const std::string name(model.name(ObjectType::kJoint, j));
    if (name.size() <= length || !column.ends_with(name)) continue;
    const size_t before = column.size() - name.size();
    if (before && std::isalnum(static_cast<unsigned char>(column[before - 1]))) continue;
    best = j, length = name.size();
  }
  return best;
}

// Joints by the columns' names; empty unless all have one.
std::vector<int> joints_by_name(const LogColumns& log, const Model& model) {
  std::vector<int> joints;
  for (const std::string& column : log.joint_names) {
    const int j = find_named(model, column);
    if (j < 0) return {};
    joints.push_back(j);
  }
  return joints;
}

// A column integrated over the windows: a position with the derivative of the bump, a velocity with the bump.
std::vector<double> seen_through(const Windows& windows, const std::vector<double>& weights,
                                 const std::vector<double>& values, size_t column, size_t width) {
  std::vector<double> sums;
  for (const Window& window : windows.list) {
    double sum = 0;
    for (size_t k = 0; k < window.count; ++k) {
      const double first = values[window.first * width + column];
      const double value = values[(window.first + k) * width + column];
      sum += weights[window.weights + k] * (&weights == &windows.df ? value - first : value);
    }
    sums.push_back(sum);
  }
  return sums;
}

// Velocities that are the rates of the positions in other columns: positions and velocities are in different orders.
std::vector<std::string> find_pairing(const LogColumns& log) {
  std::vector<std::string> sentences;
  const Samples samples = make_samples(log, false);
  const auto lengths = window_lengths(samples);
  if (log.joint_velocity.empty() || lengths.empty()) return sentences;
  const Windows windows = make_windows(samples, lengths[lengths.size() / 2]);
  const size_t n = log.joints();
  std::vector<std::vector<double>> rates;
  for (size_t j = 0; j < n; ++j) rates.push_back(seen_through(windows, windows.f, log.joint_velocity, j, n));
  for (size_t i = 0; i < n; ++i) {
    const auto motion = seen_through(windows, windows.df, log.joint_position, i, n);
    std::vector<double> squares(n);
    for (size_t j = 0; j < n; ++j) {
      for (size_t k = 0; k < motion.size(); ++k) squares[j] += std::pow(motion[k] + rates[j][k], 2);
    }
    const auto best = static_cast<size_t>(std::min_element(squares.begin(), squares.end()) - squares.begin());
    if (best == i || squares[best] > 0.1 * squares[i]) continue;
    sentences.push_back(fmt::format("the position of joint column {} has its velocity in joint column {}", i, best));
  }
  return sentences;
}

// Nothing if the order needs names and the model has none.
std::optional<std::vector<int>> find_joint_ids(const Model& model, JointOrder order) {
  try {
    return list_joint_ids(model, order);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

JointFindings find_joint_order(const LogColumns& log, const Model& model) {
  JointFindings findings;
  if (log.joints() == 0) return findings;
  findings.examined = true;
  findings.pairing = find_pairing(log);
  const size_t count = list_joint_ids(model, JointOrder::kDepthFirst).size();
  if (count != log.joints()) {
    findings.notes.push_back(fmt::format("the log has {} joints, the model {}", log.joints(), count));
    return findings;
  }
  const std::vector<int> named = joints_by_name(log, model);
  const std::vector<Extent> seen = extents(log);
  for (const NamedOrder& order : kOrders) {
    const std::optional<std::vector<int>> listed = find_joint_ids(model, order.order);
    if (!listed) continue;
    const std::vector<int>& joints = *listed;
    if (named.empty() ? within_limits(model, joints, seen) : joints == named) findings.orders.push_back(order.word);
  }
  if (!named.empty() && findings.orders.empty())
    findings.notes.push_back("the order of the joint names follows no known rule");
  if (named.empty())
    findings.notes.push_back("the joint order was inferred from joint limits; named columns would determine it");
  return findings;
}

}  // namespace torsor
