// stb_image, compiled for PNG in memory only, after a check that a short file does not claim to be a huge image.
#include "torsor/format/mesh/png.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

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

// A chunk consists of its length, its type, that many bytes, and a checksum.
constexpr std::size_t kSignature = 8, kAroundChunk = 12;

struct Chunk {
  Bytes whole;
  std::int64_t length = 0;  // of its content
  bool is(const char* type) const { return std::memcmp(whole.data() + 4, type, 4) == 0; }
};

// Calls visit(chunk) for contiguous chunks, up to the one that ends the image; false if the file is cut off before
// that.
template <typename Visit>
bool for_each_chunk(Bytes bytes, Visit visit) {
  for (std::size_t at = kSignature; at + kAroundChunk <= bytes.size();) {
    std::uint32_t length = 0;
    for (std::size_t k = 0; k < 4; ++k) length = length << 8 | std::to_integer<std::uint32_t>(bytes[at + k]);
    if (length > bytes.size() - at - kAroundChunk) return false;
    const Chunk chunk{bytes.subspan(at, kAroundChunk + length), length};
    visit(chunk);
    if (chunk.is("IEND")) return true;
    at += chunk.whole.size();
  }
  return false;
}

bool is_complete(Bytes bytes) {
  return for_each_chunk(bytes, [](const Chunk&) {});
}

std::int64_t count_image_bytes(Bytes bytes) {
  std::int64_t compressed = 0;
  for_each_chunk(bytes, [&](const Chunk& chunk) { compressed += chunk.is("IDAT") ? chunk.length : 0; });
  return compressed;
}

// The file without its empty pieces of image data: the format allows them, and stb_image copies them to a null pointer.
std::vector<std::byte> without_empty_data(Bytes bytes) {
  const Bytes head = bytes.first(kSignature);
  std::vector<std::byte> kept(head.begin(), head.end());
  for_each_chunk(bytes, [&](const Chunk& chunk) {
    if (!chunk.is("IDAT") || chunk.length > 0) kept.insert(kept.end(), chunk.whole.begin(), chunk.whole.end());
  });
  return kept;
}

// stb_image gives no reason for some files that it rejects.
std::string failure_reason() {
  const char* reason = stbi_failure_reason();
  return reason ? reason : "it is damaged";
}

constexpr std::int64_t kMostPixels = std::int64_t{1} << 26;

}  // namespace

Image read_png(Bytes bytes, std::string_view file_name, int channels) {
  const auto fail = [&](const std::string& what) { throw Error(fmt::format("PNG file '{}': {}", file_name, what)); };
  if (bytes.size() > std::size_t(std::numeric_limits<int>::max())) fail("too long");
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int length = int(bytes.size());

  Image image;
  if (!stbi_info_from_memory(data, length, &image.width, &image.height, &image.channels)) fail(failure_reason());
  // deflate shrinks by less than 1032 to 1, and the smallest pixel is one bit
  const std::int64_t pixels = std::int64_t(image.width) * image.height;
  if (pixels / 8 > 1032 * std::int64_t(length))
    fail(fmt::format("{} x {} pixels cannot be in {} bytes", image.width, image.height, length));
  if (pixels > kMostPixels)
    fail(fmt::format("{} x {} pixels are more than the limit of {}", image.width, image.height, kMostPixels));
  // nor is compressed data much longer than the image, except in files made to exhaust the memory
  constexpr std::int64_t kMostPixelBytes = 8, kSlack = 1 << 16;
  if (!is_complete(bytes)) fail("it is cut off");
  if (count_image_bytes(bytes) > 2 * (pixels + image.height) * kMostPixelBytes + kSlack)
    fail(fmt::format("its data are too long for {} x {} pixels", image.width, image.height));

  const std::vector<std::byte> kept = without_empty_data(bytes);
  int channels_in_file = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> loaded(
      stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(kept.data()), int(kept.size()), &image.width,
                            &image.height, &channels_in_file, channels),
      stbi_image_free);
  if (!loaded) fail(failure_reason());
  image.channels = channels == 0 ? channels_in_file : channels;
  image.pixels.assign(loaded.get(), loaded.get() + std::size_t(pixels) * image.channels);
  return image;
}

bool is_srgb_png(Bytes bytes) {
  bool found = false;
  for_each_chunk(bytes, [&](const Chunk& chunk) { found = found || chunk.is("sRGB"); });
  return found;
}

ImageSize read_png_size(Bytes bytes, std::string_view file_name) {
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int length = int(std::min(bytes.size(), std::size_t(std::numeric_limits<int>::max())));
  ImageSize size;
  int channels = 0;
  if (!stbi_info_from_memory(data, length, &size.width, &size.height, &channels))
    throw Error(fmt::format("PNG file '{}': {}", file_name, failure_reason()));
  if (!is_complete(bytes)) throw Error(fmt::format("PNG file '{}': it is cut off", file_name));
  return size;
}

}  // namespace torsor
