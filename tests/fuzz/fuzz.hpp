// What the fuzz targets share: the entry points that libFuzzer calls, and the random choices of our own mutators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>

// One input. Anything but torsor::Error and std::bad_alloc that leaves it, every sanitizer report, failed assert,
// endless loop and boundless allocation is a finding.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

// libFuzzer's own mutations, for those of our own to build on. Returns the new size.
extern "C" size_t LLVMFuzzerMutate(uint8_t* bytes, size_t size, size_t capacity);

namespace torsor::fuzz {

inline std::string_view text_of(const uint8_t* bytes, size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

// libFuzzer gives every mutation a seed, so that runs can be repeated.
class Choice {
 public:
  explicit Choice(unsigned seed) : random_(seed) {}
  size_t below(size_t count) { return count == 0 ? 0 : random_() % count; }
  template <class List>
  const auto& of(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  std::minstd_rand random_;
};

}  // namespace torsor::fuzz
