// Where the memory of Models and Datas comes from: the heap, unless a program asks for its own.
#pragma once

#include <cstddef>

namespace torsor {

// A pair of functions. `allocate` returns memory aligned to `alignment` (a power of 2), or null, which becomes
// std::bad_alloc; `release` is given what `allocate` returned and the size that was asked for.
struct Allocator {
  void* (*allocate)(size_t bytes, size_t alignment) = nullptr;
  void (*release)(void* memory, size_t bytes, size_t alignment) = nullptr;
};

// From now on, for all threads; memory that is in use goes back to where it came from. Without an argument: the heap.
// Throws Error when only one of the two functions is given. Scratch memory is address space of its own (arena.hpp), not
// from here, and a step takes nothing from here at all.
void set_allocator(const Allocator& allocator = {});
// The one in use, never with null functions.
Allocator allocator();

}  // namespace torsor
