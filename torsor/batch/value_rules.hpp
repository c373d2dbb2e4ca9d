// What a number of a model must be, as a set of bits.
#pragma once

#include <cstdint>

#include "torsor/core/device.hpp"

namespace torsor {

enum ValueRule : std::uint8_t {
  kFinite = 1,        // else it may be infinite; never NaN
  kNotNegative = 2,   //
  kNotZero = 4,       //
  kNotAboveNext = 8,  // a lower bound, which the upper one follows
};

// `next` is the number after it, where there is a rule about that.
TORSOR_HD inline bool obeys(unsigned rules, double value, double next) {
  if (!(value == value)) return false;
  const bool is_finite = value - value == 0;
  return (is_finite || !(rules & kFinite)) && !(rules & kNotNegative && value < 0) &&
         !(rules & kNotZero && value == 0) && !(rules & kNotAboveNext && value > next);
}

}  // namespace torsor
