// Adds up the memory of what several threads make.
#pragma once

#include <atomic>
#include <cstdint>

#include "torsor/core/count.hpp"

namespace torsor {

// What is made may exceed the limit once: sizes are known only afterwards. Nothing is begun after that.
class MemoryMeter {
 public:
  explicit MemoryMeter(std::int64_t limit) : left_(limit) {}

  void add(Count bytes) { left_ -= bytes.value(); }
  bool is_full() const { return left_ < 0; }

 private:
  std::atomic<std::int64_t> left_;
};

}  // namespace torsor
