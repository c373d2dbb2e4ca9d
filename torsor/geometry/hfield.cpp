// Checks and normalises elevations; bounds of height fields.
#include "torsor/geometry/hfield.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/core/error.hpp"

namespace torsor {
namespace {

constexpr long long kMaxElevations = 1LL << 28;  // a gigabyte of floats; more is taken for a mistake

[[noreturn]] void fail(std::string_view name, const std::string& what) {
  throw Error(fmt::format("hfield '{}': {}", name, what));
}

void check(const ElevationGrid& grid, const HfieldSize& size, std::string_view name) {
  for (const double length : size)
    if (!(length > 0) || !std::isfinite(length)) fail(name, "its four sizes must be positive");
  if (grid.rows < 1 || grid.columns < 1) fail(name, "it needs a file, or nrow and ncol");
  if (grid.rows < 2 || grid.columns < 2) fail(name, "it needs at least two rows and two columns");
  const long long count = (long long)grid.rows * grid.columns;
  if (count > kMaxElevations) fail(name, fmt::format("{} x {} elevations are too many", grid.rows, grid.columns));
  if (!grid.elevations.empty() && (long long)grid.elevations.size() != count)
    fail(name, fmt::format("there are {} elevations, but nrow * ncol is {}", grid.elevations.size(), count));
  for (std::size_t i = 0; i < grid.elevations.size(); ++i)
    if (!std::isfinite(grid.elevations[i])) fail(name, fmt::format("elevation {} is not finite", i));
}

}  // namespace

void flip_rows(int rows, int columns, std::vector<float>& elevations) {
  const std::size_t width = columns;
  if (elevations.size() != width * rows) return;  // none given, or rejected later
  for (int low = 0, high = rows - 1; low < high; ++low, --high)
    std::swap_ranges(elevations.begin() + low * width, elevations.begin() + (low + 1) * width,
                     elevations.begin() + high * width);
}

void prepare_hfield(ElevationGrid& grid, const HfieldSize& size, std::string_view name) {
  check(grid, size, name);
  grid.elevations.resize(std::size_t(grid.rows) * grid.columns, 0.0f);
  const auto [lowest, highest] = std::minmax_element(grid.elevations.begin(), grid.elevations.end());
  const float low = *lowest, range = *highest - low;
  for (float& elevation : grid.elevations) elevation = range > 0 ? (elevation - low) / range : 0.0f;
}

Vec3<double> hfield_extent(const HfieldSize& size) { return {size[0], size[1], 0.25 * size[2] + 0.5 * size[3]}; }

Aabb bounding_box(const HfieldSize& size) {
  return {{0, 0, (size[2] - size[3]) / 2}, {size[0], size[1], (size[2] + size[3]) / 2}};
}

double bounding_radius(const HfieldSize& size) {
  return norm(Vec3<double>{size[0], size[1], std::max(size[2], size[3])});
}

}  // namespace torsor
