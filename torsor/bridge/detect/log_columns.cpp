#include "torsor/bridge/detect/log_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "torsor/core/error.hpp"

namespace torsor {
namespace {

using Indices = std::vector<size_t>;

Indices range(size_t first, size_t count) {
  Indices indices(count);
  for (size_t i = 0; i < count; ++i) indices[i] = first + i;
  return indices;
}

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// --- columns as the user says
// -----------------------------------------------------------------------------------------

size_t column_of(const Table& table, const std::string& text) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) {
    if (number <= table.width()) return number;
    throw Error(fmt::format("there is no column {}: the table has {}", number, table.width()));
  }
  const int found = table.find(text);
  if (found >= 0) return static_cast<size_t>(found);
  const std::string nearest = find_nearest(text, table.columns);
  throw Error(fmt::format("there is no column '{}'{}", text,
                          nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest)));
}

// "4:8" or "4" or a name.
Indices columns_of(const Table& table, const std::string& text) {
  const size_t colon = text.find(':');
  const size_t first = column_of(table, text.substr(0, colon));
  if (colon == text.npos) {
    if (first == table.width())
      throw Error(fmt::format("there is no column {}: the table has {}", first, table.width()));
    return {first};
  }
  const size_t end = column_of(table, text.substr(colon + 1));
  if (end <= first) throw Error(fmt::format("'{}' selects no columns", text));
  return range(first, end - first);
}

struct Part {
  const char* name;
  size_t width;  // 0: any
  void (*put)(LogColumns& log, const Table& table, const Indices& columns);
};
Indices head(const Indices& columns) { return {columns.begin(), columns.begin() + 3}; }
Indices tail(const Indices& columns) { return {columns.begin() + 3, columns.end()}; }

constexpr Part kParts[] = {
    {"time", 1, [](LogColumns& log, const Table& t, const Indices& c) { log.time = t.take(c); }},
    {"position", 3, [](LogColumns& log, const Table& t, const Indices& c) { log.position = t.take(c); }},
    {"quat", 4, [](LogColumns& log, const Table& t, const Indices& c) { log.rotation = t.take(c); }},
    {"matrix", 9, [](LogColumns& log, const Table& t, const Indices& c) { log.rotation = t.take(c); }},
    {"linear", 3, [](LogColumns& log, const Table& t, const Indices& c) { log.linear = t.take(c); }},
    {"angular", 3, [](LogColumns& log, const Table& t, const Indices& c) { log.angular = t.take(c); }},
    {"pose", 7,
     [](LogColumns& log, const Table& t, const Indices& c) {
       log.position = t.take(head(c)), log.rotation = t.take(tail(c)), log.pose_order_known = false;
     }},
    {"twist", 6,
     [](LogColumns& log, const Table& t, const Indices& c) {
       log.linear = t.take(head(c)), log.angular = t.take(tail(c)), log.twist_order_known = false;
     }},
    {"joints", 0,
     [](LogColumns& log, const Table& t, const Indices& c) {
       log.joint_position = t.take(c);
       for (const size_t column : c) log.joint_names.push_back(t.named ? t.columns[column] : "");
     }},
    {"rates", 0, [](LogColumns& log, const Table& t, const Indices& c) { log.joint_velocity = t.take(c); }},
};

void put_part(LogColumns& log, const Table& table, const std::string& name, const Indices& columns) {
  std::vector<std::string> known;
  for (const Part& part : kParts) {
    known.push_back(part.name);
    if (name != part.name) continue;
    if (part.width && columns.size() != part.width) {
      throw Error(fmt::format("{} needs {} columns, not {}", name, part.width, columns.size()));
    }
    return part.put(log, table, columns);
  }
  throw Error(fmt::format("unknown part of a log '{}'; known parts are {}", name, fmt::join(known, ", ")));
}

void require_parts(const LogColumns& log) {
  if (log.time.empty()) throw Error("no time column: name it 'time', or select it with columns time=0");
  if (log.position.empty()) throw Error("no position columns: select them with columns position=1:4");
  if (log.rotation.empty()) throw Error("no rotation columns: select them with columns quat=4:8");
  if (!log.joint_velocity.empty() && log.joint_velocity.size() != log.joint_position.size()) {
    throw Error("the numbers of rates and joints differ");
  }
}

// --- columns by their names
// -------------------------------------------------------------------------------------------

enum Meaning : size_t { kPosition, kQuat, kLinear, kAngular, kMatrix, kMeanings };

// A name split into stem and component: "pose.orientation.x" is "pose.orientation" and 'x', "wx" is "w" and 'x'.
struct Name {
  std::string stem;
  char component;
};
std::optional<Name> split_name(const std::string& column) {
  std::string name = lowered(column);
  if (const size_t unit = name.find_first_of("[("); unit != name.npos && unit > 0) name = name.substr(0, unit);
  while (!name.empty() && (name.back() == ' ' || name.back() == ']' || name.back() == ')')) name.pop_back();
  if (name.empty()) return std::nullopt;
  const char component = name.back();
  std::string stem = name.substr(0, name.size() - 1);
  while (!stem.empty() && std::string_view("._-/[ ").find(stem.back()) != std::string_view::npos) stem.pop_back();
  return Name{stem, component};
}

