// Paths of asset files relative to another folder.
#include "torsor/format/mjcf/asset_paths.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "torsor/format/files.hpp"

namespace torsor::mjcf {
namespace {

namespace fs = std::filesystem;

// The path of `target` relative to a folder, or its absolute path if there is none.
std::string relative_path(const std::string& target, const std::string& folder) {
  const fs::path to = fs::absolute(target).lexically_normal();
  const fs::path from = fs::absolute(folder.empty() ? "." : folder).lexically_normal();
  const fs::path way = to.lexically_relative(from);
  return (way.empty() ? to : way).generic_string();
}

bool is_file_attribute(std::string_view name) { return name.starts_with("file"); }

// In the order of find_asset(): below the asset folder, then next to the file that contains the element.
void settle(const Spec& spec, const std::string& folder, std::string& file, const Location& where) {
  if (file.empty()) return;
  if (spec.compiler.strippath) file = base_name(file);
  const std::string root = join_path(spec.base_dir, folder);
  const std::string in_folder = join_path(root, file);
  const std::string beside = join_path(directory_of(where.file), file);
  if (beside == in_folder || has_file(access_of(spec), in_folder)) return;
  if (has_file(access_of(spec), beside)) file = relative_path(beside, root);
}

bool has_files(const Spec& spec) {
  const auto has_file = [](const auto& asset) { return !asset.file.empty(); };
  const auto has_image = [](const TextureSpec& texture) {
    return std::any_of(texture.attributes.begin(), texture.attributes.end(),
                       [](const auto& attribute) { return is_file_attribute(attribute.first); });
  };
  return std::any_of(spec.meshes.begin(), spec.meshes.end(), has_file) ||
         std::any_of(spec.hfields.begin(), spec.hfields.end(), has_file) ||
         std::any_of(spec.skins.begin(), spec.skins.end(), has_file) ||
         std::any_of(spec.textures.begin(), spec.textures.end(), has_image);
}

}  // namespace

void settle_asset_paths(Spec& spec) {
  for (MeshSpec& mesh : spec.meshes) settle(spec, spec.compiler.meshdir, mesh.file, mesh.location);
  for (HfieldSpec& hfield : spec.hfields) settle(spec, spec.compiler.meshdir, hfield.file, hfield.location);
  for (SkinSpec& skin : spec.skins) settle(spec, spec.compiler.meshdir, skin.file, skin.location);
  for (TextureSpec& texture : spec.textures) {
    for (auto& [name, text] : texture.attributes) {
      if (is_file_attribute(name)) settle(spec, spec.compiler.texturedir, text, texture.location);
    }
  }
  spec.compiler.strippath = false;
}

void move_asset_folders(Spec& spec, const std::string& path) {
  const std::string target = directory_of(path);
  if (!has_files(spec) || relative_path(spec.base_dir.empty() ? "." : spec.base_dir, target) == ".") return;
  for (std::string* folder : {&spec.compiler.meshdir, &spec.compiler.texturedir}) {
    if (fs::path(*folder).is_absolute()) continue;
    const std::string old = join_path(spec.base_dir, *folder);
    *folder = relative_path(old.empty() ? "." : old, target);
  }
}

}  // namespace torsor::mjcf
