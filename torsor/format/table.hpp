// Tables of numbers with named columns: CSV, JSON and NPY files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torsor {

struct Table {
  std::vector<std::string> columns{};  // names; "0", "1", ... if the file has none
  size_t rows = 0;
  std::vector<double> data{};  // row by row
  bool named = false;          // whether the names came from the file

  size_t width() const { return columns.size(); }
  double at(size_t row, size_t column) const { return data[row * width() + column]; }
  int find(std::string_view name) const;                              // index of a column, or -1
  std::vector<double> take(const std::vector<size_t>& chosen) const;  // numbers of these columns, row by row
};

// By extension: .csv .tsv .txt, .json, .npy. Throws an Error that names the row and column that cannot be read; rows
// count from 1, without the header. Empty cells and "nan" become NaN.
//   CSV   optional header; cells separated by commas, semicolons, tabs or blanks; lines with '#' are comments, and the
//         last of them before the numbers is the header if it has the right number of words
//   JSON  {"time": [0, 0.1], "quat": [[1, 0, 0, 0], [1, 0, 0, 0]]} or [{"time": 0, "quat": [1, 0, 0, 0]}, ...]; lists
//         become several columns: quat.0, quat.1, ...
//   NPY   two dimensions of real numbers
Table read_table(const std::string& path);
void write_table(const std::string& path, const Table& table);

// The same for contents in memory; errors refer to it as `file`.
Table parse_csv(std::string_view text, const std::string& file = "table");
Table parse_json_table(std::string_view text, const std::string& file = "table");
Table parse_npy(std::string_view bytes, const std::string& file = "table");
std::string format_csv(const Table& table);
std::string format_json_table(const Table& table);
std::string format_npy(const Table& table);

}  // namespace torsor
