// --rows FILE: user-defined conventions, for every command that takes ids of conventions.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace torsor::cli {

struct RowsOption {
  std::vector<std::string> files;

  void add_to(CLI::App& command);
  // Adds the rows of all files to the known conventions. Throws an Error that names the file.
  void load() const;
};

}  // namespace torsor::cli
