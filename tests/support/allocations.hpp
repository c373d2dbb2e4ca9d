// Counts every allocation of the program that includes this, in one of its files only.
#pragma once

#include <atomic>
#include <cstdlib>

namespace {

std::atomic<long> allocations{0};

}  // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// g++ has the function in its library, but no header for it.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*, size_t),
                                                         void (*on_free)(const volatile void*));

namespace {

// The sanitizer owns malloc; it calls this for each block it hands out.
void count_allocation(const volatile void*, size_t) { ++allocations; }
const int installed = __sanitizer_install_malloc_and_free_hooks(count_allocation, [](const volatile void*) {});

}  // namespace
#else
// glibc lets a program put its own functions in the place of these; operator new ends here too.
extern "C" {
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* block, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);

void* malloc(size_t bytes) {
  ++allocations;
  return __libc_malloc(bytes);
}
void* calloc(size_t count, size_t bytes) {
  ++allocations;
  return __libc_calloc(count, bytes);
}
void* realloc(void* block, size_t bytes) {
  ++allocations;
  return __libc_realloc(block, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) {
  ++allocations;
  return __libc_memalign(alignment, bytes);
}
void* memalign(size_t alignment, size_t bytes) {
  ++allocations;
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** block, size_t alignment, size_t bytes) {
  ++allocations;
  *block = __libc_memalign(alignment, bytes);
  return *block ? 0 : 12;  // ENOMEM
}
}
#endif

namespace torsor {
namespace {

template <class F>
long allocations_in(F&& f) {
  const long before = allocations;
  f();
  return allocations - before;
}

}  // namespace
}  // namespace torsor
