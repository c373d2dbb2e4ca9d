// Numbers with three digits and a prefix, or as many digits as they need.
#include "cli/numbers.hpp"

#include <cmath>

#include <fmt/format.h>

namespace torsor::cli {
namespace {

// Three significant digits, without an exponent for numbers of ordinary size.
std::string three_digits(double value) {
  const double size = std::abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-3)) return fmt::format("{:.3g}", value);
  return fmt::format("{:.{}f}", value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

std::string with_prefix(double value, const char* const* prefixes, int count, double base) {
  int i = 0;
  while (i + 1 < count && std::abs(value) >= base * 0.9995) {
    value /= base;
    ++i;
  }
  return fmt::format("{} {}", three_digits(value), prefixes[i]);
}

}  // namespace

std::string format_number(double value) {
  if (value == 0) return "0";  // and never "-0"
  return fmt::format("{:.6g}", value);
}

std::string format_count(int64_t value) {
  std::string text = fmt::format("{}", value);
  const size_t first = value < 0 ? 1 : 0;
  for (size_t i = text.size(); i > first + 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

std::string format_duration(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  if (seconds >= 59.95) {
    const auto whole = static_cast<int64_t>(std::llround(seconds));
    if (whole >= 3600) return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
    return fmt::format("{} min {} s", whole / 60, whole % 60);
  }
  static constexpr const char* kUnits[] = {"ns", "us", "ms", "s"};
  return with_prefix(seconds * 1e9, kUnits, 4, 1000);
}

std::string format_rate(double per_second) {
  static constexpr const char* kPrefixes[] = {"", "k", "M", "G"};
  std::string text = with_prefix(per_second, kPrefixes, 4, 1000);
  if (text.back() == ' ') text.pop_back();
  return text;
}

std::string format_plural(int64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", format_count(count), count == 1 ? one : many);
}

std::string format_bytes(size_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  static constexpr const char* kUnits[] = {"B", "kB", "MB", "GB"};
  return with_prefix(static_cast<double>(bytes), kUnits, 4, 1000);
}

std::string format_factor(double factor) { return three_digits(factor) + "x"; }

std::string format_vector(const double* values, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += (i > 0 ? " " : "") + format_number(values[i]);
  return text;
}

}  // namespace torsor::cli
