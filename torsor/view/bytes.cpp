// Compression by zlib; base64 by hand, as neither the standard library nor zlib has it.
#include "torsor/view/bytes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <zlib.h>

#include "torsor/core/error.hpp"

namespace torsor::view {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::array<int, 256> make_values() {
  std::array<int, 256> values;
  values.fill(-1);
  for (size_t i = 0; i < kDigits.size(); ++i) values[static_cast<unsigned char>(kDigits[i])] = static_cast<int>(i);
  return values;
}

}  // namespace

void put_floats(std::string& bytes, const double* values, int count) {
  for (int i = 0; i < count; ++i) put(bytes, static_cast<float>(values[i]));
}

void put_unit(std::string& bytes, double value) {
  const double scaled = std::isfinite(value) ? std::clamp(value, -1.0, 1.0) * 32767 : 0;
  put(bytes, static_cast<std::int16_t>(std::lround(scaled)));
}

std::string compress(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string result(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uLong>(bytes.size()), Z_DEFAULT_COMPRESSION) != Z_OK)
    throw Error("no memory to compress what is shown");
  result.resize(size);
  return result;
}

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k) text += k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string from_base64(std::string_view text) {
  static const std::array<int, 256> kValues = make_values();
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    const int value = kValues[static_cast<unsigned char>(c)];
    if (value < 0) throw Error("a file that was dropped on the page is not base64");
    group = group << 6 | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits & 255);
  }
  return bytes;
}

}  // namespace torsor::view
