#include "torsor/format/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "torsor/core/error.hpp"

namespace torsor {
namespace {

struct Kind {
  const char* ending;
  Table (*parse)(std::string_view bytes, const std::string& file);
  std::string (*format)(const Table& table);
};
constexpr Kind kKinds[] = {{".csv", parse_csv, format_csv},
                           {".tsv", parse_csv, format_csv},
                           {".txt", parse_csv, format_csv},
                           {".json", parse_json_table, format_json_table},
                           {".npy", parse_npy, format_npy}};

const Kind& kind_of(const std::string& path) {
  std::string lower = path;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const Kind& kind : kKinds) {
    if (lower.ends_with(kind.ending)) return kind;
  }
  throw Error(fmt::format("{}: a table is a file .csv, .tsv, .txt, .json or .npy", path));
}

}  // namespace

int Table::find(std::string_view name) const {
  const auto it = std::find(columns.begin(), columns.end(), name);
  return it == columns.end() ? -1 : static_cast<int>(it - columns.begin());
}

std::vector<double> Table::take(const std::vector<size_t>& chosen) const {
  std::vector<double> values;
  values.reserve(rows * chosen.size());
  for (size_t row = 0; row < rows; ++row) {
    for (const size_t column : chosen) values.push_back(at(row, column));
  }
  return values;
}

Table read_table(const std::string& path) {
  const Kind& kind = kind_of(path);
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (!file || !(bytes << file.rdbuf())) throw Error(fmt::format("{}: cannot be read", path));
  return kind.parse(bytes.str(), path);
}

void write_table(const std::string& path, const Table& table) {
  const std::string bytes = kind_of(path).format(table);
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw Error(fmt::format("{}: cannot be written", path));
}

}  // namespace torsor
