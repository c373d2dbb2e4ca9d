// Meshes and height fields from their files.
#include "torsor/format/assets.hpp"

#include <span>
#include <utility>

#include <fmt/format.h>

#include "torsor/core/parallel.hpp"
#include "torsor/format/files.hpp"
#include "torsor/format/mesh/hfield_file.hpp"
#include "torsor/format/mesh/mesh_file.hpp"

namespace torsor {
namespace {

Bytes bytes_of(const FoundFile& file) { return std::as_bytes(std::span(file.bytes->data(), file.bytes->size())); }

// In the model's folder, then beside the included file that mentions it; there MuJoCo leaves out the asset folder.
std::vector<std::string> candidates_of(const Spec& spec, const std::string& folder, const std::string& name,
                                       const Location& where) {
  const std::string file = spec.compiler.strippath ? base_name(name) : name;
  return {join_path(spec.base_dir, join_path(folder, file)), join_path(directory_of(where.file), file)};
}

std::string describe_missing(const std::vector<std::string>& candidates) {
  const std::string other = candidates[1] == candidates[0] ? "" : fmt::format(", nor '{}'", candidates[1]);
  return fmt::format("cannot open '{}'{}", candidates[0], other);
}

FoundFile find_asset(const Spec& spec, const std::string& name, const Location& where) {
  const std::vector<std::string> candidates = candidates_of(spec, spec.compiler.meshdir, name, where);
  if (auto found = find_file(spec.files, candidates)) return *found;
  throw Error(describe_missing(candidates));
}

void load_mesh(const Spec& spec, MeshSpec& mesh) {
  if (!mesh.vertex.empty()) throw Error(fmt::format("mesh '{}' has both a file and vertices", mesh.name));
  const FoundFile file = find_asset(spec, mesh.file, mesh.location);
  MeshData data = read_mesh_file(bytes_of(file), file.path, mesh.content_type);
  mesh.vertex = std::move(data.vertices);
  mesh.normal = std::move(data.normals);
  mesh.texcoord = std::move(data.texcoords);
  mesh.face = std::move(data.faces);
  mesh.face_normal = std::move(data.face_normals);
  mesh.face_texcoord = std::move(data.face_texcoords);
}

// The file's numbers of rows and columns, and its elevations, win over those of the model.
void load_hfield(const Spec& spec, HfieldSpec& hfield) {
  const FoundFile file = find_asset(spec, hfield.file, hfield.location);
  ElevationGrid grid = read_hfield_file(bytes_of(file), file.path, hfield.content_type);
  hfield.nrow = grid.rows;
  hfield.ncol = grid.columns;
  hfield.elevation = std::move(grid.elevations);
}

// Files are independent of each other, so they share the cores; what went wrong is reported in the model's order.
template <class Asset>
void load_all(const Spec& spec, std::vector<Asset>& assets, void (*load)(const Spec&, Asset&),
              Diagnostics& diagnostics) {
  std::vector<Asset*> with_file;
  for (Asset& asset : assets) {
    if (!asset.file.empty()) with_file.push_back(&asset);
  }
  std::vector<std::string> problems(with_file.size());
  const int threads = spec.compiler.usethread ? 0 : 1;
  parallel_for(static_cast<int>(with_file.size()), threads, [&](int i, int) {
    try {
      load(spec, *with_file[static_cast<size_t>(i)]);
    } catch (const Error& error) {
      problems[static_cast<size_t>(i)] = error.what();
    }
  });
  for (size_t i = 0; i < problems.size(); ++i) {
    if (!problems[i].empty()) diagnostics.error(with_file[i]->location, problems[i]);
  }
}

std::string_view attribute_of(const TextureSpec& texture, std::string_view name) {
  for (const auto& [key, text] : texture.attributes) {
    if (key == name) return text;
  }
  return {};
}

// The images that a texture is made of: one, or one per side of a cube.
std::vector<std::string> images_of(const TextureSpec& texture) {
  if (const auto file = attribute_of(texture, "file"); !file.empty()) return {std::string(file)};
  if (attribute_of(texture, "type") == "2d") return {};
  std::vector<std::string> sides;
  for (const char* side : {"fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"}) {
    if (const auto file = attribute_of(texture, side); !file.empty()) sides.emplace_back(file);
  }
  return sides;
}

void check_texture(const Spec& spec, const TextureSpec& texture, Diagnostics& diagnostics) {
  const std::string_view pattern = attribute_of(texture, "builtin");
  if (!pattern.empty() && pattern != "none") return;
  const std::vector<std::string> images = images_of(texture);
  if (images.empty()) {
    return diagnostics.error(texture.location, fmt::format("texture '{}' has no image and no pattern", texture.name));
  }
  for (const std::string& image : images) {
    const auto candidates = candidates_of(spec, spec.compiler.texturedir, image, texture.location);
    if (!file_exists(spec.files, candidates)) diagnostics.error(texture.location, describe_missing(candidates));
  }
}

}  // namespace

void load_assets(Spec& spec) {
  Diagnostics diagnostics;
  load_all(spec, spec.meshes, load_mesh, diagnostics);
  load_all(spec, spec.hfields, load_hfield, diagnostics);
  if (!spec.compiler.discardvisual) {
    for (const TextureSpec& texture : spec.textures) check_texture(spec, texture, diagnostics);
  }
  diagnostics.throw_if_errors();
}

}  // namespace torsor
