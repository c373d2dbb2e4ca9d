// Finds the files of a model by name: in memory first, then on disk.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/format/mesh/bytes.hpp"
#include "torsor/model/spec.hpp"

namespace torsor {

struct FoundFile {
  std::string path;  // as it was found
  std::shared_ptr<const std::string> bytes;
};

// Where files may be read from.
struct FileAccess {
  std::shared_ptr<const FileSystem> files;        // in memory; may be null
  FolderList restrict;                            // on disk, after symbolic links and `..` are resolved
  std::int64_t most_bytes = kDefaultMemoryLimit;  // of one file
};

// The first candidate that exists. Files in memory are also found by their base name alone, ignoring case, if it is
// unique: callers with assets in memory need not repeat the folders of the model. Throws an Error for a candidate that
// is not a regular file or is too long, and if none is found and the first may not be read.
std::optional<FoundFile> find_file(const FileAccess& access, const std::vector<std::string>& candidates);

// Whether find_file() would find one.
bool has_file(const FileAccess& access, const std::string& path);

FileAccess access_of(const Spec& spec);

// A device or a pipe may have no end, or block: only regular files are opened.
bool is_regular_file(const std::string& path);

// The file that an element at `where` refers to: below `folder` in the model's folder, then next to the included file
// that contains the element. Throws an Error that names both places.
FoundFile find_asset(const Spec& spec, const std::string& folder, const std::string& name, const Location& where);

Bytes bytes_of(const FoundFile& file);

// Paths use forward slashes; backslashes are converted.
std::string join_path(std::string_view folder, std::string_view path);  // an absolute path stays as it is
std::string directory_of(std::string_view path);                        // "a/" of "a/b.xml", "" of "b.xml"
std::string base_name(std::string_view path);                           // "b.xml" of "a/b.xml"
std::string file_stem(std::string_view path);                           // "b.c" of "a/b.c.obj"

}  // namespace torsor
