// Lays out the fields of a field list in one buffer; copies and compares whole lists.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "torsor/core/buffer.hpp"
#include "torsor/core/field.hpp"

namespace torsor {

// Small fields are packed densely, large ones start on a cache line.
constexpr size_t field_alignment(size_t element_alignment, size_t bytes) {
  const size_t wanted = bytes >= Buffer::kAlignment ? size_t{32} : size_t{8};
  return std::max(element_alignment, wanted);
}

// Lists are structs with `for_each_field(f)`, which calls f(FieldInfo, Field<T>&) in the order of the list.
// Sets every Field of the list to its place in a new zeroed buffer, which is returned.
template <class List>
Buffer place_fields(List& list) {
  size_t offset = 0;
  auto place = [&offset](std::byte* base, const FieldInfo& info, auto& field) {
    using T = std::remove_reference_t<decltype(field[0])>;
    const size_t count = static_cast<size_t>(info.rows) * static_cast<size_t>(info.columns);
    const size_t alignment = field_alignment(alignof(T), count * sizeof(T));
    offset = (offset + alignment - 1) / alignment * alignment;
    if (base) {
      field.pointer = reinterpret_cast<T*>(base + offset);
      field.length = static_cast<int>(count);
    }
    offset += count * sizeof(T);
  };
  list.for_each_field([&](const FieldInfo& info, auto& field) { place(nullptr, info, field); });
  Buffer buffer(offset);
  offset = 0;
  list.for_each_field([&](const FieldInfo& info, auto& field) { place(buffer.data(), info, field); });
  return buffer;
}

}  // namespace torsor
