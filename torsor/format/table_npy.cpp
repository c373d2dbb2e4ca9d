// Tables in NumPy's format.
#include <fmt/format.h>

#include "torsor/core/error.hpp"
#include "torsor/format/npy.hpp"
#include "torsor/format/table.hpp"

namespace torsor {

Table parse_npy(std::string_view bytes, const std::string& file) {
  NpyArray array = parse_npy_array(bytes, file);
  if (array.is_text) throw Error(fmt::format("{}: texts, not numbers; save them as float64", file));
  if (array.shape.size() != 2)
    throw Error(fmt::format("{}: an array of {} dimensions, not 2", file, array.shape.size()));
  if (array.numbers.empty()) throw Error(fmt::format("{}: no rows of numbers", file));
  Table table;
  table.rows = array.shape[0];
  for (size_t i = 0; i < array.shape[1]; ++i) table.columns.push_back(std::to_string(i));
  table.data = std::move(array.numbers);
  return table;
}

std::string format_npy(const Table& table) {
  NpyArray array;
  array.shape = {table.rows, table.width()};
  array.numbers = table.data;
  return format_npy_array(array);
}

}  // namespace torsor
