// Each check is one sentence of an error message.
#include "torsor/geometry/mesh_check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "torsor/core/error.hpp"

namespace torsor {
namespace {

[[noreturn]] void fail(const MeshInput& input, const std::string& what) {
  throw Error(fmt::format("mesh '{}': {}", input.name, what));
}

void check_multiple(const MeshInput& input, std::size_t count, int of, const char* what) {
  if (count % of != 0)
    fail(input, fmt::format("the count of {} numbers, {}, is not a multiple of {}", what, count, of));
  if (count > std::size_t(std::numeric_limits<int>::max())) fail(input, fmt::format("too many {} numbers", what));
}

void check_finite(const MeshInput& input, std::span<const float> numbers, int per_item, const char* what) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!std::isfinite(numbers[i])) fail(input, fmt::format("{} {} is not finite", what, i / per_item));
}

void check_indices(const MeshInput& input, std::span<const int> indices, int lowest, std::size_t count,
                   const char* what) {
  for (std::size_t i = 0; i < indices.size(); ++i)
    if (indices[i] < lowest || indices[i] >= int(count))
      fail(input, fmt::format("triangle {} uses {} {}, but there are {}", i / 3, what, indices[i], count));
}

// Indices of normals or texture coordinates: none, or one per corner of every triangle.
void check_corner_indices(const MeshInput& input, std::span<const int> indices, std::size_t count, const char* what) {
  if (indices.empty()) return;
  if (indices.size() != input.faces.size())
    fail(input, fmt::format("there are {} {} indices for {} triangles", indices.size(), what, input.faces.size() / 3));
  check_indices(input, indices, -1, count, what);
}

void check_attributes(const MeshInput& input) {
  const Quat<double>& q = input.refquat;
  if (!std::isfinite(norm(input.refpos))) fail(input, "refpos is not finite");
  if (!(dot(q, q) >= 1e-30) || !std::isfinite(dot(q, q))) fail(input, "refquat is not a rotation");
  for (int i = 0; i < 3; ++i)
    if (!std::isfinite(input.scale[i]) || input.scale[i] == 0) fail(input, "scale must be finite and not 0");
  if (input.max_hull_vertices != 0 && input.max_hull_vertices < 4)
    fail(input, fmt::format("maxhullvert is {}, but a hull has at least 4 vertices", input.max_hull_vertices));
}

}  // namespace

void check_mesh_input(const MeshInput& input) {
  check_attributes(input);
  check_multiple(input, input.vertices.size(), 3, "vertex");
  check_multiple(input, input.normals.size(), 3, "normal");
  check_multiple(input, input.texcoords.size(), 2, "texcoord");
  check_multiple(input, input.faces.size(), 3, "face");
  const std::size_t vertex_count = input.vertices.size() / 3, texcoord_count = input.texcoords.size() / 2;
  if (vertex_count < 4) fail(input, fmt::format("at least 4 vertices are needed, there are {}", vertex_count));
  check_finite(input, input.vertices, 3, "vertex");
  check_finite(input, input.texcoords, 2, "texcoord");
  check_indices(input, input.faces, 0, vertex_count, "vertex");
  check_corner_indices(input, input.face_normals, input.normals.size() / 3, "normal");
  check_corner_indices(input, input.face_texcoords, texcoord_count, "texcoord");
  if (input.face_texcoords.empty() && texcoord_count != 0 && texcoord_count != vertex_count)
    fail(input, fmt::format("there are {} texcoords for {} vertices, and no face says which belong together",
                            texcoord_count, vertex_count));
}

}  // namespace torsor
