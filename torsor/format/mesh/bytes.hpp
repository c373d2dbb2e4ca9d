// Reads numbers from the bytes of a binary file, without ever reading past its end.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace torsor {

using Bytes = std::span<const std::byte>;

// Little-endian, like the files and all supported machines.
template <class T>
T read_at(Bytes bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.subspan(offset, sizeof(T)).data(), sizeof(T));
  return value;
}

// `count` numbers from `offset` on; advances the offset.
template <class T>
std::vector<T> read_array(Bytes bytes, std::size_t& offset, std::size_t count) {
  std::vector<T> values(count);
  if (count > 0) std::memcpy(values.data(), bytes.subspan(offset, count * sizeof(T)).data(), count * sizeof(T));
  offset += count * sizeof(T);
  return values;
}

}  // namespace torsor
