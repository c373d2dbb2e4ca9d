// Memory of a group of threads: shared memory as long as it lasts, then memory of the device.
#pragma once

#include <cstddef>

#include "torsor/math/config.hpp"

namespace torsor::gpu {

class GroupMemory {
 public:
  static constexpr std::size_t kAlignment = 16;
  // Without memory it only counts.
  GroupMemory() = default;
  TORSOR_INLINE GroupMemory(void* shared, std::size_t shared_bytes, void* device)
      : shared_(static_cast<char*>(shared)), device_(static_cast<char*>(device)), left_(shared_bytes) {}

  template <class T>
  TORSOR_INLINE T* take(std::ptrdiff_t count) {
    const std::size_t bytes = (std::size_t(count) * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    if (bytes <= left_) {
      char* const from = shared_;
      shared_ += bytes;
      left_ -= bytes;
      return reinterpret_cast<T*>(from);
    }
    char* const from = device_ ? device_ + taken_ : nullptr;
    taken_ += bytes;
    return reinterpret_cast<T*>(from);
  }
  TORSOR_INLINE std::size_t taken_of_device() const { return taken_; }

 private:
  char *shared_ = nullptr, *device_ = nullptr;
  std::size_t left_ = 0, taken_ = 0;
};

}  // namespace torsor::gpu
