// Eight bytes at a time: mix a word in, multiply by an odd number, fold the high half down.
#include "torsor/format/binary/checksum.hpp"

#include <algorithm>
#include <cstring>

namespace torsor {
namespace {

constexpr uint64_t kOddMultiplier = 0xD6E8FEB86659FD93;

uint64_t mix(uint64_t value, uint64_t word) {
  value = (value ^ word) * kOddMultiplier;
  return value ^ (value >> 32);
}

}  // namespace

uint64_t checksum(std::string_view bytes) {
  uint64_t value = mix(kOddMultiplier, bytes.size());
  for (size_t i = 0; i < bytes.size(); i += 8) {
    uint64_t word = 0;  // the last word is padded with zeros; the length above distinguishes them from data
    std::memcpy(&word, bytes.data() + i, std::min<size_t>(8, bytes.size() - i));
    value = mix(value, word);
  }
  return value;
}

}  // namespace torsor
