// The current allocator: one per process, replaced as a whole.
#include "torsor/core/allocator.hpp"

#include <mutex>
#include <new>

#include "torsor/core/error.hpp"

namespace torsor {
namespace {

void* allocate_on_heap(size_t bytes, size_t alignment) {
  return ::operator new (bytes, std::align_val_t{alignment}, std::nothrow);
}

void release_to_heap(void* memory, size_t, size_t alignment) {
  ::operator delete (memory, std::align_val_t{alignment});
}

constexpr Allocator kHeap{allocate_on_heap, release_to_heap};

// Both pointers are read together, so that no thread sees one of the old pair and one of the new.
struct Chosen {
  std::mutex mutex;
  Allocator allocator = kHeap;
};

Chosen& chosen() {
  static Chosen* const one = new Chosen;  // never destroyed: buffers may outlive everything
  return *one;
}

}  // namespace

void set_allocator(const Allocator& allocator) {
  if (!allocator.allocate != !allocator.release) throw Error("an allocator needs both functions, or none of them");
  const std::lock_guard lock(chosen().mutex);
  chosen().allocator = allocator.allocate ? allocator : kHeap;
}

Allocator allocator() {
  const std::lock_guard lock(chosen().mutex);
  return chosen().allocator;
}

}  // namespace torsor
