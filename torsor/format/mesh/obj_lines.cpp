// Scanning of OBJ text; numbers are read by the standard library.
#include "torsor/format/mesh/obj_lines.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "torsor/core/error.hpp"

namespace torsor {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_line_end(char c) { return c == '\n' || c == '\r'; }

}  // namespace

ObjLines::ObjLines(std::string_view text, std::string_view file_name)
    : cursor_(text.data()),
      line_end_(text.data()),
      next_(text.data()),
      end_(text.data() + text.size()),
      file_name_(file_name) {}

void ObjLines::fail(const std::string& what) const {
  throw Error(fmt::format("OBJ file '{}': line {}: {}", file_name_, line_, what));
}

bool ObjLines::next() {
  while (next_ < end_) {
    ++line_;
    cursor_ = line_end_ = next_;
    while (line_end_ < end_ && !is_line_end(*line_end_) && *line_end_ != '#') ++line_end_;
    next_ = line_end_;
    while (next_ < end_ && !is_line_end(*next_)) ++next_;
    if (next_ < end_) next_ += *next_ == '\r' && next_ + 1 < end_ && next_[1] == '\n' ? 2 : 1;
    if (at_word()) return true;
  }
  return false;
}

bool ObjLines::at_word() {
  while (cursor_ < line_end_ && is_blank(*cursor_)) ++cursor_;
  return cursor_ < line_end_;
}

bool ObjLines::after_word() const { return cursor_ == line_end_ || is_blank(*cursor_); }

std::string_view ObjLines::word() {
  at_word();
  const char* const start = cursor_;
  while (!after_word()) ++cursor_;
  return {start, cursor_};
}

bool ObjLines::number(double& value) {
  if (!at_word()) return false;
  const char* const start = cursor_ + (*cursor_ == '+' ? 1 : 0);
  const auto [stop, error] = std::from_chars(start, line_end_, value);
  cursor_ = stop;
  if (error == std::errc::invalid_argument || !after_word() || !std::isfinite(value))
    fail(fmt::format("expected a number, not '{}'", std::string_view(start, line_end_).substr(0, 30)));
  if (error == std::errc::result_out_of_range) {
    const std::string_view digits(start, stop);
    if (digits.find("e-") == digits.npos && digits.find("E-") == digits.npos) fail("a number is too large");
    value = 0;
  }
  return true;
}

bool ObjLines::index(int& value) {
  const auto [stop, error] = std::from_chars(cursor_, line_end_, value);
  if (error != std::errc()) return false;
  cursor_ = stop;
  return true;
}

bool ObjLines::skip(char c) {
  const bool is_here = cursor_ < line_end_ && *cursor_ == c;
  cursor_ += is_here;
  return is_here;
}

}  // namespace torsor
