// Files in memory, files on disk, and the parts of a path.
#include "torsor/format/files.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>

#include <fmt/format.h>

namespace torsor {
namespace {

std::string with_slashes(std::string_view path) {
  std::string out(path);
  std::replace(out.begin(), out.end(), '\\', '/');
  return out;
}

std::string normalized(std::string_view path) {
  return std::filesystem::path(with_slashes(path)).lexically_normal().generic_string();
}

bool equal_in_any_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// Shares ownership of the map, so that the bytes are not copied.
FoundFile share(const std::shared_ptr<const FileSystem>& files, FileSystem::const_iterator file) {
  return {file->first, std::shared_ptr<const std::string>(files, &file->second)};
}

std::optional<FoundFile> find_by_base_name(const std::shared_ptr<const FileSystem>& files, const std::string& path) {
  const std::string wanted = base_name(path);
  auto found = files->end();
  for (auto file = files->begin(); file != files->end(); ++file) {
    if (!equal_in_any_case(base_name(file->first), wanted)) continue;
    if (found != files->end()) return std::nullopt;
    found = file;
  }
  if (found == files->end()) return std::nullopt;
  return share(files, found);
}

std::optional<FoundFile> find_in_memory(const std::shared_ptr<const FileSystem>& files,
                                        const std::vector<std::string>& candidates) {
  if (!files || files->empty()) return std::nullopt;
  for (const std::string& path : candidates) {
    for (const std::string& name : {path, normalized(path)}) {
      if (const auto file = files->find(name); file != files->end()) return share(files, file);
    }
  }
  for (const std::string& path : candidates) {
    if (auto found = find_by_base_name(files, path)) return found;
  }
  return std::nullopt;
}

constexpr std::int64_t kMostBytes = std::numeric_limits<std::int32_t>::max();  // readers count in ints

// Whether a path is below a folder, both without symbolic links and `..`.
bool is_inside(const std::filesystem::path& path, const std::filesystem::path& folder) {
  const auto [in_folder, in_path] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return in_folder == folder.end() || (in_folder->empty() && std::next(in_folder) == folder.end());
}

// The resolved path, which is also the one that is opened, so that the file checked is the file read; nothing if it is
// outside the allowed folders.
std::optional<std::string> find_allowed(const std::string& path, const FolderList& folders) {
  if (!folders) return path;
  std::error_code problem;
  auto real = std::filesystem::absolute(path, problem);
  if (!problem) real = std::filesystem::weakly_canonical(real, problem);
  for (const std::string& folder : *folders) {
    std::error_code missing;
    const auto allowed = std::filesystem::canonical(folder, missing);
    if (!problem && !missing && is_inside(real, allowed)) return real.string();
  }
  return std::nullopt;
}

[[noreturn]] void forbid(const std::string& path, const FolderList& folders) {
  const char* hint = folders->empty() ? "give the file in memory, or name its folder in the option restrict"
                                      : "name its folder in the option restrict";
  throw Error(
      {Diagnostic{Severity::kError, {}, fmt::format("cannot open '{}': it may not be read from disk", path), hint}});
}

// Nothing for a path that does not exist or is a folder.
std::optional<FoundFile> read_from_disk(const std::string& name, const std::string& path, const FileAccess& access) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  if (!std::filesystem::exists(status) || std::filesystem::is_directory(status)) return std::nullopt;
  if (!std::filesystem::is_regular_file(status)) throw Error(fmt::format("'{}' is not a regular file", name));
  const auto size = std::filesystem::file_size(path, problem);
  const auto most = static_cast<std::uintmax_t>(std::min(access.most_bytes, kMostBytes));
  if (!problem && size > most)
    throw Error(fmt::format("'{}' has {} bytes, which is more than the limit of {}", name, size, most));
  std::ifstream stream(path, std::ios::binary);
  if (problem || !stream) return std::nullopt;
  std::string bytes(size, '\0');
  if (!stream.read(bytes.data(), static_cast<std::streamsize>(size))) return std::nullopt;
  return FoundFile{name, std::make_shared<const std::string>(std::move(bytes))};
}

}  // namespace

std::optional<FoundFile> find_file(const FileAccess& access, const std::vector<std::string>& candidates) {
  if (auto found = find_in_memory(access.files, candidates)) return found;
  bool is_forbidden = false;  // the first candidate: the one that the author meant
  for (const std::string& candidate : candidates) {
    const std::string name = normalized(candidate);
    const auto path = find_allowed(name, access.restrict);
    if (!path && &candidate == &candidates.front()) is_forbidden = true;
    if (!path) continue;
    if (auto found = read_from_disk(name, *path, access)) return found;
  }
  if (is_forbidden) forbid(normalized(candidates.front()), access.restrict);
  return std::nullopt;
}

bool has_file(const FileAccess& access, const std::string& path) {
  if (find_in_memory(access.files, {path})) return true;
  const auto allowed = find_allowed(normalized(path), access.restrict);
  return allowed && is_regular_file(*allowed);
}

FileAccess access_of(const Spec& spec) { return {spec.files, spec.restrict, spec.memory_limit}; }

bool is_regular_file(const std::string& path) {
  std::error_code problem;
  return std::filesystem::is_regular_file(path, problem);
}

FoundFile find_asset(const Spec& spec, const std::string& folder, const std::string& name, const Location& where) {
  const std::string file = spec.compiler.strippath ? base_name(name) : name;
  const std::string in_folder = join_path(spec.base_dir, join_path(folder, file));
  const std::string beside = join_path(directory_of(where.file), file);  // here MuJoCo leaves out the asset folder
  if (auto found = find_file(access_of(spec), {in_folder, beside})) return *found;
  const std::string other = beside == in_folder ? "" : fmt::format(", nor '{}'", beside);
  throw Error(fmt::format("cannot open '{}'{}", in_folder, other));
}

Bytes bytes_of(const FoundFile& file) { return std::as_bytes(std::span(file.bytes->data(), file.bytes->size())); }

std::string join_path(std::string_view folder, std::string_view path) {
  const std::string tail = with_slashes(path);
  if (folder.empty() || std::filesystem::path(tail).is_absolute()) return tail;
  std::string out = with_slashes(folder);
  if (out.back() != '/') out += '/';
  return out + tail;
}

std::string directory_of(std::string_view path) {
  const size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? std::string() : with_slashes(path.substr(0, slash + 1));
}

std::string base_name(std::string_view path) {
  const size_t slash = path.find_last_of("/\\");
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::string file_stem(std::string_view path) {
  const std::string name = base_name(path);
  return name.substr(0, name.find_last_of('.'));
}

}  // namespace torsor
