// An STL file repeats the corners of every triangle; equal corners are merged here.
#include "torsor/format/mesh/stl.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "torsor/core/error.hpp"

namespace torsor {
namespace {

constexpr std::size_t kHeader = 84, kRecord = 50;  // bytes
constexpr int kMaxFaces = 200'000;
constexpr float kMaxCoordinate = 1 << 30;

using CornerBits = std::array<std::uint32_t, 3>;  // the bits of three floats

[[noreturn]] void fail(std::string_view file_name, const std::string& what) {
  throw Error(fmt::format("STL file '{}': {}", file_name, what));
}

// Assigns indices to distinct corners: a hash table with open addressing, at most half full.
class CornerTable {
 public:
  explicit CornerTable(std::size_t corners) : slots_(std::bit_ceil(2 * corners), -1), mask_(slots_.size() - 1) {
    corners_.reserve(corners);
  }

  int number(const CornerBits& corner) {
    for (std::size_t slot = hash(corner) & mask_;; slot = (slot + 1) & mask_) {
      int& index = slots_[slot];
      if (index < 0) {
        index = int(corners_.size());
        corners_.push_back(corner);
        return index;
      }
      if (corners_[index] == corner) return index;
    }
  }
  const std::vector<CornerBits>& corners() const { return corners_; }

 private:
  static std::size_t hash(const CornerBits& corner) {
    std::uint64_t h = 0;
    for (const std::uint32_t bits : corner) h = (h ^ bits) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return h;
  }

  std::vector<int> slots_;
  std::size_t mask_;
  std::vector<CornerBits> corners_;
};

bool starts_with_solid(Bytes bytes) {
  return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()).starts_with("solid");
}

// Returns the number of triangles. Text files begin with "solid", but so do some binary ones: the size decides.
std::size_t check_size(Bytes bytes, std::string_view file_name) {
  const std::uint32_t count = bytes.size() < kHeader ? 0 : read_at<std::uint32_t>(bytes, 80);
  if (count > 0 && bytes.size() == kHeader + kRecord * std::size_t(count)) {
    if (count > kMaxFaces) fail(file_name, fmt::format("{} triangles, but at most {} are allowed", count, kMaxFaces));
    return count;
  }
  if (starts_with_solid(bytes)) fail(file_name, "this is a text file; only binary STL can be read");
  if (bytes.size() < kHeader) fail(file_name, "too short for a header");
  fail(file_name,
       fmt::format("its header gives {} triangles, which does not match its size of {} bytes", count, bytes.size()));
}

void check_coordinates(const CornerBits& corner, std::string_view file_name) {
  for (const std::uint32_t bits : corner)
    if (!(std::abs(std::bit_cast<float>(bits)) <= kMaxCoordinate))
      fail(file_name, fmt::format("vertex coordinate {} is too large or not a number", std::bit_cast<float>(bits)));
}

}  // namespace

MeshData read_stl(Bytes bytes, std::string_view file_name) {
  const std::size_t count = check_size(bytes, file_name);
  CornerTable table(3 * count);
  MeshData mesh;
  mesh.faces.reserve(3 * count);
  for (std::size_t i = 0; i < 3 * count; ++i) {
    // a record: 12 bytes of normal, which are not used, three corners of 12 bytes, 2 bytes of attributes
    const auto corner = read_at<CornerBits>(bytes, kHeader + kRecord * (i / 3) + 12 * (i % 3 + 1));
    mesh.faces.push_back(table.number(corner));
  }
  mesh.vertices.reserve(3 * table.corners().size());
  for (const CornerBits& corner : table.corners()) {
    check_coordinates(corner, file_name);
    for (const std::uint32_t bits : corner) mesh.vertices.push_back(std::bit_cast<float>(bits));
  }
  return mesh;
}

}  // namespace torsor
