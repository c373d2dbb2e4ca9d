// Reading the files of --rows.
#include "cli/rows_option.hpp"

#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "torsor/convention/convention.hpp"
#include "torsor/core/error.hpp"

namespace torsor::cli {

void RowsOption::add_to(CLI::App& command) {
  command
      .add_option("--rows", files,
                  "JSON file with conventions of your own (docs/adding_a_convention.md); may be repeated")
      ->allow_extra_args(false)
      ->type_name("FILE");
}

void RowsOption::load() const {
  for (const std::string& path : files) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) throw Error(fmt::format("{}: cannot be read", path));
    add_conventions_from_json(text.str(), path);
  }
}

}  // namespace torsor::cli
