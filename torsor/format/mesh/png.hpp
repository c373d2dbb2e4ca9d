// Reads PNG images, by stb_image.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "torsor/format/mesh/bytes.hpp"

namespace torsor {

struct Image {
  int width = 0, height = 0, channels = 0;  // channels: 1 to 4, grey (alpha) or red, green, blue (alpha)
  std::vector<std::uint8_t> pixels;         // rows from the top; 16-bit images keep their high byte
};

// channels 0 keeps those of the file; else the image is converted.
Image read_png(Bytes bytes, std::string_view file_name, int channels = 0);

// Width and height from the header of a file whose chunks are all there; pixels are not decoded.
struct ImageSize {
  int width = 0, height = 0;
};
ImageSize read_png_size(Bytes bytes, std::string_view file_name);

// Whether the file says that its colours are sRGB.
bool is_srgb_png(Bytes bytes);

}  // namespace torsor