bool has_any(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return text.find(word) != text.npos; });
}
bool is_any(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return text == word; });
}

std::optional<Meaning> meaning_of(const Name& name) {
  const std::string& stem = name.stem;
  if (has_any(stem, {"joint", "dof", "acc", "force", "torque", "cov"})) return std::nullopt;
  if (has_any(stem, {"ang", "omega", "gyro"}) || is_any(stem, {"w"})) return kAngular;
  if (has_any(stem, {"matrix", "rotmat"})) return kMatrix;
  if (has_any(stem, {"quat", "orient", "rot"}) || is_any(stem, {"q"})) return kQuat;
  if (has_any(stem, {"lin", "vel", "speed"}) || is_any(stem, {"v"})) return kLinear;
  if (has_any(stem, {"pos", "trans"}) || is_any(stem, {"", "p", "t"})) return kPosition;
  return std::nullopt;
}

bool is_time(const std::string& column) {
  const std::string name = lowered(column);
  return is_any(name, {"t", "time", "times", "timestamp", "stamp", "sec", "secs", "seconds"}) ||
         name.starts_with("time ") || name.starts_with("time[") || name.starts_with("time(") ||
         name.starts_with("time_s") || name.starts_with("t [") || name.ends_with(".time");
}

// Indices of components, in the order x, y, z if they have letters; columns of a quaternion keep their order.
std::array<Indices, kMeanings> sort_columns(const Table& table) {
  std::array<Indices, kMeanings> groups;
  std::array<std::string, kMeanings> components;
  for (size_t i = 0; i < table.width(); ++i) {
    if (is_time(table.columns[i])) continue;
    const auto name = split_name(table.columns[i]);
    const auto meaning = name ? meaning_of(*name) : std::nullopt;
    const bool is_letter = name && std::string_view("xyzw").find(name->component) != std::string_view::npos;
    if (!meaning || !(is_letter || (name->component >= '0' && name->component <= '9' && !name->stem.empty()))) continue;
    groups[*meaning].push_back(i);
    components[*meaning] += name->component;
  }
  for (const Meaning meaning : {kPosition, kLinear, kAngular}) {
    std::string sorted = components[meaning];
    std::sort(sorted.begin(), sorted.end());
    if (sorted != "xyz") continue;
    Indices in_order(3);
    for (size_t k = 0; k < 3; ++k) in_order[static_cast<size_t>(components[meaning][k] - 'x')] = groups[meaning][k];
    groups[meaning] = in_order;
  }
  return groups;
}

// The quaternion order by letters. Columns in an order that no system uses are rearranged to wxyz.
QuatOrder name_order(const Table& table, Indices& quat) {
  std::string letters;
  for (const size_t i : quat) letters += split_name(table.columns[i])->component;
  if (letters == "wxyz") return QuatOrder::kWxyz;
  if (letters == "xyzw") return QuatOrder::kXyzw;
  Indices in_order;
  for (const char letter : std::string_view("wxyz")) {
    if (const size_t at = letters.find(letter); at != letters.npos) in_order.push_back(quat[at]);
  }
  if (in_order.size() == 4) quat = in_order;
  return QuatOrder::kUnspecified;
}

LogColumns from_names(const Table& table, std::array<Indices, kMeanings>& groups) {
  LogColumns log;
  for (size_t i = 0; i < table.width(); ++i) {
    if (is_time(table.columns[i])) log.time = table.take({i});
  }
  log.position = table.take(groups[kPosition]);
  const bool has_matrix = groups[kMatrix].size() == 9;
  if (!has_matrix) log.named_quat = name_order(table, groups[kQuat]);
  log.rotation = table.take(groups[has_matrix ? kMatrix : kQuat]);
  if (groups[kLinear].size() == 3) log.linear = table.take(groups[kLinear]);
  if (groups[kAngular].size() == 3) log.angular = table.take(groups[kAngular]);
  return log;
}

}  // namespace

LogColumns take_columns(const Table& table, const std::string& columns) {
  LogColumns log;
  std::string_view text = columns;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    const std::string part(text.substr(0, comma));
    const size_t equal = part.find('=');
    if (equal == part.npos) throw Error(fmt::format("'{}' should read part=columns, such as position=1:4", part));
    put_part(log, table, part.substr(0, equal), columns_of(table, part.substr(equal + 1)));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  require_parts(log);
  return log;
}

LogColumns recognise_columns(const Table& table) {
  if (table.named) {
    auto groups = sort_columns(table);
    const bool rotation = groups[kQuat].size() == 4 || groups[kMatrix].size() == 9;
    if (groups[kPosition].size() == 3 && rotation) {
      const LogColumns log = from_names(table, groups);
      require_parts(log);
      return log;
    }
  }
  if (table.width() == 14) return take_columns(table, "time=0,pose=1:8,twist=8:14");
  if (table.width() == 8) return take_columns(table, "time=0,pose=1:8");
  throw Error(
      fmt::format("the columns are not recognised by their names ({}), nor are they the 14 of time, pose and twist; "
                  "select them: columns time=0,position=1:4,quat=4:8,linear=8:11,angular=11:14",
                  fmt::join(table.columns.begin(),
                            table.columns.begin() + static_cast<long>(std::min<size_t>(table.width(), 20)), ", ")));
}

}  // namespace torsor
