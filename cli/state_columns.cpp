// Recognises columns. Joint names take precedence over the order of columns; without names, the number of columns
// decides.
#include "cli/state_columns.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include "torsor/convention/convert.hpp"
#include "torsor/core/error.hpp"

namespace torsor::cli {
namespace {

using Names = std::vector<std::string>;

// --- names of a joint's numbers
// ---------------------------------------------------------------------------------------

Names rotation_names(const Row& row) {
  switch (row.rotation) {
    case RotationForm::kMatrix:
      return {"r00", "r01", "r02", "r10", "r11", "r12", "r20", "r21", "r22"};
    case RotationForm::kRotationVector:
      return {"rx", "ry", "rz"};
    case RotationForm::kEuler:
      return {"e0", "e1", "e2"};
    default:
      return row.quat == QuatOrder::kWxyz ? Names{"qw", "qx", "qy", "qz"} : Names{"qx", "qy", "qz", "qw"};
  }
}

Names joined(Names first, const Names& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Names spatial_names(BlockOrder order, const Names& linear, const Names& angular) {
  return order == BlockOrder::kAngularFirst ? joined(angular, linear) : joined(linear, angular);
}

JointNumbers numbers_of(const Row& row, CoordinateKind kind) {
  const Names rates{"wx", "wy", "wz"}, moments{"tx", "ty", "tz"};
  JointNumbers result;
  if (is_pose(kind)) {
    const bool position_first = row.pose == PoseOrder::kPositionFirst;
    const Names position{"x", "y", "z"}, rotation = rotation_names(row);
    result.q = position_first ? joined(position, rotation) : joined(rotation, position);
    result.rotation = position_first ? 3 : 0;
    result.v = spatial_names(row.twist.order, {"vx", "vy", "vz"}, rates);
    result.f = spatial_names(joint_force_layout(row).order, {"fx", "fy", "fz"}, moments);
  } else if (kind == CoordinateKind::kBall) {
    result.q = rotation_names(row), result.v = rates, result.f = moments;
    result.rotation = 0;
  } else {
    result.q = result.v = result.f = {""};
  }
  return result;
}

// --- fields of a state
// ------------------------------------------------------------------------------------------------

struct Field {
  const char* letter;
  const char *what, *many;
  Names JointNumbers::*numbers;
  std::vector<int> StateColumns::*columns;
  std::vector<const char*> prefixes;
};
const std::vector<Field>& fields() {
  static const std::vector<Field> all{
      {"q", "coordinate", "coordinates", &JointNumbers::q, &StateColumns::q, {"qpos", "joint_q", "joint_pos", "q"}},
      {"v", "velocity", "velocities", &JointNumbers::v, &StateColumns::v, {"qvel", "joint_qd", "joint_vel", "qd", "v"}},
      {"f", "force", "forces", &JointNumbers::f, &StateColumns::f, {"qfrc_applied", "joint_f", "tau", "f"}}};
  return all;
}

bool is_index(std::string_view text) {
  return !text.empty() && text.size() < 7 && text.find_first_not_of("0123456789") == text.npos;
}

// The text after a prefix: "3" for q3, q_3, q[3] and q.3, "elbow" for q.elbow, "0" for q alone.
std::optional<std::string> rest_after(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  std::string_view rest = name.substr(prefix.size());
  if (rest.empty()) return "0";
  if (is_index(rest)) return std::string(rest);
  if (rest.front() == '.' && rest.size() > 1) return std::string(rest.substr(1));
  if (rest.front() == '_' && is_index(rest.substr(1))) return std::string(rest.substr(1));
  if (rest.front() == '[' && rest.back() == ']' && is_index(rest.substr(1, rest.size() - 2)))
    return std::string(rest.substr(1, rest.size() - 2));
  return std::nullopt;
}

// The column name of a joint's number: "elbow", "root.qw", and "qw" for a body without a model.
std::string full_name(const JointNumbers& joint, const std::string& number) {
  if (joint.name.empty() || number.empty()) return joint.name + number;
  return joint.name + '.' + number;
}

bool belongs_to(const JointNumbers& joint, const Names& numbers, std::string_view name) {
  if (joint.name.empty()) return std::find(numbers.begin(), numbers.end(), name) != numbers.end();
  if (numbers.size() == 1) return name == joint.name;
  return name.starts_with(joint.name + '.');
}

struct Found {  // a column of one field
  int column;
  std::string rest;
};

class Recognition {
 public:
  Recognition(const torsor::Table& table, const StateLayout& layout, const std::string& file)
      : table_(table), layout_(layout), file_(file), found_(fields().size()) {
    for (int column = 0; column < static_cast<int>(table.width()); ++column) sort_in(column);
  }

  int time() const { return time_; }
  bool any() const {
    return std::any_of(found_.begin(), found_.end(), [](const auto& columns) { return !columns.empty(); });
  }
  StateColumns take() {
    if (!unknown_.empty() && is_body()) throw needs_model(unknown_.front());
    if (!unknown_.empty())
      throw Error(
          fmt::format("{}: unknown column '{}'; known titles are time, q0, v0, f0 and so on, and joint names such "
                      "as q.{}",
                      file_, unknown_.front(), example_name()));
    StateColumns result;
    result.time = time_;
    for (size_t i = 0; i < fields().size(); ++i) {
      const Field& field = fields()[i];
      if (found_[i].empty() && i > 0) continue;
      const bool numbered =
          std::all_of(found_[i].begin(), found_[i].end(), [](const Found& f) { return is_index(f.rest); });
      result.*field.columns = numbered ? by_index(field, found_[i]) : by_joint(field, found_[i]);
      result.by_name |= !numbered;
    }
    return result;
  }

 private:
  // One body without a model: there are no joints that columns could name.
  bool is_body() const { return layout_.joints.size() == 1 && layout_.joints[0].name.empty(); }
  Error needs_model(const std::string& column, const std::string& why = "is not a number of one free body") const {
    return Error({Diagnostic{Severity::kError,
                             {},
                             fmt::format("{}: column '{}' {}, so a model is needed", file_, column, why),
                             "pass --model FILE: it tells which joints there are, their order, and the centre of mass "
                             "of each body"}});
  }

  const torsor::Table& table_;
  const StateLayout& layout_;
  const std::string& file_;
  int time_ = -1;
  std::vector<std::vector<Found>> found_;
  Names unknown_;

  void sort_in(int column) {
    const std::string& name = table_.columns[static_cast<size_t>(column)];
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    for (size_t i = 0; i < fields().size(); ++i) {  // exact joint names first
      const bool bare = i == 0 || layout_.joints.size() == 1;
      for (const JointNumbers& joint : layout_.joints) {
        if ((i == 0 || joint.name.empty()) && bare && belongs_to(joint, joint.*fields()[i].numbers, name))
          return found_[i].push_back({column, name});
      }
    }
    if (time_ < 0 && (lower == "time" || lower == "t" || lower == "timestamp")) {
      time_ = column;
      return;
    }
    for (size_t i = 0; i < fields().size(); ++i) {
      for (const char* prefix : fields()[i].prefixes) {
        if (const auto rest = rest_after(name, prefix)) return found_[i].push_back({column, *rest});
      }
    }
    unknown_.push_back(name);
  }

  std::string example_name() const {
    if (layout_.joints.empty()) return "hinge";
    return full_name(layout_.joints[0], layout_.joints[0].q[0]);
  }

  std::vector<int> by_index(const Field& field, const std::vector<Found>& found) const {
    const int count = field.columns == &StateColumns::q ? layout_.nq : layout_.nv;
    std::vector<int> columns(static_cast<size_t>(count), -1);
    for (const Found& f : found) {
      int index = 0;
      std::from_chars(f.rest.data(), f.rest.data() + f.rest.size(), index);
      const std::string& name = table_.columns[static_cast<size_t>(f.column)];
      const std::string known =
          fmt::format("{} {}, {}0 to {}{}", count, field.many, field.letter, field.letter, count - 1);
      if (index >= count && is_body())
        throw needs_model(name, fmt::format("does not exist: one free body has {}", known));
      if (index >= count) throw Error(fmt::format("{}: column '{}' does not exist: there are {}", file_, name, known));
      if (columns[static_cast<size_t>(index)] >= 0)
        throw Error(fmt::format("{}: two columns are {} {}; the second is '{}'", file_, field.what, index, name));
      columns[static_cast<size_t>(index)] = f.column;
    }
    for (int i = 0; i < count; ++i) {
      if (columns[static_cast<size_t>(i)] < 0)
        throw Error(fmt::format("{}: no column is {} {} ({}{})", file_, field.what, i, field.letter, i));
    }
    return columns;
  }

  std::vector<int> by_joint(const Field& field, const std::vector<Found>& found) const {
    check_joints(field, found);
    std::vector<int> columns;
    for (const JointNumbers& joint : layout_.joints) {
      std::vector<Found> own;
      std::copy_if(found.begin(), found.end(), std::back_inserter(own),
                   [&](const Found& f) { return belongs_to(joint, joint.*field.numbers, f.rest); });
      const auto placed = columns_of_joint(field, joint, own);
      columns.insert(columns.end(), placed.begin(), placed.end());
    }
    return columns;
  }

  void check_joints(const Field& field, const std::vector<Found>& found) const {
    for (const Found& f : found) {
      const auto has = [&](const JointNumbers& joint) { return belongs_to(joint, joint.*field.numbers, f.rest); };
      if (std::any_of(layout_.joints.begin(), layout_.joints.end(), has)) continue;
      if (is_body()) throw needs_model(table_.columns[static_cast<size_t>(f.column)]);
      Names names;
      for (const JointNumbers& joint : layout_.joints) names.push_back(joint.name);
      const std::string nearest = find_nearest(f.rest, names);
      throw Error(fmt::format("{}: column '{}': the model has no joint '{}'{}", file_,
                              table_.columns[static_cast<size_t>(f.column)], f.rest,
                              nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest)));
    }
  }

  // By component names if the columns have them, else in the order of the columns.
  std::vector<int> columns_of_joint(const Field& field, const JointNumbers& joint,
                                    const std::vector<Found>& own) const {
    const Names& numbers = joint.*field.numbers;
    if (own.size() != numbers.size()) {
      throw Error(fmt::format("{}: joint '{}' has {} columns of {}, not {} ({})", file_, joint.name, own.size(),
                              field.many, numbers.size(), fmt::join(full_names(joint, numbers), ", ")));
    }
    std::vector<int> by_name, as_they_come;
    for (const Found& f : own) as_they_come.push_back(f.column);
    for (const std::string& number : numbers) {
      const std::string name = full_name(joint, number);
      const auto it = std::find_if(own.begin(), own.end(), [&](const Found& f) { return f.rest == name; });
      if (it != own.end()) by_name.push_back(it->column);
    }
    if (!by_name.empty() && by_name.size() != numbers.size())
      throw Error(fmt::format("{}: the columns of joint '{}' should be {}", file_, joint.name,
                              fmt::join(full_names(joint, numbers), ", ")));
    return by_name.empty() ? as_they_come : by_name;
  }

  static Names full_names(const JointNumbers& joint, const Names& numbers) {
    Names names;
    for (const std::string& number : numbers) names.push_back(full_name(joint, number));
    return names;
  }
};

// --- columns without names
// --------------------------------------------------------------------------------------------

std::vector<int> count_up(int first, int count) {
  std::vector<int> columns(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) columns[static_cast<size_t>(i)] = first + i;
  return columns;
}

std::string widths_that_fit(const StateLayout& layout, bool forces) {
  const int nq = layout.nq, nv = layout.nv;
  if (forces)
    return fmt::format("{} coordinates, {} velocities and {} forces are {} columns, {} with time", nq, nv, nv,
                       nq + 2 * nv, nq + 2 * nv + 1);
  return fmt::format("{} coordinates are {} columns, with {} velocities {}; time is one more", nq, nq, nv, nq + nv);
}

StateColumns find_by_count(int width, const StateLayout& layout, const ColumnHints& hints, const std::string& file) {
  std::vector<StateColumns> readings;
  for (const int time : {0, 1}) {
    if (hints.has_time && *hints.has_time != (time == 1)) continue;
    for (const int rates : {0, 1}) {
      if (hints.forces && rates == 0) continue;
      if (rates == 1 && layout.nv == 0) continue;
      const int forces = hints.forces ? 1 : 0;
      if (width != time + layout.nq + (rates + forces) * layout.nv) continue;
      StateColumns columns;
      columns.time = time - 1;
      columns.q = count_up(time, layout.nq);
      columns.v = count_up(time + layout.nq, rates * layout.nv);
      columns.f = count_up(time + layout.nq + layout.nv, forces * layout.nv);
      readings.push_back(columns);
    }
  }
  if (readings.size() == 1) return readings[0];
  const std::string fitting = widths_that_fit(layout, hints.forces);
  const bool is_body = layout.joints.size() == 1 && layout.joints[0].name.empty();
  if (readings.empty() && is_body)
    throw Error({Diagnostic{Severity::kError,
                            {},
                            fmt::format("{}: {} columns are not the state of one free body ({}), so a model is needed",
                                        file, width, fitting),
                            "pass --model FILE: it tells which joints there are, their order, and the centre of mass "
                            "of each body"}});
  if (readings.empty()) throw Error(fmt::format("{}: {} columns do not fit: {}", file, width, fitting));
  throw Error(fmt::format("{}: {} columns may be with or without time: {}; pass --time first or --time none", file,
                          width, fitting));
}

}  // namespace

StateLayout make_layout(const JointSystem& system, const Convention& convention, const std::optional<Order>& order) {
  StateLayout layout;
  for (const int j : list_joints(system, convention, order ? &*order : nullptr)) {
    const JointCoordinates& joint = system.joints[static_cast<size_t>(j)];
    JointNumbers numbers = numbers_of(convention.row, joint.kind);
    numbers.name = joint.name.empty() ? fmt::format("#{}", j) : joint.name;
    layout.nq += static_cast<int>(numbers.q.size());
    layout.nv += static_cast<int>(numbers.v.size());
    layout.joints.push_back(std::move(numbers));
  }
  return layout;
}

StateColumns find_columns(const torsor::Table& table, const StateLayout& layout, const ColumnHints& hints,
                          const std::string& file) {
  ColumnHints known = hints;
  if (table.named) {
    Recognition recognition(table, layout, file);
    if (recognition.any()) return recognition.take();
    if (recognition.time() == 0) known.has_time = true;
  }
  return find_by_count(static_cast<int>(table.width()), layout, known, file);
}

std::vector<std::string> name_columns(const StateLayout& layout, const StateColumns& like, const std::string& time) {
  Names names;
  if (like.time >= 0) names.push_back(time);
  for (const Field& field : fields()) {
    if ((like.*field.columns).empty()) continue;
    int index = 0;
    for (const JointNumbers& joint : layout.joints) {
      for (const std::string& number : joint.*field.numbers) {
        const std::string name = full_name(joint, number);
        const bool bare = joint.name.empty();
        names.push_back(like.by_name ? (bare ? name : fmt::format("{}.{}", field.letter, name))
                                     : fmt::format("{}{}", field.letter, index));
        ++index;
      }
    }
  }
  return names;
}

}  // namespace torsor::cli
