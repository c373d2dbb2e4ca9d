// stb_image, compiled for PNG in memory only, behind a check that a short file cannot ask for a huge image.
#include "torsor/format/mesh/png.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string>

#include "torsor/core/error.hpp"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace torsor {
namespace {

// Whether the chunks follow each other up to the one that ends the image. A chunk is its length, its type, as many
// bytes and a checksum.
bool has_all_chunks(Bytes bytes) {
  constexpr std::size_t kSignature = 8, kAround = 12;
  std::size_t at = kSignature;
  while (at + kAround <= bytes.size()) {
    std::uint32_t length = 0;
    for (std::size_t k = 0; k < 4; ++k) length = length << 8 | std::to_integer<std::uint32_t>(bytes[at + k]);
    const bool fits = length <= bytes.size() - at - kAround;
    if (std::memcmp(bytes.data() + at + 4, "IEND", 4) == 0) return fits;
    if (!fits) return false;
    at += kAround + length;
  }
  return false;
}

}  // namespace

Image read_png(Bytes bytes, std::string_view file_name, int channels) {
  const auto fail = [&](const std::string& what) { throw Error(fmt::format("PNG file '{}': {}", file_name, what)); };
  if (bytes.size() > std::size_t(std::numeric_limits<int>::max())) fail("too long");
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int length = int(bytes.size());

  Image image;
  if (!stbi_info_from_memory(data, length, &image.width, &image.height, &image.channels)) fail(stbi_failure_reason());
  // deflate shrinks by less than 1032 to 1, and the smallest pixel is one bit
  const std::int64_t pixels = std::int64_t(image.width) * image.height;
  if (pixels / 8 > 1032 * std::int64_t(length))
    fail(fmt::format("{} x {} pixels cannot be in {} bytes", image.width, image.height, length));

  int channels_in_file = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> loaded(
      stbi_load_from_memory(data, length, &image.width, &image.height, &channels_in_file, channels), stbi_image_free);
  if (!loaded) fail(stbi_failure_reason());
  image.channels = channels == 0 ? channels_in_file : channels;
  image.pixels.assign(loaded.get(), loaded.get() + std::size_t(pixels) * image.channels);
  return image;
}

ImageSize read_png_size(Bytes bytes, std::string_view file_name) {
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int length = int(std::min(bytes.size(), std::size_t(std::numeric_limits<int>::max())));
  ImageSize size;
  int channels = 0;
  if (!stbi_info_from_memory(data, length, &size.width, &size.height, &channels))
    throw Error(fmt::format("PNG file '{}': {}", file_name, stbi_failure_reason()));
  if (!has_all_chunks(bytes)) throw Error(fmt::format("PNG file '{}': it is cut off", file_name));
  return size;
}

}  // namespace torsor
