// Tables of text with aligned columns.
#pragma once

#include <string>
#include <vector>

#include "cli/terminal.hpp"

namespace torsor::cli {

enum class Align { kLeft, kRight };

struct Column {
  std::string title;
  Align align = Align::kLeft;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // Cells that are missing at the end stay empty.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }
  // One string per line, the titles first (bold if the terminal has colours) if any column has one.
  std::vector<std::string> lines(const Terminal& terminal) const;
  std::string text(const Terminal& terminal) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace torsor::cli
