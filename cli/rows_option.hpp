// --rows FILE: conventions of the user's own, for every command that takes ids of conventions.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace torsor::cli {

struct RowsOption {
  std::vector<std::string> files;

  void add_to(CLI::App& command);
  // Adds the rows of all files to those that are known. Throws an Error that names the file.
  void load() const;
};

}  // namespace torsor::cli
