// Meshes and height fields from their files.
#include "torsor/format/assets.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "torsor/core/content_cache.hpp"
#include "torsor/core/memory_meter.hpp"
#include "torsor/core/parallel.hpp"
#include "torsor/format/files.hpp"
#include "torsor/format/mesh/hfield_file.hpp"
#include "torsor/format/mesh/mesh_file.hpp"
#include "torsor/format/mesh/skin_file.hpp"
#include "torsor/format/mjcf/asset_paths.hpp"
#include "torsor/format/textures.hpp"

namespace torsor {
namespace {

// Takes an array from the file unless the model gives it too, which is an error. Returns whether the file has it.
template <class T>
bool merge(std::vector<T>& written, std::vector<T>& read, const MeshSpec& mesh, const char* what) {
  if (!written.empty() && !read.empty())
    throw Error(fmt::format("mesh '{}': {} are given both in the model and in its file", mesh.name, what));
  if (read.empty()) return false;
  written = std::move(read);
  return true;
}

constexpr size_t kCacheBytes = size_t{128} << 20, kLeastBytes = 4096;

struct DecodedMesh {
  MeshData data;
  int cut_faces = 0;
  std::string extension, content_type;  // of the file that it was decoded from

  size_t bytes() const {
    return sizeof(float) * (data.vertices.size() + data.normals.size() + data.texcoords.size() + data.faces.size() +
                            data.face_normals.size() + data.face_texcoords.size());
  }
};

// Robots are loaded again and again: their large files are read each time, but decoded once.
DecodedMesh decode_mesh(const FoundFile& file, const std::string& content_type) {
  static ContentCache<DecodedMesh> cache(kCacheBytes);
  const Bytes bytes = bytes_of(file);
  const std::string_view key(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string extension = file_extension(file.path);
  const bool is_large = key.size() >= kLeastBytes;
  const auto known = is_large ? cache.find(key) : nullptr;
  if (known && known->extension == extension && known->content_type == content_type) return *known;
  DecodedMesh made{{}, 0, extension, content_type};
  made.data = read_mesh_file(bytes, file.path, content_type, &made.cut_faces);
  if (is_large) cache.keep(std::string(key), std::make_shared<const DecodedMesh>(made), made.bytes());
  return made;
}

// These functions return a warning, or nothing.
std::string load_mesh(const Spec& spec, MeshSpec& mesh) {
  const FoundFile file = find_asset(spec, spec.compiler.meshdir, mesh.file, mesh.location);
  DecodedMesh decoded = decode_mesh(file, mesh.content_type);
  MeshData& data = decoded.data;
  const int cut_faces = decoded.cut_faces;
  // As in MuJoCo, an OBJ file may have any number of texture coordinates, the first one for each vertex.
  const std::string extension = file_extension(file.path);
  if (extension == "obj" && !mesh.texcoord.empty()) data.face_texcoords = data.faces;
  mesh.from_file.vertex = merge(mesh.vertex, data.vertices, mesh, "vertices");
  mesh.from_file.normal = merge(mesh.normal, data.normals, mesh, "normals");
  mesh.from_file.texcoord = merge(mesh.texcoord, data.texcoords, mesh, "texture coordinates");
  mesh.from_file.face = merge(mesh.face, data.faces, mesh, "faces");
  mesh.face_normal = std::move(data.face_normals);
  mesh.face_texcoord = std::move(data.face_texcoords);
  if (cut_faces == 0) return {};
  return fmt::format(
      "mesh '{}': {} faces of its file are not whole, as in MuJoCo, since they touch or cross themselves or have more "
      "than "
      "100 corners; triangulate the file to have all of them",
      mesh.name, cut_faces);
}

// Numbers of rows and columns, and elevations, of the file take precedence over those of the model.
std::string load_hfield(const Spec& spec, HfieldSpec& hfield) {
  const FoundFile file = find_asset(spec, spec.compiler.meshdir, hfield.file, hfield.location);
  ElevationGrid grid = read_hfield_file(bytes_of(file), file.path, hfield.content_type);
  hfield.nrow = grid.rows;
  hfield.ncol = grid.columns;
  hfield.elevation = std::move(grid.elevations);
  return {};
}

std::string load_skin(const Spec& spec, SkinSpec& skin) {
  const FoundFile file = find_asset(spec, spec.compiler.meshdir, skin.file, skin.location);
  if (!skin.vertex.empty() || !skin.face.empty() || !skin.bones.empty())
    throw Error(fmt::format("skin '{}': numbers are given both in the model and in its file", skin.name));
  read_skin_file(bytes_of(file), file.path, skin);
  return {};
}

Count bytes_in(const SkinSpec& skin) {
  return Count(sizeof(float)) * (Count(skin.vertex.size()) + Count(skin.texcoord.size()) + Count(skin.face.size()));
}
Count bytes_in(const MeshSpec& mesh) {
  return Count(sizeof(float)) *
         (Count(mesh.vertex.size()) + Count(mesh.normal.size()) + Count(mesh.texcoord.size()) +
          Count(mesh.face.size()) + Count(mesh.face_normal.size()) + Count(mesh.face_texcoord.size()));
}
Count bytes_in(const HfieldSpec& hfield) { return Count(sizeof(float)) * Count(hfield.elevation.size()); }

void report(const Error& error, const ElementSpec& asset, Findings& findings) {
  for (const Diagnostic& d : error.diagnostics()) findings.diagnostics.error(asset.location, d.message, d.hint);
  findings.faults.add_element(asset.location);
}

// Files are independent, so they are read in parallel; errors are reported in the model's order.
template <class Asset>
void load_all(Spec& spec, std::vector<Asset>& assets, std::string (*load)(const Spec&, Asset&), MemoryMeter& meter,
              Findings& findings) {
  std::vector<Asset*> with_file;
  for (Asset& asset : assets) {
    if (!asset.file.empty() && !findings.faults.has_element(asset.location)) with_file.push_back(&asset);
  }
  std::vector<std::optional<Error>> problems(with_file.size());
  std::vector<std::string> notes(with_file.size());
  const int threads = spec.compiler.usethread ? 0 : 1;
  parallel_for(static_cast<int>(with_file.size()), threads, [&](int i, int) {
    try {
      if (meter.is_full()) throw Error("the files of the model need more memory than memory_limit allows");
      Asset& asset = *with_file[static_cast<size_t>(i)];
      notes[static_cast<size_t>(i)] = load(spec, asset);
      meter.add(bytes_in(asset));
    } catch (const Error& error) {
      problems[static_cast<size_t>(i)] = error;
    }
  });
  for (size_t i = 0; i < problems.size(); ++i) {
    if (problems[i]) report(*problems[i], *with_file[i], findings);
    if (!notes[i].empty()) spec.warnings.push_back({Severity::kWarning, with_file[i]->location, notes[i], {}});
  }
}

}  // namespace

void load_assets(Spec& spec, Findings& findings) {
  mjcf::settle_asset_paths(spec);
  MemoryMeter meter(spec.memory_limit);
  load_all(spec, spec.meshes, load_mesh, meter, findings);
  load_all(spec, spec.hfields, load_hfield, meter, findings);
  load_all(spec, spec.skins, load_skin, meter, findings);
  if (spec.compiler.discardvisual) return;
  for (const TextureSpec& texture : spec.textures) {
    if (!findings.faults.has_element(texture.location)) check_texture(spec, texture, findings.diagnostics);
  }
}

void load_assets(Spec& spec) {
  Findings findings;
  load_assets(spec, findings);
  findings.diagnostics.throw_if_errors();
}

}  // namespace torsor
