// Random numbers that are a function of a key and a counter, so that they need no state and no order.
#pragma once

#include <array>
#include <cstdint>

namespace torsor {

// Philox 4x32 with 10 rounds. [Salmon et al. 2011]
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

// A number of the normal distribution with mean 0 and variance 1.
double normal_number(uint64_t seed, uint64_t step, uint32_t sensor, uint32_t component);

}  // namespace torsor
