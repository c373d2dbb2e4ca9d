// Finds the files of a model by name: in memory first, then on disk.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/model/spec.hpp"

namespace torsor {

struct FoundFile {
  std::string path;  // as it was found
  std::shared_ptr<const std::string> bytes;
};

// The first candidate that exists. Files in memory are also found by their base name alone, in upper or lower case,
// when only one of them has it: who holds assets in memory need not repeat the folders that a model mentions.
std::optional<FoundFile> find_file(const std::shared_ptr<const FileSystem>& files,
                                   const std::vector<std::string>& candidates);
bool file_exists(const std::shared_ptr<const FileSystem>& files, const std::vector<std::string>& candidates);

// Paths have forward slashes; those of other systems are converted.
std::string join_path(std::string_view folder, std::string_view path);  // an absolute path stays as it is
std::string directory_of(std::string_view path);                        // "a/" of "a/b.xml", "" of "b.xml"
std::string base_name(std::string_view path);                           // "b.xml" of "a/b.xml"
std::string file_stem(std::string_view path);                           // "b.c" of "a/b.c.obj"

}  // namespace torsor
