// Numbers without locale, keywords with hints, text that is UTF-8.
#include "torsor/format/mjcf/value.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include "torsor/core/utf8.hpp"

namespace torsor::mjcf {
namespace {

constexpr std::string_view kSpaces = " \t\n\r\v\f";

// Takes the next word from the front of `rest`; empty at the end.
std::string_view take_word(std::string_view& rest) {
  const std::size_t begin = rest.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  std::size_t end = rest.find_first_of(kSpaces, begin);
  if (end == std::string_view::npos) end = rest.size();
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

int count_words(std::string_view rest) {
  int count = 0;
  while (!take_word(rest).empty()) ++count;
  return count;
}

// from_chars does not accept a plus sign.
std::string_view without_plus(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+') word.remove_prefix(1);
  return word;
}

template <class Number>
bool parse_number(std::string_view word, Number& out, const Value& value, int flags) {
  const std::string_view digits = without_plus(word);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (error == std::errc::result_out_of_range) {
    value.fail(fmt::format("has the number '{}', which is out of range", word));
    return false;
  }
  if (error != std::errc() || end != digits.data() + digits.size()) {
    value.fail(fmt::format("expects {}, got '{}'", std::is_integral_v<Number> ? "an integer" : "a number", word));
    return false;
  }
  if constexpr (std::is_floating_point_v<Number>) {
    if (std::isnan(out) || (std::isinf(out) && !(flags & kInfinite))) {
      value.fail(fmt::format("must be finite, got '{}'", word));
      return false;
    }
  }
  return true;
}

std::string describe_count(int least, int most) {
  if (most == 1) return "one number";
  return least == most ? fmt::format("{} numbers", most) : fmt::format("{} to {} numbers", least, most);
}

std::vector<std::string> names_of(std::span<const Keyword> keywords) {
  std::vector<std::string> names;
  for (const Keyword& keyword : keywords) names.emplace_back(keyword.name);
  return names;
}

}  // namespace

bool Value::blank() const { return text_.find_first_not_of(kSpaces) == std::string_view::npos; }

void Value::fail(const std::string& message, std::string hint) const {
  report_.attribute_error(element_, name_, fmt::format("'{}' of {} {}", name_, element_.name(), message),
                          std::move(hint));
}

template <class Number>
int read_numbers(Number* out, int least, int most, const Value& value, int flags) {
  constexpr int kMost = 16;
  std::array<Number, kMost> numbers;
  std::string_view rest = value.text();
  int count = 0;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    if (count == most) {
      value.fail(fmt::format("takes {}, got {}", describe_count(least, most), count_words(value.text())));
      return 0;
    }
    if (!parse_number(word, numbers[static_cast<std::size_t>(count)], value, flags)) return 0;
    ++count;
  }
  if (count == 0) return 0;
  if (count < least) {
    value.fail(fmt::format("takes {}, got {}", describe_count(least, most), count));
    return 0;
  }
  std::copy_n(numbers.begin(), count, out);
  return count;
}

template <class Number>
bool read_all_numbers(std::vector<Number>& out, const Value& value, int flags) {
  if (value.blank()) return false;
  std::vector<Number> numbers;
  std::string_view rest = value.text();
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    if (!parse_number(word, numbers.emplace_back(), value, flags)) return false;
  }
  out = std::move(numbers);
  return true;
}

template int read_numbers(double*, int, int, const Value&, int);
template int read_numbers(float*, int, int, const Value&, int);
template int read_numbers(int*, int, int, const Value&, int);
template bool read_all_numbers(std::vector<double>&, const Value&, int);
template bool read_all_numbers(std::vector<float>&, const Value&, int);
template bool read_all_numbers(std::vector<int>&, const Value&, int);

std::optional<int> read_keyword(std::span<const Keyword> keywords, const Value& value) {
  for (const Keyword& keyword : keywords) {
    if (keyword.name == value.text()) return keyword.value;
  }
  const std::vector<std::string> names = names_of(keywords);
  value.fail(fmt::format("is one of {}, got '{}'", fmt::join(names, ", "), value.text()), suggest(value.text(), names));
  return std::nullopt;
}

std::optional<int> read_bits_in_order(std::span<const Keyword> keywords, const Value& value) {
  int bits = 0;
  std::string_view rest = value.text();
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    const std::optional<int> bit = read_keyword(keywords, Value(value.element(), value.name(), word, value.report()));
    if (!bit) return std::nullopt;
    if (bits >= *bit) {
      std::vector<std::string_view> names;
      for (const Keyword& keyword : keywords) names.push_back(keyword.name);
      value.fail(fmt::format("lists each word once, in the order {}", fmt::join(names, ", ")));
      return std::nullopt;
    }
    bits |= *bit;
  }
  return bits;
}

void read_text(std::string& out, const Value& value) {
  if (!is_utf8(value.text())) {
    value.fail("is not UTF-8 text");
    return;
  }
  out = value.text();
}

}  // namespace torsor::mjcf
