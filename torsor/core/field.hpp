// A field is one named array of Model or Data: a pointer into the owner's buffer and its length.
#pragma once

#include <cstddef>
#include <cstdint>

#include "torsor/core/assert.hpp"
#include "torsor/core/device.hpp"

namespace torsor {

// Pointer first, so that indexing compiles to the same code as a plain pointer member. Does not own its memory.
// Constness is shallow, as for a pointer: the owner decides who may write.
template <class T>
struct Field {
  T* pointer = nullptr;
  int length = 0;

  TORSOR_HD __attribute__((always_inline)) T& operator[](ptrdiff_t i) const {
    TORSOR_ASSERT(i >= 0 && i < length);
    return pointer[i];
  }
  TORSOR_HD __attribute__((always_inline)) T* data() const { return pointer; }
  // The start of row i of an array with `columns` columns; one past the end is allowed, as with any pointer.
  TORSOR_HD __attribute__((always_inline)) T* row(ptrdiff_t i, ptrdiff_t columns) const {
    TORSOR_ASSERT(i >= 0 && i * columns <= length);
    return pointer + i * columns;
  }
  TORSOR_HD __attribute__((always_inline)) int size() const { return length; }
  TORSOR_HD __attribute__((always_inline)) T* begin() const { return pointer; }
  TORSOR_HD __attribute__((always_inline)) T* end() const { return pointer + length; }
};

// A number of each world, which is no array: T itself, unless T is one of many worlds beside each other
// (world_lane.hpp).
template <class T>
struct NumberOf {
  using Type = T;
};

// Whether the user may change a value of a compiled Model between steps.
enum class Access : uint8_t {
  kStructural,  // fixes sizes, addresses or the tree: never edit
  kDerived,     // computed from other values: set_const() updates it
  kFree,        // read afresh every step
};

// The stage of forward dynamics that computes a field of Data.
enum class Stage : uint8_t { kModel, kState, kInput, kPosition, kVelocity, kAcceleration };

// The description of a field: one row of a field list.
struct FieldInfo {
  const char* name;
  int rows;
  int columns;  // 1 for a vector
  Stage stage;
  Access access;
  const char* unit;
  const char* meaning;  // with frame and reference point where they matter
};

}  // namespace torsor
