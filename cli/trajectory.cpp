// Names of columns, and rows of numbers.
#include "cli/trajectory.hpp"

#include <cerrno>
#include <cstring>
#include <iterator>

#include <fmt/format.h>

#include "cli/names.hpp"
#include "cli/numbers.hpp"
#include "cli/terminal.hpp"

namespace torsor::cli {
namespace {

// Suffixes of a joint's numbers; a joint with one number has none.
std::vector<const char*> position_suffixes(JointType type) {
  switch (type) {
    case JointType::kFree:
      return {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"};
    case JointType::kBall:
      return {".qw", ".qx", ".qy", ".qz"};
    case JointType::kSlide:
    case JointType::kHinge:
      break;
  }
  return {""};
}

std::vector<const char*> velocity_suffixes(JointType type) {
  switch (type) {
    case JointType::kFree:
      return {".vx", ".vy", ".vz", ".wx", ".wy", ".wz"};
    case JointType::kBall:
      return {".wx", ".wy", ".wz"};
    case JointType::kSlide:
    case JointType::kHinge:
      break;
  }
  return {""};
}

// A cell of CSV: in quotes when it needs them [RFC 4180].
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

}  // namespace

std::vector<std::string> trajectory_columns(const Model& model) {
  std::vector<std::string> columns{"time"};
  const auto add = [&](const char* field, int joint, const std::vector<const char*>& suffixes) {
    const std::string name = name_or_number(model, ObjectType::kJoint, joint);
    for (const char* suffix : suffixes) columns.push_back(fmt::format("{}.{}{}", field, name, suffix));
  };
  const auto type_of = [&](int joint) { return static_cast<JointType>(model.jnt_type[joint]); };
  for (int j = 0; j < model.njnt; ++j) add("qpos", j, position_suffixes(type_of(j)));
  for (int j = 0; j < model.njnt; ++j) add("qvel", j, velocity_suffixes(type_of(j)));
  return columns;
}

Trajectory::Trajectory(const Model& model, const std::string& path) : path_(path) {
  file_ = path == "-" ? stdout : std::fopen(path.c_str(), "w");
  if (!file_) throw Error(fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
  std::string line;
  for (const std::string& column : trajectory_columns(model)) {
    line += (line.empty() ? "" : ",") + quoted(column);
    ++columns_;
  }
  put(line + '\n');
}

Trajectory::~Trajectory() {
  if (file_ && file_ != stdout) std::fclose(file_);
}

void Trajectory::put(const std::string& line) {
  if (std::fwrite(line.data(), 1, line.size(), file_) != line.size())
    throw Error(fmt::format("cannot write '{}': {}", path_, std::strerror(errno)));
}

void Trajectory::write(const Data& data) {
  fmt::memory_buffer line;
  const auto out = std::back_inserter(line);
  fmt::format_to(out, "{}", data.time);
  for (const double value : data.qpos) fmt::format_to(out, ",{}", value);
  for (const double value : data.qvel) fmt::format_to(out, ",{}", value);
  line.push_back('\n');
  put(fmt::to_string(line));
  ++rows_;
}

void Trajectory::close() {
  if (!file_) return;
  const int failed = file_ == stdout ? std::fflush(file_) : std::fclose(file_);
  file_ = nullptr;
  if (failed != 0) throw Error(fmt::format("cannot write '{}': {}", path_, std::strerror(errno)));
}

std::string Trajectory::describe() const {
  return fmt::format("{}: {} rows of {} numbers", path_ == "-" ? "standard output" : printable(path_),
                     format_count(rows_), columns_);
}

}  // namespace torsor::cli
