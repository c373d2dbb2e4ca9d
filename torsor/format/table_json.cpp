// Tables in JSON: an object of columns, or a list of objects.
#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "torsor/core/error.hpp"
#include "torsor/format/table.hpp"

namespace torsor {
namespace {

using Json = nlohmann::ordered_json;

double number_of(const Json& value, const std::string& file, size_t row, const std::string& column) {
  if (value.is_number()) return value.get<double>();
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();  // JSON has no NaN
  throw Error(fmt::format("{}: row {}, column '{}': {} is not a number", file, row, column, value.dump()));
}

// The names of a value's columns: one, or several for a list.
std::vector<std::string> names_of(const std::string& name, const Json& value) {
  if (!value.is_array()) return {name};
  std::vector<std::string> names;
  for (size_t i = 0; i < value.size(); ++i) names.push_back(fmt::format("{}.{}", name, i));
  return names;
}

void add_value(std::vector<double>& data, const Json& value, size_t width, const std::string& file, size_t row,
               const std::string& name) {
  const size_t have = value.is_array() ? value.size() : 1;
  if (have != width) {
    throw Error(fmt::format("{}: row {}, column '{}' has {} numbers, not {}", file, row, name, have, width));
  }
  if (!value.is_array()) return data.push_back(number_of(value, file, row, name));
  for (const Json& element : value) data.push_back(number_of(element, file, row, name));
}

struct Field {
  std::string name;
  size_t width;
};
std::vector<Field> add_columns(Table& table, const Json& first_row) {
  std::vector<Field> fields;
  for (const auto& [name, value] : first_row.items()) {
    const auto names = names_of(name, value);
    table.columns.insert(table.columns.end(), names.begin(), names.end());
    fields.push_back({name, names.size()});
  }
  return fields;
}

Table from_records(const Json& list, const std::string& file) {
  Table table{.named = true};
  if (list.empty() || !list[0].is_object()) throw Error(fmt::format("{}: expected a list of objects", file));
  const auto fields = add_columns(table, list[0]);
  for (const Json& record : list) {
    ++table.rows;
    for (const Field& field : fields) {
      if (!record.is_object() || !record.contains(field.name)) {
        throw Error(fmt::format("{}: row {} has no '{}'", file, table.rows, field.name));
      }
      add_value(table.data, record.at(field.name), field.width, file, table.rows, field.name);
    }
  }
  return table;
}

Table from_columns(const Json& object, const std::string& file) {
  Table table{.named = true};
  Json first_row = Json::object();
  for (const auto& [name, values] : object.items()) {
    if (!values.is_array()) throw Error(fmt::format("{}: column '{}' should be a list", file, name));
    if (table.columns.empty() && first_row.empty()) table.rows = values.size();
    if (values.size() != table.rows) {
      throw Error(fmt::format("{}: column '{}' has {} rows, not {}", file, name, values.size(), table.rows));
    }
    if (!values.empty()) first_row[name] = values[0];
  }
  const auto fields = add_columns(table, first_row);
  for (size_t row = 0; row < table.rows; ++row) {
    for (const Field& field : fields) {
      add_value(table.data, object.at(field.name)[row], field.width, file, row + 1, field.name);
    }
  }
  return table;
}

}  // namespace

Table parse_json_table(std::string_view text, const std::string& file) {
  Table table;
  try {
    const Json document = Json::parse(text);
    if (!document.is_array() && !document.is_object())
      throw Error(fmt::format("{}: expected an object or a list", file));
    table = document.is_array() ? from_records(document, file) : from_columns(document, file);
  } catch (const Json::exception& error) {
    throw Error(fmt::format("{}: {}", file, error.what()));
  }
  if (table.rows == 0) throw Error(fmt::format("{}: no rows of numbers", file));
  return table;
}

std::string format_json_table(const Table& table) {
  Json object = Json::object();
  for (size_t column = 0; column < table.width(); ++column) {
    Json values = Json::array();
    for (size_t row = 0; row < table.rows; ++row) values.push_back(table.at(row, column));
    object[table.columns[column]] = std::move(values);
  }
  return object.dump() + "\n";
}

}  // namespace torsor
