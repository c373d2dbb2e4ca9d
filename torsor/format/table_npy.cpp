// Tables in NumPy's format: a Python dict that describes the array, then its bytes. [NumPy enhancement proposal 1]
#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstring>

#include "torsor/core/error.hpp"
#include "torsor/format/table.hpp"

namespace torsor {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct Header {
  std::string_view text;
  size_t data;  // where the numbers start
};

Header read_header(std::string_view bytes, const std::string& file) {
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(bytes[i])); };
  if (!bytes.starts_with(kMagic) || bytes.size() < 12) throw Error(fmt::format("{}: not a NumPy file", file));
  const bool is_long = byte(6) >= 2;
  size_t length = byte(8) | byte(9) << 8;
  if (is_long) length |= byte(10) << 16 | byte(11) << 24;
  const size_t start = is_long ? 12 : 10;
  if (length > bytes.size() - start) throw Error(fmt::format("{}: the header is cut off", file));
  return {bytes.substr(start, length), start + length};
}

// The text after a key: 'descr': '<f8' or 'shape': (3, 4).
std::string_view value_of(std::string_view header, std::string_view key, const std::string& file) {
  const size_t at = header.find(fmt::format("'{}':", key));
  if (at == header.npos) throw Error(fmt::format("{}: the header has no '{}'", file, key));
  std::string_view value = header.substr(at + key.size() + 3);
  return value.substr(std::min(value.find_first_not_of(' '), value.size()));
}

void read_shape(std::string_view header, const std::string& file, size_t& rows, size_t& columns) {
  std::string_view text = value_of(header, "shape", file);
  text = text.substr(0, text.find(')'));
  std::vector<size_t> shape;
  while (!text.empty()) {
    const size_t first = std::min(text.find_first_of("0123456789"), text.size());
    text.remove_prefix(first);
    size_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error == std::errc()) shape.push_back(size);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
  }
  if (shape.size() != 2) throw Error(fmt::format("{}: an array of {} dimensions, not 2", file, shape.size()));
  rows = shape[0], columns = shape[1];
  if (rows == 0 || columns == 0) throw Error(fmt::format("{}: no rows of numbers", file));
}

template <class T>
double number_at(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

struct NumberType {
  const char* name;
  size_t size;
  double (*read)(const char* bytes);
};
constexpr NumberType kTypes[] = {
    {"'<f8'", 8, number_at<double>},        {"'<f4'", 4, number_at<float>},
    {"'<i8'", 8, number_at<std::int64_t>},  {"'<i4'", 4, number_at<std::int32_t>},
    {"'<i2'", 2, number_at<std::int16_t>},  {"'|i1'", 1, number_at<std::int8_t>},
    {"'<u8'", 8, number_at<std::uint64_t>}, {"'<u4'", 4, number_at<std::uint32_t>},
    {"'<u2'", 2, number_at<std::uint16_t>}, {"'|u1'", 1, number_at<std::uint8_t>},
};

const NumberType& type_of(std::string_view header, const std::string& file) {
  const std::string_view descr = value_of(header, "descr", file);
  for (const NumberType& type : kTypes) {
    if (descr.starts_with(type.name)) return type;
  }
  throw Error(fmt::format("{}: numbers of type {} are not supported; save them as float64", file,
                          descr.substr(0, std::min(descr.find(','), descr.size()))));
}

}  // namespace

Table parse_npy(std::string_view bytes, const std::string& file) {
  const Header header = read_header(bytes, file);
  const NumberType& type = type_of(header.text, file);
  const bool by_column = value_of(header.text, "fortran_order", file).starts_with("True");
  Table table;
  size_t width = 0;
  read_shape(header.text, file, table.rows, width);
  const size_t have = (bytes.size() - header.data) / type.size;
  if (have / width < table.rows) {
    throw Error(fmt::format("{}: cut off in row {}: {} numbers for {} rows of {}", file, have / width + 1, have,
                            table.rows, width));
  }
  for (size_t i = 0; i < width; ++i) table.columns.push_back(std::to_string(i));
  for (size_t row = 0; row < table.rows; ++row) {
    for (size_t column = 0; column < width; ++column) {
      const size_t i = by_column ? column * table.rows + row : row * width + column;
      table.data.push_back(type.read(bytes.data() + header.data + i * type.size));
    }
  }
  return table;
}

std::string format_npy(const Table& table) {
  std::string header =
      fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", table.rows, table.width());
  while ((kMagic.size() + 4 + header.size() + 1) % 64) header += ' ';  // numbers start at a multiple of 64
  header += '\n';
  std::string bytes(kMagic);
  bytes += '\x01', bytes += '\0';
  bytes += static_cast<char>(header.size() & 255), bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(table.data.data()), table.data.size() * sizeof(double));
  return bytes;
}

}  // namespace torsor
