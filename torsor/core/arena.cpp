// Regions by mmap, in a list; poisoned on release in development builds.
#include "torsor/core/arena.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <utility>

namespace torsor {

// Lies at the end of its memory, so that blocks can begin on its first page.
struct Arena::Region {
  Region* previous;
  Region* next;
  std::byte* memory;
  size_t bytes;  // of memory, without this header
  size_t begin;  // position of the first block
  bool mapped;
};

namespace {

constexpr size_t kLeastRegion = size_t{256} << 10;
constexpr size_t kPage = Arena::kPage;
constexpr size_t kLargestGuess = size_t{64} << 20;  // address space that is reserved before more than that is needed

// Room for twice of what is needed, as long as that is little.
size_t region_bytes(size_t needed) {
  if (needed > kLargestGuess / 2) return std::max(needed, kLargestGuess);
  return std::max(2 * needed, kLeastRegion);
}

size_t mapped_bytes(size_t wanted, size_t header) { return (wanted + kPage + header + kPage - 1) / kPage * kPage; }

// A region of the least size that an arena has left for the next one: copies of a Data that live for the time of a call
// would otherwise spend a third of it in the system, which has to clear every page anew.
std::atomic<void*> spare{nullptr};

void* map(size_t bytes, size_t least) {
  if (bytes == least) {
    if (void* memory = spare.exchange(nullptr)) return memory;
  }
  return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

void unmap(void* memory, size_t bytes, size_t least) {
#if defined(TORSOR_POISON) && TORSOR_POISON
  if (bytes == least) std::memset(memory, 0xFF, bytes);  // as if it had been released
#endif
  void* none = nullptr;
  if (bytes != least || !spare.compare_exchange_strong(none, memory)) munmap(memory, bytes);
}

}  // namespace

Arena::Arena(size_t capacity, void* first, size_t bytes) noexcept : capacity_(capacity) {
  if (bytes < 2 * sizeof(Region)) return;
  const size_t usable = (bytes - sizeof(Region)) / alignof(Region) * alignof(Region);
  auto* memory = static_cast<std::byte*>(first);
  first_ = last_ = largest_ = new (memory + usable) Region{nullptr, nullptr, memory, usable, 0, false};
  reserved_ = usable;
  enter(*first_, 0);
}

Arena::~Arena() {
  for (Region* region = last_; region;) {
    Region* previous = region->previous;
    if (region->mapped)
      unmap(region->memory, region->bytes + sizeof(Region), mapped_bytes(kLeastRegion, sizeof(Region)));
    region = previous;
  }
}

void Arena::swap(Arena& other) noexcept {
  std::swap(origin_, other.origin_);
  std::swap(end_, other.end_);
  std::swap(used_, other.used_);
  std::swap(high_water_, other.high_water_);
  std::swap(floor_, other.floor_);
  std::swap(capacity_, other.capacity_);
  std::swap(needed_, other.needed_);
  std::swap(reserved_, other.reserved_);
  std::swap(first_, other.first_);
  std::swap(present_, other.present_);
  std::swap(last_, other.last_);
  std::swap(largest_, other.largest_);
  std::swap(growths_, other.growths_);
  std::swap(measures_, other.measures_);
}

// Addresses equal positions modulo the size of a page in mapped regions, which keeps every alignment.
void Arena::enter(Region& region, size_t begin) noexcept {
  region.begin = begin;
  present_ = &region;
  const size_t skipped = begin % (region.mapped ? kPage : 64);
  origin_ = reinterpret_cast<std::uintptr_t>(region.memory) + skipped - begin;
  end_ = std::min(region_end(), capacity_);
  floor_ = &region == largest_ ? begin : std::max(begin, size_t{1});
}

size_t Arena::region_end() const noexcept {
  if (!present_) return 0;
  return static_cast<size_t>(reinterpret_cast<std::uintptr_t>(present_->memory) + present_->bytes - origin_);
}

// Whether blocks may reach that far.
bool Arena::may_reach(size_t end) noexcept {
  if (end <= capacity_) return true;
  needed_ = std::max(needed_, end);
  return measures_;
}

void Arena::use(size_t end) noexcept {
  used_ = end;
  high_water_ = std::max(high_water_, end);
}

// A region for everything that is in use and `bytes` more, or at least for those.
Arena::Region* Arena::add_region(size_t begin, size_t bytes) noexcept {
  for (const size_t wanted : {region_bytes(begin + bytes), bytes}) {
    const size_t whole = mapped_bytes(wanted, sizeof(Region));
    void* memory = map(whole, mapped_bytes(kLeastRegion, sizeof(Region)));
    if (memory == MAP_FAILED) continue;
    const size_t usable = whole - sizeof(Region);
    auto* bytes_of = static_cast<std::byte*>(memory);
    auto* region = new (bytes_of + usable) Region{last_, nullptr, bytes_of, usable, begin, true};
    (last_ ? last_->next : first_) = region;
    last_ = region;
    if (!largest_ || usable > largest_->bytes) largest_ = region;
    reserved_ += usable;
    ++growths_;
    return region;
  }
  needed_ = std::max(needed_, begin + bytes);
  return nullptr;
}

// Goes to a region with room for `bytes` from position `begin` on. Regions without that room hold nothing then.
bool Arena::enter_next(size_t begin, size_t bytes) noexcept {
  Region* region = present_ ? present_->next : first_;
  for (; region && region->bytes < bytes + kPage; region = region->next) region->begin = begin;
  if (!region) region = add_region(begin, bytes);
  if (!region) return false;
  enter(*region, begin);
  return true;
}

void* Arena::push_beyond(size_t start, size_t bytes) noexcept {
  if (bytes > kUnlimited || start > kUnlimited - bytes || !may_reach(start + bytes)) return nullptr;
  if (start + bytes > region_end() && !enter_next(start, bytes)) return nullptr;
  use(start + bytes);
  return at(start);
}

void* Arena::extend(void* block, size_t bytes, size_t more) noexcept {
  const size_t end = used_ + more, begin = used_ - bytes;
  if (more > kUnlimited || (end > end_ && !may_reach(end))) return nullptr;
  if (end > region_end()) {
    if (!enter_next(begin, bytes + more)) return nullptr;
    std::memcpy(at(begin), block, bytes);
  }
  use(end);
  return at(begin);
}

bool Arena::gather(size_t bytes) noexcept {
  const size_t end = used_ + bytes;
  if (bytes > kUnlimited) return false;
  if (end <= region_end()) return true;
  const std::byte* from = at(0);
  Region* region = add_region(0, end);
  if (!region) return false;
  enter(*region, 0);
  if (used_ > 0) std::memcpy(at(0), from, used_);
  return true;
}

bool Arena::ensure_beyond(size_t bytes) noexcept {
  if (bytes > kUnlimited) return false;
  return used_ + bytes <= region_end() || enter_next(used_, bytes);
}

// An empty stack starts in the largest region: the next use like the one before stays in it, as a rule.
void Arena::leave_regions() noexcept {
  if (used_ == 0) return enter(*largest_, 0);
  Region* region = present_;
  while (region->previous && used_ < region->begin) region = region->previous;
  enter(*region, region->begin);
}

#if defined(TORSOR_POISON) && TORSOR_POISON
// Only in the present region; the others are left by then.
void Arena::poison_from(size_t mark) noexcept {
  const size_t from = std::max(mark, present_->begin);
  if (from < used_) std::memset(at(from), 0xFF, used_ - from);  // all-ones doubles are NaN
}
#endif

}  // namespace torsor
