// The text of one attribute, and its conversion to numbers, keywords and names.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/format/mjcf/document.hpp"
#include "torsor/format/mjcf/report.hpp"
#include "torsor/model/spec.hpp"

namespace torsor::mjcf {

class Value {
 public:
  Value(const Element& element, std::string_view name, std::string_view text, Report& report)
      : element_(element), name_(name), text_(text), report_(report) {}

  std::string_view name() const { return name_; }
  std::string_view text() const { return text_; }
  const Element& element() const { return element_; }
  Report& report() const { return report_; }
  bool blank() const;
  // The message follows the name of the attribute: "'pos' takes 3 numbers, got 2".
  void fail(const std::string& message, std::string hint = {}) const;

 private:
  const Element& element_;
  std::string_view name_, text_;
  Report& report_;
};

// How numbers are read. By default all numbers of an array must be there, and must be finite.
enum ReadFlag : int {
  kExact = 0,
  kPartial = 1,   // numbers at the end may be left out and keep their values
  kInfinite = 2,  // inf is a meaningful value
};

struct Keyword {
  std::string_view name;
  int value;
};

inline constexpr Keyword kBooleans[] = {{"false", 0}, {"true", 1}};
inline constexpr Keyword kTristates[] = {{"false", 0}, {"true", 1}, {"auto", 2}};

// Reads between `least` and `most` numbers. Blank text is not an error: the attribute counts as not given. Returns how
// many were read; after an error 0, with `out` unchanged. Number: double, float or int.
template <class Number>
int read_numbers(Number* out, int least, int most, const Value& value, int flags);

// As many numbers as there are. False for a blank text and after an error.
template <class Number>
bool read_all_numbers(std::vector<Number>& out, const Value& value, int flags);

// The value of a keyword, or nothing after an error that lists the choices.
std::optional<int> read_keyword(std::span<const Keyword> keywords, const Value& value);

// Keywords that are bits, each once and in the order of their list; 0 for a blank text, nothing after an error.
std::optional<int> read_bits_in_order(std::span<const Keyword> keywords, const Value& value);

void read_text(std::string& out, const Value& value);

// One overload per type of a Spec's fields.
inline void read_value(double& out, const Value& value, int flags) { read_numbers(&out, 1, 1, value, flags); }
inline void read_value(float& out, const Value& value, int flags) { read_numbers(&out, 1, 1, value, flags); }
inline void read_value(int& out, const Value& value, int flags) { read_numbers(&out, 1, 1, value, flags); }

template <class Number, std::size_t N>
void read_value(std::array<Number, N>& out, const Value& value, int flags) {
  read_numbers(out.data(), (flags & kPartial) ? 1 : static_cast<int>(N), static_cast<int>(N), value, flags);
}

template <class Number, std::size_t N>
void read_value(Number (&out)[N], const Value& value, int flags) {
  read_numbers(out, (flags & kPartial) ? 1 : static_cast<int>(N), static_cast<int>(N), value, flags);
}

template <class Number>
void read_value(std::vector<Number>& out, const Value& value, int flags) {
  read_all_numbers(out, value, flags);
}

template <class T>
void read_value(std::optional<T>& out, const Value& value, int flags) {
  if (value.blank()) return;
  T inner{};
  read_value(inner, value, flags);
  out = std::move(inner);
}

inline void read_value(bool& out, const Value& value, int) {
  if (const auto found = read_keyword(kBooleans, value)) out = *found != 0;
}

inline void read_value(Tristate& out, const Value& value, int) {
  if (const auto found = read_keyword(kTristates, value)) out = static_cast<Tristate>(*found);
}

inline void read_value(std::string& out, const Value& value, int) { read_text(out, value); }

}  // namespace torsor::mjcf
