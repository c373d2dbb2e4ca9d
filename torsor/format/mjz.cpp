// Archives of models. Members are only ever read into memory: nothing is unpacked to disk.
#include "torsor/format/mjz.hpp"

#include <filesystem>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "torsor/format/files.hpp"
#include "torsor/format/mesh/mesh_file.hpp"
#include "torsor/format/mjcf/asset_paths.hpp"
#include "torsor/format/mjcf/mjcf.hpp"
#include "torsor/format/zip.hpp"

namespace torsor {
namespace {

constexpr const char* kModel = "model.xml";
constexpr const char* kAssets = "assets";

std::string member_path(const std::string& archive, const std::string& name) {
  const std::string path = std::filesystem::path(join_path("", name)).lexically_normal().generic_string();
  if (path.starts_with("..") || path.starts_with('/'))
    throw Error(fmt::format("{}: the member '{}' leads out of the archive", archive, name));
  return join_path(archive, path);
}

std::string find_model(const FileSystem& files, const std::string& path) {
  const std::string stem = file_stem(path);
  for (const std::string& name :
       {std::string(kModel), stem + ".xml", stem + "/" + stem + ".xml", stem + "/" + kModel}) {
    if (files.contains(join_path(path, name))) return join_path(path, name);
  }
  std::vector<std::string> models;
  for (const auto& [name, bytes] : files) {
    if (file_extension(name) == "xml") models.push_back(name);
  }
  if (models.size() == 1) return models[0];
  throw Error({Diagnostic{Severity::kError,
                          {},
                          fmt::format("{}: the archive has {}", path,
                                      models.empty() ? "no XML file" : "several XML files, of which none is the model"),
                          fmt::format("the model is called {} or {}.xml", kModel, stem)}});
}

// Collects files under names of their own in the archive.
class AssetPacker {
 public:
  AssetPacker(const Spec& spec, std::string folder) : spec_(spec), target_(std::move(folder)) {}

  void pack(const std::string& folder, std::string& file, const Location& where) {
    if (file.empty()) return;
    const FoundFile found = find_asset(spec_, folder, file, where);
    std::string& name = names_[found.path];
    if (name.empty()) {
      const std::string base = base_name(found.path), ending = file_extension(base);
      name = join_path(target_, base);
      for (int i = 1; files_.contains(name); ++i)
        name = join_path(target_, fmt::format("{}_{}.{}", file_stem(base), i, ending));
      files_[name] = *found.bytes;
    }
    file = name;
  }
  FileSystem take() { return std::move(files_); }

 private:
  const Spec& spec_;
  std::string target_;
  std::map<std::string, std::string> names_;  // by path
  FileSystem files_;
};

}  // namespace

MjzArchive read_mjz(std::string_view bytes, const std::string& path, std::int64_t most_bytes) {
  MjzArchive archive;
  for (ZipMember& member : parse_zip(bytes, path, static_cast<size_t>(most_bytes))) {
    const std::string name = member_path(path, member.name);
    if (!archive.files.emplace(name, std::move(member.bytes)).second)
      throw Error(fmt::format("{}: there are two members '{}'", path, member.name));
  }
  archive.model = find_model(archive.files, path);
  if (is_zip(archive.files.at(archive.model)))
    throw Error(fmt::format("{}: its model is an archive itself", archive.model));
  return archive;
}

void inline_collada(Spec& spec) {
  for (MeshSpec& mesh : spec.meshes) {
    if (file_extension(mesh.file) != "dae") continue;
    const FoundFile file = find_asset(spec, spec.compiler.meshdir, mesh.file, mesh.location);
    MeshData data = read_mesh_file(bytes_of(file), file.path);
    if (mesh.name.empty()) mesh.name = file_stem(mesh.file);
    mesh.file.clear();
    mesh.content_type.clear();
    mesh.vertex = std::move(data.vertices);
    mesh.face = std::move(data.faces);
  }
}

FileSystem pack_assets(Spec& spec, const std::string& folder) {
  mjcf::settle_asset_paths(spec);
  const Spec source = spec;  // where files are looked for
  AssetPacker packer(source, folder);
  for (MeshSpec& mesh : spec.meshes) packer.pack(source.compiler.meshdir, mesh.file, mesh.location);
  for (HfieldSpec& hfield : spec.hfields) packer.pack(source.compiler.meshdir, hfield.file, hfield.location);
  for (TextureSpec& texture : spec.textures) {
    for (auto& [name, text] : texture.attributes) {
      if (name.starts_with("file")) packer.pack(source.compiler.texturedir, text, texture.location);
    }
  }
  FileSystem files = packer.take();
  spec.compiler.meshdir = spec.compiler.texturedir = "";
  spec.base_dir = "";
  spec.restrict.emplace();
  spec.files = std::make_shared<const FileSystem>(files);
  return files;
}

std::string write_mjz(const Spec& spec) {
  Spec packed = spec;
  inline_collada(packed);
  FileSystem files = pack_assets(packed, kAssets);
  std::vector<ZipMember> members{{kModel, write_mjcf_string(packed)}};
  for (auto& [name, bytes] : files) members.push_back({name, std::move(bytes)});
  return format_zip(members, ZipMethod::kDeflated);
}

}  // namespace torsor
