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

FoundFile find_asset(const Spec& spec, const std::string& name, const Location& where) {
  const std::string file = spec.compiler.strippath ? base_name(name) : name;
  const std::vector<std::string> candidates = {
      join_path(spec.base_dir, join_path(spec.compiler.meshdir, file)),
      join_path(directory_of(where.file), file),
  };
  if (auto found = find_file(spec.files, candidates)) return *found;
  const std::string other = candidates[1] == candidates[0] ? "" : fmt::format(", nor '{}'", candidates[1]);
  throw Error(fmt::format("cannot open '{}'{}", candidates[0], other));
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

}  // namespace

void load_assets(Spec& spec) {
  Diagnostics diagnostics;
  load_all(spec, spec.meshes, load_mesh, diagnostics);
  load_all(spec, spec.hfields, load_hfield, diagnostics);
  diagnostics.throw_if_errors();
}

}  // namespace torsor
