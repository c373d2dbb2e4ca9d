// Dispatches to the readers of mesh files.
#include "torsor/format/mesh/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/core/error.hpp"
#include "torsor/format/mesh/dae.hpp"
#include "torsor/format/mesh/msh.hpp"
#include "torsor/format/mesh/obj.hpp"
#include "torsor/format/mesh/stl.hpp"

namespace torsor {
namespace {

struct MeshFormat {
  std::string_view extension, media_type;
  MeshData (*read)(Bytes, std::string_view, int*);
};

// A reader whose faces are always whole.
template <MeshData (*read)(Bytes, std::string_view)>
MeshData read_whole(Bytes bytes, std::string_view file_name, int*) {
  return read(bytes, file_name);
}

constexpr MeshFormat kFormats[] = {
    {"obj", "model/obj", read_obj},
    {"stl", "model/stl", read_whole<read_stl>},
    {"msh", "model/vnd.mujoco.msh", read_whole<read_msh>},
    {"dae", "model/vnd.collada+xml", read_whole<read_dae>},
};

}  // namespace

std::string file_extension(std::string_view file_name) {
  const std::size_t slash = file_name.find_last_of("/\\");
  if (slash != std::string_view::npos) file_name.remove_prefix(slash + 1);
  const std::size_t dot = file_name.rfind('.');
  if (dot == std::string_view::npos) return "";
  std::string extension(file_name.substr(dot + 1));
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  return extension;
}

bool is_mesh_file(std::string_view file_name) {
  const std::string extension = file_extension(file_name);
  return std::any_of(std::begin(kFormats), std::end(kFormats),
                     [&](const MeshFormat& format) { return extension == format.extension; });
}

MeshData read_mesh_file(Bytes bytes, std::string_view file_name, std::string_view content_type, int* cut_faces) {
  if (cut_faces) *cut_faces = 0;
  const std::string extension = file_extension(file_name);
  for (const MeshFormat& format : kFormats)
    if (extension == format.extension) return format.read(bytes, file_name, cut_faces);
  for (const MeshFormat& format : kFormats)
    if (content_type == format.media_type) return format.read(bytes, file_name, cut_faces);
  throw Error(fmt::format("mesh file '{}': unknown file type; supported are .obj, .stl, .msh and .dae", file_name));
}

}  // namespace torsor
