// Ticks at 1, 2 or 5 times a power of ten.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "torsor/render/plot/plot.hpp"

namespace torsor::render {

std::vector<double> make_ticks(double low, double high, int count) {
  std::vector<double> ticks;
  if (!(high > low) || count < 1) return {low};
  const double wanted = (high - low) / count, power = std::pow(10, std::floor(std::log10(wanted))),
               digit = wanted / power;
  const double step = power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
  const double first = std::ceil(low / step - 1e-9);
  for (int i = 0; i < 100; ++i) {
    const double tick = (first + i) * step;
    if (tick > high + 1e-9 * step) break;
    ticks.push_back(std::abs(tick) < 1e-9 * step ? 0 : tick);
  }
  return ticks;
}

std::string format_tick(double value, double step) {
  const double largest = std::max(std::abs(value), std::abs(step));
  if (value == 0) return "0";
  if (largest >= 1e6 || std::abs(step) < 1e-5) {
    const int digits =
        std::max(0, static_cast<int>(std::floor(std::log10(std::abs(value))) - std::floor(std::log10(step) + 1e-9)));
    return fmt::format("{:.{}e}", value, std::min(digits, 6));
  }
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  return fmt::format("{:.{}f}", value, decimals);
}

}  // namespace torsor::render
