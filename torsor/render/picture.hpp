// Pictures in memory, and PNG files of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace torsor::render {

// Largest width and height of a picture: what a few numbers on a command line can ask for is bounded.
inline constexpr int kLargestSide = 16384;

struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // 3 bytes per pixel, rows from the top
};

// The bytes of a PNG file.
std::string to_png(const Picture& picture);
// Throws Error if the file cannot be written.
void write_file(const std::string& path, const std::string& bytes);

}  // namespace torsor::render
