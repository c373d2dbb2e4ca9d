// Reads an image or a binary height field, and brings both into the order of ElevationGrid.
#include "torsor/format/mesh/hfield_file.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "torsor/core/error.hpp"
#include "torsor/format/mesh/mesh_file.hpp"
#include "torsor/format/mesh/png.hpp"

namespace torsor {
namespace {

ElevationGrid read_image(Bytes bytes, std::string_view file_name) {
  const Image image = read_png(bytes, file_name);
  ElevationGrid grid{image.height, image.width, std::vector<float>(std::size_t(image.width) * image.height)};
  for (std::size_t i = 0; i < grid.elevations.size(); ++i) grid.elevations[i] = image.pixels[i * image.channels];
  flip_rows(grid.rows, grid.columns, grid.elevations);
  return grid;
}

ElevationGrid read_binary(Bytes bytes, std::string_view file_name) {
  const auto fail = [&](const std::string& what) {
    throw Error(fmt::format("height field file '{}': {}", file_name, what));
  };
  constexpr std::size_t kHeader = 8;
  if (bytes.size() < kHeader) fail("too short for a header");
  const std::int64_t rows = read_at<std::int32_t>(bytes, 0), columns = read_at<std::int32_t>(bytes, 4);
  if (rows < 1 || columns < 1) fail(fmt::format("invalid grid size: {} rows, {} columns", rows, columns));
  const std::int64_t held = (std::int64_t(bytes.size()) - std::int64_t(kHeader)) / 4;
  if (rows > held || columns > held || rows * columns != held || bytes.size() % 4 != 0)
    fail(fmt::format("{} bytes do not hold {} x {} elevations", bytes.size(), rows, columns));
  std::size_t offset = kHeader;
  return {int(rows), int(columns), read_array<float>(bytes, offset, std::size_t(held))};
}

}  // namespace

ElevationGrid read_hfield_file(Bytes bytes, std::string_view file_name, std::string_view content_type) {
  const bool is_image = content_type.empty() ? file_extension(file_name) == "png" : content_type == "image/png";
  return is_image ? read_image(bytes, file_name) : read_binary(bytes, file_name);
}

}  // namespace torsor
