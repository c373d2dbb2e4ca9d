// Scratch memory of a Data: a stack that reserves address space once and commits pages as they are first needed, so
// that pointers never move and a step never allocates from the heap.
#pragma once

#include <cstddef>

namespace torsor {

class Arena {
 public:
  // Reserves `capacity` bytes of address space; nothing is committed yet.
  explicit Arena(size_t capacity = kDefaultCapacity);
  Arena(Arena&& other) noexcept;
  Arena& operator=(Arena&& other) noexcept;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  // The next `bytes` bytes, or nullptr when the capacity is used up. Contents are unspecified. Alignments are powers
  // of 2.
  void* push(size_t bytes, size_t alignment = 64) noexcept {
    const size_t start = (used_ + alignment - 1) & ~(alignment - 1);
    if (start + bytes > committed_ || bytes > capacity_) {
      if (bytes > capacity_ || start > capacity_ - bytes || !commit(start + bytes)) return nullptr;
    }
    used_ = start + bytes;
    if (used_ > high_water_) high_water_ = used_;
    return base_ + start;
  }
  template <class T>
  T* push_array(size_t count) noexcept {
    if (count > capacity_ / sizeof(T)) return nullptr;  // the product below must not wrap around
    return static_cast<T*>(push(count * sizeof(T), alignof(T) > 32 ? alignof(T) : 32));
  }

  // Stack discipline: everything pushed after mark() is given back by release(mark). A mark from before a reset() that
  // emptied the stack gives nothing back, so that a scope of the user may span a step that resets the simulation.
  size_t mark() const noexcept { return used_; }
  void release(size_t mark) noexcept;

  const std::byte* base() const noexcept { return base_; }
  size_t used() const noexcept { return used_; }
  size_t high_water() const noexcept { return high_water_; }
  size_t capacity() const noexcept { return capacity_; }
  void reset() noexcept { used_ = 0; }  // empties the stack
  void clear_high_water() noexcept { high_water_ = used_; }

  static constexpr size_t kDefaultCapacity = size_t{1} << 30;

 private:
  bool commit(size_t bytes) noexcept;

  std::byte* base_ = nullptr;
  size_t capacity_ = 0;
  size_t committed_ = 0;
  size_t used_ = 0;
  size_t high_water_ = 0;
};

// Releases what a scope pushed, however the scope is left.
class ArenaScope {
 public:
  explicit ArenaScope(Arena& arena) noexcept : arena_(arena), mark_(arena.mark()) {}
  ~ArenaScope() { arena_.release(mark_); }
  ArenaScope(const ArenaScope&) = delete;
  ArenaScope& operator=(const ArenaScope&) = delete;

 private:
  Arena& arena_;
  size_t mark_;
};

}  // namespace torsor
