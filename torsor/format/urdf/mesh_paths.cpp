// Where the files of meshes are.
#include <filesystem>
#include <string_view>
#include <vector>

#include "torsor/format/files.hpp"
#include "torsor/format/urdf/urdf.hpp"

namespace torsor::urdf {
namespace {

constexpr int kMostLevels = 8;  // folders above the file that may be the one with the packages

// "package://arm/meshes/a.stl": "arm/meshes/a.stl"; "" for other paths.
std::string_view in_packages(std::string_view written) {
  for (const std::string_view scheme : {"package://", "model://"}) {
    if (written.starts_with(scheme)) return written.substr(scheme.size());
  }
  return {};
}

std::vector<std::string> package_candidates(std::string_view path, const UrdfOptions& options) {
  const size_t slash = path.find('/');
  const std::string whole(path), inside(slash == std::string_view::npos ? path : path.substr(slash + 1));
  std::vector<std::string> candidates;
  for (const std::string& folder : options.packages) {
    const std::string absolute = std::filesystem::absolute(folder).generic_string();
    candidates.push_back(join_path(absolute, whole));
    candidates.push_back(join_path(absolute, inside));
  }
  std::string up;
  for (int level = 0; level < kMostLevels; ++level, up += "../") candidates.push_back(up + whole);
  // a package in a folder of another name, with the file in it or one below
  for (const char* folder : {"", "../", "../../"}) candidates.push_back(folder + inside);
  return candidates;
}

}  // namespace

std::string find_mesh(const std::string& written, const UrdfOptions& options, const Spec& spec) {
  constexpr std::string_view kFile = "file://";
  std::vector<std::string> candidates;
  if (const std::string_view package = in_packages(written); !package.empty())
    candidates = package_candidates(package, options);
  else
    candidates.push_back(written.starts_with(kFile) ? written.substr(kFile.size()) : written);
  // as MuJoCo has it, for files that were made for it
  candidates.push_back(join_path(spec.compiler.meshdir, candidates.front()));
  candidates.push_back(join_path(spec.compiler.meshdir, base_name(written)));
  for (const std::string& candidate : candidates) {
    if (has_file(access_of(spec), join_path(spec.base_dir, candidate))) return candidate;
  }
  return candidates.front();
}

}  // namespace torsor::urdf
