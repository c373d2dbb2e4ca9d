#include "torsor/gpu/host_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "torsor/gpu/host_device.hpp"

namespace torsor::gpu {
namespace {

constexpr std::size_t kAlignment = 256;

std::size_t round_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

HostDevice& host_device() {
  static HostDevice device;
  return device;
}

std::size_t HostMemory::free_bytes() {
  const HostDevice& device = host_device();
  return device.bytes > device.used ? device.bytes - device.used : 0;
}

void* HostMemory::take(std::size_t bytes) {
  if (bytes > free_bytes()) return nullptr;
  Block block{nullptr, bytes, 0};
  void* memory = nullptr;
  if (host_device().has_guards) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    block.mapped = page + round_up(bytes, page);
    block.base = mmap(nullptr, block.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block.base == MAP_FAILED) return nullptr;
    mprotect(block.base, page, PROT_NONE);
    memory = static_cast<char*>(block.base) + page;
  } else {
    memory = std::aligned_alloc(kAlignment, round_up(bytes > 0 ? bytes : 1, kAlignment));
    if (!memory) return nullptr;
    std::memset(memory, 0, bytes);
  }
  blocks_[memory] = block;
  host_device().used += bytes;
  return memory;
}

void HostMemory::release(void* memory) {
  const auto found = blocks_.find(memory);
  if (found == blocks_.end()) return;
  const Block block = found->second;
  blocks_.erase(found);
  host_device().used -= block.bytes;
  if (block.base)
    munmap(block.base, block.mapped);
  else
    std::free(memory);
}

}  // namespace torsor::gpu
