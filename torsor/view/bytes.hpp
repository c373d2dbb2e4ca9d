// Small pieces of binary formats: numbers as bytes, compression, base64.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace torsor::view {

// Appends the bytes of a number. The machines that Torsor runs on are little-endian, as is the format.
template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// float32 numbers of a row of doubles.
void put_floats(std::string& bytes, const double* values, int count);
// A number of [-1, 1] as int16.
void put_unit(std::string& bytes, double value);

// zlib's format, which browsers call "deflate". Throws Error when out of memory.
std::string compress(std::string_view bytes);
std::string to_base64(std::string_view bytes);
// Throws Error for text that is not base64.
std::string from_base64(std::string_view text);

}  // namespace torsor::view
