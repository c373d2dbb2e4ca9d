// Philox: ten rounds, each multiplies half of the counter and mixes the products into the other half.
#include "torsor/dynamics/noise.hpp"

#include <cmath>

namespace torsor {

std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  constexpr uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = kMultiplier0 * counter[0], product1 = kMultiplier1 * counter[2];
    const auto high = [](uint64_t x) { return static_cast<uint32_t>(x >> 32); };
    const auto low = [](uint64_t x) { return static_cast<uint32_t>(x); };
    counter = {high(product1) ^ counter[1] ^ key[0], low(product1), high(product0) ^ counter[3] ^ key[1],
               low(product0)};
    key = {key[0] + kWeyl0, key[1] + kWeyl1};
  }
  return counter;
}

// Two uniform numbers with 53 bits, the first of them never 0, give a normal one. [Box and Muller 1958]
double normal_number(uint64_t seed, uint64_t step, uint32_t sensor, uint32_t component) {
  const auto word = [](uint64_t x, int k) { return static_cast<uint32_t>(x >> (32 * k)); };
  const std::array<uint32_t, 4> bits =
      philox({word(step, 0), word(step, 1), sensor, component}, {word(seed, 0), word(seed, 1)});
  const auto fraction = [](uint64_t high, uint64_t low) { return static_cast<double>((high << 32 | low) >> 11); };
  constexpr double kUnit = 1.0 / 9007199254740992.0, kTwoPi = 6.28318530717958647692;  // 2^-53
  const double radius = std::sqrt(-2 * std::log((fraction(bits[0], bits[1]) + 1) * kUnit));
  return radius * std::cos(kTwoPi * kUnit * fraction(bits[2], bits[3]));
}

}  // namespace torsor
