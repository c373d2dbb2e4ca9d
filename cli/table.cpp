// Table layout: each column as wide as its widest cell, two spaces between columns.
#include "cli/table.hpp"

#include <algorithm>

namespace torsor::cli {
namespace {

std::string lay_out(const std::vector<Column>& columns, const std::vector<int>& widths,
                    const std::vector<std::string>& cells) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    const auto blank = static_cast<size_t>(widths[i] - columns_of(cells[i]));
    if (i > 0) line += "  ";
    if (columns[i].align == Align::kRight) line.append(blank, ' ');
    line += cells[i];
    if (columns[i].align == Align::kLeft) line.append(blank, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::vector<std::string> Table::lines(const Terminal& terminal) const {
  std::vector<int> widths;
  std::vector<std::string> titles;
  bool has_titles = false;
  for (const Column& column : columns_) {
    widths.push_back(columns_of(column.title));
    titles.push_back(column.title);
    has_titles |= !column.title.empty();
  }
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  std::vector<std::string> lines;
  if (has_titles) lines.push_back(terminal.paint(Style::kBold, lay_out(columns_, widths, titles)));
  for (const auto& row : rows_) lines.push_back(lay_out(columns_, widths, row));
  return lines;
}

std::string Table::text(const Terminal& terminal) const {
  std::string text;
  for (const std::string& line : lines(terminal)) text += line + '\n';
  return text;
}

}  // namespace torsor::cli
