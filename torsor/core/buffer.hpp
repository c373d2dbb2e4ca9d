// One aligned block of zeroed memory that owns all fields of a Model or a Data.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <utility>

#include "torsor/core/allocator.hpp"

namespace torsor {

class Buffer {
 public:
  static constexpr size_t kAlignment = 64;

  Buffer() = default;
  explicit Buffer(size_t bytes) : bytes_(bytes) {
    if (bytes == 0) return;
    const Allocator from = allocator();
    data_ = static_cast<std::byte*>(from.allocate(bytes, kAlignment));
    if (!data_) throw std::bad_alloc();
    release_ = from.release;
    std::memset(data_, 0, bytes);
  }
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    if (data_) release_(data_, bytes_, kAlignment);
  }

  std::byte* data() const { return data_; }
  size_t size() const { return bytes_; }

 private:
  void swap(Buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(release_, other.release_);
  }
  std::byte* data_ = nullptr;
  size_t bytes_ = 0;
  decltype(Allocator::release) release_ = nullptr;  // of the allocator that gave the memory
};

}  // namespace torsor
