// Tables as text: one line per row.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "torsor/core/error.hpp"
#include "torsor/format/table.hpp"

namespace torsor {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == text.npos ? std::string_view{} : text.substr(first, last - first + 1);
}

// The separator: the first of these characters that the line has outside quotes. Successive blanks count as one.
char separator_of(std::string_view line) {
  for (const char candidate : {',', ';', '\t'}) {
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') quoted = !quoted;
      if (c == candidate && !quoted) return candidate;
    }
  }
  return ' ';
}

std::vector<std::string> split(std::string_view line, char separator) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"')
        cells.back() += line[i++];  // "" is a quote
      else
        quoted = !quoted;
    } else if (c == separator && !quoted) {
      if (separator != ' ' || !cells.back().empty()) cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  for (std::string& cell : cells) cell = std::string(trimmed(cell));
  if (separator == ' ' && cells.back().empty()) cells.pop_back();
  return cells;
}

// Empty cells and "nan" are NaN; false if the cell is not a number.
bool read_number(std::string_view cell, double& value) {
  if (cell.empty()) return value = std::numeric_limits<double>::quiet_NaN(), true;
  if (cell.front() == '+') cell.remove_prefix(1);
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return error == std::errc() && end == cell.data() + cell.size();
}

bool are_numbers(const std::vector<std::string>& cells) {
  double value;
  for (const std::string& cell : cells) {
    if (cell.empty() || !read_number(cell, value)) return false;
  }
  return true;
}

void number_columns(Table& table, size_t count) {
  for (size_t i = 0; i < count; ++i) table.columns.push_back(std::to_string(i));
}

void add_row(Table& table, const std::vector<std::string>& cells, const std::string& file, size_t line) {
  const size_t row = ++table.rows;
  if (cells.size() != table.width()) {
    throw Error(fmt::format("{}:{}: row {} has {} cells, not {}", file, line, row, cells.size(), table.width()));
  }
  for (size_t column = 0; column < cells.size(); ++column) {
    double value = 0;
    if (!read_number(cells[column], value)) {
      throw Error(fmt::format("{}:{}: row {}, column {} ('{}'): '{}' is not a number", file, line, row, column,
                              table.columns[column], cells[column]));
    }
    table.data.push_back(value);
  }
}

// A cell of the header, in quotes if necessary.
std::string quoted(const std::string& name) {
  if (name.find_first_of(",;\t\"\n") == name.npos) return name;
  std::string result = "\"";
  for (const char c : name) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

}  // namespace

Table parse_csv(std::string_view text, const std::string& file) {
  Table table;
  std::string comment;
  char separator = 0;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark
  for (size_t line_number = 1; !text.empty(); ++line_number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    if (line.front() == '#') {
      comment = std::string(trimmed(line.substr(1)));
      continue;
    }
    if (separator) {
      add_row(table, split(line, separator), file, line_number);
      continue;
    }
    separator = separator_of(line);
    std::vector<std::string> cells = split(line, separator);
    if (!are_numbers(cells)) {
      table.columns = std::move(cells), table.named = true;
      continue;
    }
    const std::vector<std::string> titles = split(comment, separator_of(comment));
    if (titles.size() == cells.size() && !are_numbers(titles)) {
      table.columns = titles, table.named = true;
    } else {
      number_columns(table, cells.size());
    }
    add_row(table, cells, file, line_number);
  }
  if (table.rows == 0) throw Error(fmt::format("{}: no rows of numbers", file));
  return table;
}

std::string format_csv(const Table& table) {
  std::string text;
  for (size_t i = 0; i < table.width(); ++i) text += (i ? "," : "") + quoted(table.columns[i]);
  text += '\n';
  for (size_t i = 0; i < table.data.size(); ++i) {
    text += fmt::format("{}{}", table.data[i], (i + 1) % table.width() ? ',' : '\n');
  }
  return text;
}

}  // namespace torsor
