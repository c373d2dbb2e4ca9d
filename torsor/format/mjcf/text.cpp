// Shortest text of numbers; keywords.
#include "torsor/format/mjcf/text.hpp"

#include <bit>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace torsor::mjcf {

template <class Number>
void append_number(std::string& out, Number number) {
  std::array<char, 32> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc()) throw Error("a number is too long to write");
  out.append(digits.data(), end);
}

template void append_number(std::string&, double);
template void append_number(std::string&, float);
template void append_number(std::string&, int);
template void append_number(std::string&, int64_t);

std::string text_of_keyword(std::span<const Keyword> keywords, int value) {
  for (const Keyword& keyword : keywords) {
    if (keyword.value == value) return std::string(keyword.name);
  }
  throw Error(fmt::format("no keyword has the value {}; '{}' has {}", value, keywords[0].name, keywords[0].value));
}

std::string text_of_bits(std::span<const Keyword> keywords, int bits) {
  std::string out;
  for (const Keyword& keyword : keywords) {
    if (!(bits & keyword.value)) continue;
    if (!out.empty()) out += ' ';
    out += keyword.name;
  }
  return out;
}

bool same_number(double a, double b) {
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

}  // namespace torsor::mjcf
