// Memory of the device 'host'.
#pragma once

#include <cstddef>
#include <map>

namespace torsor::gpu {

class HostMemory {
 public:
  void* take(std::size_t bytes);  // zeroed; null when host_device() has no more
  void release(void* memory);
  static std::size_t free_bytes();

 private:
  struct Block {
    void* base;  // of the pages that hold it; null: it is none of pages
    std::size_t bytes, mapped;
  };
  std::map<void*, Block> blocks_;
};

}  // namespace torsor::gpu
