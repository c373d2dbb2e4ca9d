// Checks the counts against the size of the file before anything is allocated.
#include "torsor/format/mesh/msh.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "torsor/core/error.hpp"

namespace torsor {

MeshData read_msh(Bytes bytes, std::string_view file_name) {
  const auto fail = [&](const std::string& what) { throw Error(fmt::format("MSH file '{}': {}", file_name, what)); };
  constexpr std::size_t kHeader = 16;
  if (bytes.size() < kHeader) fail("too short for a header");
  std::int64_t count[4];  // vertices, normals, texcoords, triangles
  for (int i = 0; i < 4; ++i) count[i] = read_at<std::int32_t>(bytes, 4 * i);
  const auto [vertices, normals, texcoords, triangles] = count;
  if (vertices < 4 || triangles < 0 || (normals != 0 && normals != vertices) ||
      (texcoords != 0 && texcoords != vertices))
    fail(fmt::format("its counts are invalid: {} vertices, {} normals, {} texcoords, {} triangles", vertices, normals,
                     texcoords, triangles));
  const std::int64_t expected = kHeader + 4 * (3 * vertices + 3 * normals + 2 * texcoords + 3 * triangles);
  if (std::int64_t(bytes.size()) != expected)
    fail(fmt::format("its counts need {} bytes, but it has {}", expected, bytes.size()));

  std::size_t offset = kHeader;
  MeshData mesh;
  mesh.vertices = read_array<float>(bytes, offset, 3 * vertices);
  mesh.normals = read_array<float>(bytes, offset, 3 * normals);
  mesh.texcoords = read_array<float>(bytes, offset, 2 * texcoords);
  mesh.faces = read_array<int>(bytes, offset, 3 * triangles);
  return mesh;
}

}  // namespace torsor
