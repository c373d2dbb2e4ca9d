// Converts values back to the text of attributes. Numbers are written with the fewest digits that read back to the same
// bits.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "torsor/format/mjcf/value.hpp"

namespace torsor::mjcf {

// Number: double, float, int or int64_t.
template <class Number>
void append_number(std::string& out, Number number);

// Throws an Error for a value that no keyword has.
std::string text_of_keyword(std::span<const Keyword> keywords, int value);
std::string text_of_bits(std::span<const Keyword> keywords, int bits);

template <class Number>
std::string text_of_numbers(std::span<const Number> numbers) {
  std::string out;
  for (const Number number : numbers) {
    if (!out.empty()) out += ' ';
    append_number(out, number);
  }
  return out;
}

// One overload per type of a Spec's fields.
inline std::string text_of(double value) { return text_of_numbers<double>({&value, 1}); }
inline std::string text_of(float value) { return text_of_numbers<float>({&value, 1}); }
inline std::string text_of(int value) { return text_of_numbers<int>({&value, 1}); }
inline std::string text_of(int64_t value) { return text_of_numbers<int64_t>({&value, 1}); }
inline std::string text_of(bool value) { return value ? "true" : "false"; }
inline std::string text_of(Tristate value) { return text_of_keyword(kTristates, static_cast<int>(value)); }
inline std::string text_of(const std::string& value) { return value; }
template <class Number, std::size_t N>
std::string text_of(const std::array<Number, N>& value) {
  return text_of_numbers<Number>(value);
}
template <class Number, std::size_t N>
std::string text_of(const Number (&value)[N]) {
  return text_of_numbers<Number>(value);
}
template <class Number>
std::string text_of(const std::vector<Number>& value) {
  return text_of_numbers<Number>(value);
}
// No text can undo the value of a default class.
struct MissingValue : Error {
  MissingValue() : Error("its default class has a value that the element does not have") {}
};
template <class T>
std::string text_of(const std::optional<T>& value) {
  if (!value) throw MissingValue();
  return text_of(*value);
}

// Whether two values have the same text: equal to the bit, or both unspecified.
bool same_number(double a, double b);
inline bool same_value(double a, double b) { return same_number(a, b); }
inline bool same_value(float a, float b) { return same_number(a, b); }
template <class T>
requires std::is_integral_v<T> || std::is_enum_v<T>
bool same_value(T a, T b) { return a == b; }
inline bool same_value(const std::string& a, const std::string& b) { return a == b; }
template <class Number>
bool same_numbers(std::span<const Number> a, std::span<const Number> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same_value(a[i], b[i])) return false;
  }
  return true;
}
template <class Number, std::size_t N>
bool same_value(const std::array<Number, N>& a, const std::array<Number, N>& b) {
  return same_numbers<Number>(a, b);
}
template <class Number, std::size_t N>
bool same_value(const Number (&a)[N], const Number (&b)[N]) {
  return same_numbers<Number>(a, b);
}
template <class Number>
bool same_value(const std::vector<Number>& a, const std::vector<Number>& b) {
  return same_numbers<Number>(a, b);
}
template <class T>
bool same_value(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || same_value(*a, *b));
}

}  // namespace torsor::mjcf
