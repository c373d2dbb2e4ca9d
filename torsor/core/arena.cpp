// Address space by mmap, pages committed in steps by mprotect; poisoned on release in development builds.
#include "torsor/core/arena.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace torsor {
namespace {
constexpr size_t kCommitStep = size_t{64} << 10;
}

Arena::Arena(size_t capacity) : capacity_(capacity) {
  if (capacity == 0) return;
  void* base = mmap(nullptr, capacity, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) throw std::bad_alloc();
  base_ = static_cast<std::byte*>(base);
}

Arena::Arena(Arena&& other) noexcept { *this = std::move(other); }

Arena& Arena::operator=(Arena&& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(capacity_, other.capacity_);
  std::swap(committed_, other.committed_);
  std::swap(used_, other.used_);
  std::swap(high_water_, other.high_water_);
  return *this;
}

Arena::~Arena() {
  if (base_) munmap(base_, capacity_);
}

bool Arena::commit(size_t bytes) noexcept {
  const size_t wanted = std::min((bytes + kCommitStep - 1) / kCommitStep * kCommitStep, capacity_);
  if (wanted < bytes) return false;
  if (mprotect(base_ + committed_, wanted - committed_, PROT_READ | PROT_WRITE) != 0) return false;
  committed_ = wanted;
  return true;
}

void Arena::release(size_t mark) noexcept {
  if (mark >= used_) return;
#if defined(TORSOR_POISON) && TORSOR_POISON
  std::memset(base_ + mark, 0xFF, used_ - mark);  // all-ones doubles are NaN
#endif
  used_ = mark;
}

}  // namespace torsor
