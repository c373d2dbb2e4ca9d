// Where the memory of Models and Datas comes from: the heap, unless a program installs its own allocator.
#pragma once

#include <cstddef>

namespace torsor {

// A pair of functions. `allocate` returns memory aligned to `alignment` (a power of 2), or null, which becomes
// std::bad_alloc; `release` receives what `allocate` returned and the requested size.
struct Allocator {
  void* (*allocate)(size_t bytes, size_t alignment) = nullptr;
  void (*release)(void* memory, size_t bytes, size_t alignment) = nullptr;
};

// Takes effect for all threads; memory in use is released by its old allocator. Without an argument: the heap.
// Throws Error if only one of the two functions is given. The arrays of a Data and its first scratch memory come from
// this allocator; scratch that grows is separate address space (arena.hpp), and a step never allocates from here.
void set_allocator(const Allocator& allocator = {});
// The current allocator; its functions are never null.
Allocator allocator();

}  // namespace torsor
