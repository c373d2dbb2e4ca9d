// Memory of a device, owned: arrays that are released with their owner.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "torsor/core/error.hpp"
#include "torsor/gpu/backend.hpp"

namespace torsor::gpu {

template <class S>
class DeviceMemory {
 public:
  explicit DeviceMemory(Backend<S>& backend) : backend_(backend) {}
  ~DeviceMemory() { clear(); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // Zeroed numbers. Throws Error that says what for.
  template <class T>
  T* take(std::size_t count, const char* what) {
    const std::size_t bytes = count * sizeof(T);
    void* const memory = backend_.allocate(bytes);
    if (!memory)
      throw Error(fmt::format("the device has no {:.1f} MB for {}: {:.1f} MB are free", bytes / 1e6, what,
                              backend_.free_bytes() / 1e6));
    blocks_.push_back(memory);
    bytes_ += bytes;
    return static_cast<T*>(memory);
  }
  template <class T>
  T* take_copy(const std::vector<T>& values, const char* what) {
    T* const memory = take<T>(values.size(), what);
    backend_.upload(memory, values.data(), values.size() * sizeof(T));
    return memory;
  }
  void clear() {
    for (void* const block : blocks_) backend_.release(block);
    blocks_.clear();
    bytes_ = 0;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  Backend<S>& backend_;
  std::vector<void*> blocks_;
  std::size_t bytes_ = 0;
};

}  // namespace torsor::gpu
