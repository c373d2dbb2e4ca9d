#include "torsor/bridge/detect/log_bodies.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "torsor/core/error.hpp"

namespace torsor {
namespace {

using Indices = std::vector<size_t>;

// --- titles of whole states

enum class Field { kNone, kPosition, kVelocity };

Field field_of(std::string_view prefix) {
  for (const char* word : {"qpos", "joint_q", "joint_pos", "q"}) {
    if (prefix == word) return Field::kPosition;
  }
  for (const char* word : {"qvel", "joint_qd", "joint_vel", "qd", "v"}) {
    if (prefix == word) return Field::kVelocity;
  }
  return Field::kNone;
}

constexpr std::array kPositionNumbers{"x",   "y",   "z",   "qw",  "qx",  "qy",  "qz",  "r00",
                                      "r01", "r02", "r10", "r11", "r12", "r20", "r21", "r22"};
constexpr std::array kVelocityNumbers{"vx", "vy", "vz", "wx", "wy", "wz"};

template <class Words>
bool has(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The columns of one joint by the names of their numbers.
struct JointTitles {
  std::map<std::string, size_t, std::less<>> position{}, velocity{};
  Indices quat{};  // in the order of the columns

  bool has_pose() const {
    const bool rotation = quat.size() == 4 || position.contains("r22");
    return position.contains("x") && position.contains("y") && position.contains("z") && rotation;
  }
};

// "qpos.root.qw" is a component of joint "root"; "q.elbow" is the only one of joint "elbow", with the name "".
struct StateTitles {
  int time = -1;
  std::vector<std::string> order{};  // of joints, by their positions
  std::map<std::string, JointTitles> joints{};

  explicit StateTitles(const Table& table) {
    for (size_t i = 0; i < table.width(); ++i) {
      const std::string& title = table.columns[i];
      const size_t dot = title.find('.');
      if (title == "time" || title == "t") time = static_cast<int>(i);
      const Field field = dot == title.npos ? Field::kNone : field_of(std::string_view(title).substr(0, dot));
      if (field != Field::kNone && dot + 1 < title.size()) add(i, field, title.substr(dot + 1));
    }
  }

 private:
  void add(size_t column, Field field, const std::string& rest) {
    const size_t dot = rest.rfind('.');
    const std::string last = dot == rest.npos ? std::string() : rest.substr(dot + 1);
    const bool is_number = field == Field::kPosition ? has(kPositionNumbers, last) : has(kVelocityNumbers, last);
    const std::string name = is_number ? rest.substr(0, dot) : rest;
    if (!joints.contains(name)) order.push_back(name);
    JointTitles& joint = joints[name];
    (field == Field::kPosition ? joint.position : joint.velocity)[is_number ? last : std::string()] = column;
    if (is_number && last.size() == 2 && last[0] == 'q') joint.quat.push_back(column);
  }
};

QuatOrder quat_order(const Table& table, const Indices& quat) {
  std::string letters;
  for (const size_t column : quat) letters += table.columns[column].back();
  return letters == "wxyz" ? QuatOrder::kWxyz : (letters == "xyzw" ? QuatOrder::kXyzw : QuatOrder::kUnspecified);
}

// Hinges and slides, which have one coordinate.
void add_scalars(const Table& table, const StateTitles& titles, LogColumns& log) {
  Indices positions, velocities;
  for (const std::string& name : titles.order) {
    const JointTitles& joint = titles.joints.at(name);
    const auto q = joint.position.find(""), v = joint.velocity.find("");
    if (q == joint.position.end()) continue;
    log.joint_names.push_back(name);
    positions.push_back(q->second);
    if (v != joint.velocity.end()) velocities.push_back(v->second);
  }
  log.joint_position = table.take(positions);
  if (velocities.size() == positions.size()) log.joint_velocity = table.take(velocities);
}

LogColumns log_of(const Table& table, const JointTitles& joint) {
  const auto three = [&](const auto& columns, std::array<const char*, 3> names) {
    Indices found;
    for (const char* name : names) {
      if (const auto it = columns.find(name); it != columns.end()) found.push_back(it->second);
    }
    return found.size() == 3 ? table.take(found) : std::vector<double>();
  };
  LogColumns log;
  log.position = three(joint.position, {"x", "y", "z"});
  log.linear = three(joint.velocity, {"vx", "vy", "vz"});
  log.angular = three(joint.velocity, {"wx", "wy", "wz"});
  Indices rotation = joint.quat;
  if (rotation.size() == 4) {
    log.named_quat = quat_order(table, rotation);
  } else {
    rotation.clear();
    for (const char* name : {"r00", "r01", "r02", "r10", "r11", "r12", "r20", "r21", "r22"})
      rotation.push_back(joint.position.at(name));
  }
  log.rotation = table.take(rotation);
  return log;
}

// Empty if the column names are not those of whole states.
std::vector<LoggedBody> read_state_titles(const Table& table) {
  const StateTitles titles(table);
  const bool is_numbered = std::all_of(titles.order.begin(), titles.order.end(), [](const std::string& name) {
    return name.find_first_not_of("0123456789") == name.npos;
  });
  if (!table.named || titles.order.empty() || is_numbered) return {};
  if (titles.time < 0) throw Error("the table has states but no column 'time', which is needed to compare them");
  std::vector<LoggedBody> bodies;
  for (const std::string& name : titles.order) {
    const JointTitles& joint = titles.joints.at(name);
    if (joint.has_pose()) bodies.push_back({name, log_of(table, joint)});
  }
  if (bodies.empty()) bodies.emplace_back();
  for (LoggedBody& body : bodies) {
    body.log.time = table.take({static_cast<size_t>(titles.time)});
    add_scalars(table, titles, body.log);
  }
  return bodies;
}

// --- columns without titles

bool is_unit(const Table& table, size_t first) {
  constexpr double kTolerance = 1e-3;
  for (size_t row = 0; row < table.rows; ++row) {
    double square = 0;
    for (size_t k = 0; k < 4; ++k) square += table.at(row, first + k) * table.at(row, first + k);
    if (!(std::abs(std::sqrt(square) - 1) < kTolerance)) return false;
  }
  return table.rows > 0;
}

// Possible starts of poses in a state of nq coordinates: seven columns that begin or end with a unit quaternion.
using Starts = std::vector<size_t>;
void find_layouts(const std::vector<char>& may_start, size_t from, size_t poses, Starts& chosen,
                  std::vector<Starts>& all) {
  constexpr size_t kMostLayouts = 16;
  if (all.size() >= kMostLayouts) return;
  if (poses == 0) return all.push_back(chosen);
  for (size_t start = from; start + 7 <= may_start.size(); ++start) {
    if (!may_start[start]) continue;
    chosen.push_back(start);
    find_layouts(may_start, start + 7, poses - 1, chosen, all);
    chosen.pop_back();
  }
}

// Columns of time, coordinates and velocities, in this order.
struct Layout {
  size_t time, q, nq, v;
};

void add_bodies(const Table& table, const Layout& layout, const Starts& starts, std::vector<LoggedBody>& bodies) {
  LogColumns common;
  common.time = table.take({layout.time});
  Indices positions, velocities;
  for (size_t c = 0, block = 0; c < layout.nq; ++c) {
    if (block < starts.size() && starts[block] == c) {
      c += 6, ++block;
      continue;
    }
    positions.push_back(layout.q + c), velocities.push_back(layout.v + c - block);
  }
  common.joint_position = table.take(positions), common.joint_velocity = table.take(velocities);
  common.joint_names.assign(positions.size(), "");
  common.pose_order_known = common.twist_order_known = false;
  for (size_t block = 0; block < starts.size(); ++block) {
    LoggedBody body{"", common};
    const auto columns = [&](size_t first, size_t count) {
      Indices result;
      for (size_t k = 0; k < count; ++k) result.push_back(first + k);
      return table.take(result);
    };
    const size_t q = layout.q + starts[block], v = layout.v + starts[block] - block;
    body.log.position = columns(q, 3), body.log.rotation = columns(q + 3, 4);
    body.log.linear = columns(v, 3), body.log.angular = columns(v + 3, 3);
    bodies.push_back(std::move(body));
  }
}

// A free body has seven coordinates and six velocities, so the number of columns leaves few ways to split them.
std::vector<LoggedBody> read_numbers(const Table& table) {
  std::vector<LoggedBody> bodies;
  const size_t numbers = table.width() - 1;
  for (size_t poses = 1; 13 * poses <= numbers; ++poses) {
    if ((numbers + poses) % 2 != 0) continue;
    const size_t nq = (numbers + poses) / 2;
    std::vector<char> may_start(nq, 0);
    for (size_t c = 0; c + 7 <= nq; ++c) may_start[c] = is_unit(table, 1 + c) || is_unit(table, 4 + c);
    std::vector<Starts> layouts;
    Starts chosen;
    find_layouts(may_start, 0, poses, chosen, layouts);
    for (const Starts& starts : layouts) add_bodies(table, {0, 1, nq, 1 + nq}, starts, bodies);
    if (!bodies.empty()) break;
  }
  return bodies;
}

bool is_time_first(const Table& table) {
  for (size_t row = 1; row < table.rows; ++row) {
    if (!(table.at(row, 0) > table.at(row - 1, 0))) return false;
  }
  return table.width() > 1 && table.rows > 1;
}

}  // namespace

std::vector<LoggedBody> recognise_bodies(const Table& table) {
  if (auto bodies = read_state_titles(table); !bodies.empty()) return bodies;
  try {
    return {LoggedBody{"", recognise_columns(table)}};
  } catch (const Error&) {
    if (!is_time_first(table)) throw;
    auto bodies = read_numbers(table);
    if (bodies.empty()) throw;
    return bodies;
  }
}

}  // namespace torsor
