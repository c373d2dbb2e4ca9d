// Scratch memory of a Data: a stack over regions of address space that are reserved as they are needed, so that blocks
// never move and a step never allocates from the heap. Decision 23 says why it is built so.
#pragma once

#include <cstddef>
#include <cstdint>

namespace torsor {

// Blocks have positions: the bytes of the stack below them, as if it were one piece of memory. Marks, capacity and
// high-water mark are positions, so none of them depends on how the stack is spread over regions. Regions stay reserved
// as long as the arena lives: stale pointers point to readable memory.
class Arena {
 public:
  // A stack of at most `capacity` bytes; nothing is reserved yet.
  explicit Arena(size_t capacity = kUnlimited) noexcept : capacity_(capacity) {}
  // The stack starts in `first`, memory of the caller that is aligned to 64 bytes and outlives the arena. Alignments
  // above 64 are not available there.
  Arena(size_t capacity, void* first, size_t bytes) noexcept;
  Arena(Arena&& other) noexcept { swap(other); }
  Arena& operator=(Arena&& other) noexcept {
    swap(other);
    return *this;
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  // The next `bytes` bytes, or nullptr when the capacity is used up or the system has no memory left. Contents are
  // unspecified. Alignments are powers of 2, at most kPage.
  void* push(size_t bytes, size_t alignment = 64) noexcept {
    const size_t start = aligned(alignment);
    if (start + bytes > end_ || bytes > kUnlimited) return push_beyond(start, bytes);
    used_ = start + bytes;
    if (used_ > high_water_) high_water_ = used_;
    return at(start);
  }
  template <class T>
  T* push_array(size_t count) noexcept {
    if (count > kUnlimited / sizeof(T)) return nullptr;  // the product below must not wrap around
    return static_cast<T*>(push(count * sizeof(T), alignof(T) > 32 ? alignof(T) : 32));
  }
  // `more` bytes at the end of the last block, which has `bytes`. The block may move to another region, at the same
  // position; its new address, or nullptr with everything as it was.
  void* extend(void* block, size_t bytes, size_t more) noexcept;
  // Whether a block fits without another region.
  bool fits(size_t bytes, size_t alignment) const noexcept { return aligned(alignment) + bytes <= end_; }
  // Makes sure that `bytes` more fit into one region together with everything that is in use, which may move there:
  // base() then differs. Only while everything is in one region, which holds as long as nothing else makes the stack
  // grow. False when the system has no memory left.
  bool gather(size_t bytes) noexcept;
  // Makes sure that `bytes` more fit without another region. False when the system has no memory left.
  bool ensure(size_t bytes) noexcept { return used_ + bytes <= end_ || ensure_beyond(bytes); }

  // Stack discipline: everything pushed after mark() is given back by release(mark). A mark from before a reset() that
  // emptied the stack gives nothing back, so that a scope of the user may span a step that resets the simulation.
  size_t mark() const noexcept { return used_; }
  void release(size_t mark) noexcept {
    if (mark >= used_) return;
    poison_from(mark);
    used_ = mark;
    if (mark < floor_) leave_regions();
  }
  void reset() noexcept {  // empties the stack
    used_ = 0;
    if (floor_ > 0) leave_regions();
  }

  // Where position 0 is, if everything is in one region.
  const std::byte* base() const noexcept { return at(0); }
  size_t used() const noexcept { return used_; }
  size_t high_water() const noexcept { return high_water_; }
  size_t capacity() const noexcept { return capacity_; }
  void clear_high_water() noexcept { high_water_ = used_; }
  // Bytes of all regions, used or not, and how many regions were added since the arena was made.
  size_t reserved() const noexcept { return reserved_; }
  int growths() const noexcept { return growths_; }

  // An arena that measures gives out blocks beyond its capacity too, and notes how far they reach: a program can then
  // be told how much it needs in all. needed() is 0 as long as everything fitted.
  void measure() noexcept { measures_ = true; }
  size_t needed() const noexcept { return needed_; }
  void clear_needed() noexcept { needed_ = 0; }

  static constexpr size_t kUnlimited = size_t{1} << 46;  // more than a process can address
  static constexpr size_t kPage = 4096;

 private:
  struct Region;

  size_t aligned(size_t alignment) const noexcept { return (used_ + alignment - 1) & ~(alignment - 1); }
  std::byte* at(size_t position) const noexcept { return reinterpret_cast<std::byte*>(origin_ + position); }
  void* push_beyond(size_t start, size_t bytes) noexcept;
  bool ensure_beyond(size_t bytes) noexcept;
  bool may_reach(size_t end) noexcept;
  bool enter_next(size_t begin, size_t bytes) noexcept;
  Region* add_region(size_t begin, size_t bytes) noexcept;
  void enter(Region& region, size_t begin) noexcept;
  void leave_regions() noexcept;
  size_t region_end() const noexcept;
  void use(size_t end) noexcept;
  void swap(Arena& other) noexcept;
#if defined(TORSOR_POISON) && TORSOR_POISON
  void poison_from(size_t mark) noexcept;
#else
  void poison_from(size_t) noexcept {}
#endif

  std::uintptr_t origin_ = 0;  // address of position 0, if the present region reached down to it
  size_t end_ = 0;             // where the present region or the capacity ends
  size_t used_ = 0;
  size_t high_water_ = 0;
  size_t floor_ = 0;  // releasing to a mark below this leaves the present region
  size_t capacity_ = 0;
  size_t needed_ = 0;
  size_t reserved_ = 0;
  Region *first_ = nullptr, *present_ = nullptr, *last_ = nullptr, *largest_ = nullptr;
  int growths_ = 0;
  bool measures_ = false;
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
