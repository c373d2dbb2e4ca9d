#include "torsor/format/npy.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "torsor/core/count.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";
constexpr size_t kMostAxes = 32;

struct NpyHeader {
  std::string_view text;
  size_t data;  // where the numbers start
};

NpyHeader read_npy_header(std::string_view bytes, const std::string& file) {
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(bytes[i])); };
  if (!bytes.starts_with(kNpyMagic) || bytes.size() < 12) throw Error(fmt::format("{}: not a NumPy file", file));
  const bool is_long = byte(6) >= 2;
  size_t length = byte(8) | byte(9) << 8;
  if (is_long) length |= byte(10) << 16 | byte(11) << 24;
  const size_t start = is_long ? 12 : 10;
  if (length > bytes.size() - start) throw Error(fmt::format("{}: the header is cut off", file));
  return {bytes.substr(start, length), start + length};
}

// The text after a key: 'descr': '<f8' or 'shape': (3, 4).
std::string_view npy_value_of(std::string_view header, std::string_view key, const std::string& file) {
  const size_t at = header.find(fmt::format("'{}':", key));
  if (at == header.npos) throw Error(fmt::format("{}: the header has no '{}'", file, key));
  std::string_view value = header.substr(at + key.size() + 3);
  return value.substr(std::min(value.find_first_not_of(' '), value.size()));
}

std::vector<size_t> read_shape(std::string_view header, const std::string& file) {
  std::string_view text = npy_value_of(header, "shape", file);
  text = text.substr(0, text.find(')'));
  std::vector<size_t> shape;
  while (!text.empty()) {
    const size_t first = std::min(text.find_first_of("0123456789"), text.size());
    text.remove_prefix(first);
    size_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error == std::errc()) shape.push_back(size);
    if (error == std::errc::result_out_of_range || shape.size() > kMostAxes)
      throw Error(fmt::format("{}: the shape of the array is too large", file));
    text.remove_prefix(static_cast<size_t>(end - text.data()));
  }
  return shape;
}

template <class T>
double npy_number_at(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

// sign, 5 bits of exponent, 10 of fraction
double half_at(const char* bytes) {
  std::uint16_t bits;
  std::memcpy(&bits, bytes, sizeof bits);
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 31) size = fraction ? NAN : INFINITY;
  return bits >> 15 ? -size : size;
}

struct NumberType {
  const char* name;
  size_t size;
  double (*read)(const char* bytes);
};
constexpr NumberType kNumberTypes[] = {
    {"<f8", 8, npy_number_at<double>},
    {"<f4", 4, npy_number_at<float>},
    {"<f2", 2, half_at},
    {"<i8", 8, npy_number_at<std::int64_t>},
    {"<i4", 4, npy_number_at<std::int32_t>},
    {"<i2", 2, npy_number_at<std::int16_t>},
    {"|i1", 1, npy_number_at<std::int8_t>},
    {"<u8", 8, npy_number_at<std::uint64_t>},
    {"<u4", 4, npy_number_at<std::uint32_t>},
    {"<u2", 2, npy_number_at<std::uint16_t>},
    {"|u1", 1, npy_number_at<std::uint8_t>},
    {"|b1", 1, npy_number_at<std::uint8_t>},
};

// The element type without quotes: <f8, <U12, |O.
std::string_view npy_type_of(std::string_view header, const std::string& file) {
  std::string_view descr = npy_value_of(header, "descr", file);
  if (!descr.starts_with('\'')) throw Error(fmt::format("{}: an array of records is not supported", file));
  descr.remove_prefix(1);
  return descr.substr(0, descr.find('\''));
}

void append_utf8(std::string& text, std::uint32_t code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
    return;
  }
  const bool is_valid = code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  if (!is_valid) code = 0xFFFD;
  if (code < 0x800) {
    text += static_cast<char>(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      text += static_cast<char>(0xE0 | code >> 12);
    } else {
      text += static_cast<char>(0xF0 | code >> 18);
      text += static_cast<char>(0x80 | (code >> 12 & 63));
    }
    text += static_cast<char>(0x80 | (code >> 6 & 63));
  }
  text += static_cast<char>(0x80 | (code & 63));
}

// UTF-32, padded with zeros; or bytes.
std::string read_text(const char* bytes, size_t characters, bool is_wide) {
  std::string text;
  for (size_t i = 0; i < characters; ++i) {
    std::uint32_t code = static_cast<unsigned char>(bytes[i]);
    if (is_wide) std::memcpy(&code, bytes + 4 * i, 4);
    if (code == 0) break;
    append_utf8(text, code);
  }
  return text;
}

// The characters of UTF-8; bytes that are not UTF-8 stay as they are, one character each.
std::vector<std::uint32_t> code_points(std::string_view text) {
  std::vector<std::uint32_t> codes;
  for (size_t i = 0; i < text.size();) {
    const auto byte = [&](size_t k) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[k])); };
    const std::uint32_t first = byte(i);
    const size_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    std::uint32_t code = length == 1 ? first : first & (0xFFu >> (length + 1));
    size_t used = 1;
    while (used < length && i + used < text.size() && (byte(i + used) & 0xC0) == 0x80)
      code = code << 6 | (byte(i + used++) & 63);
    codes.push_back(used == length ? code : first);
    i += used == length ? used : 1;
  }
  return codes;
}

// How many elements there are; throws unless they all are in the file.
size_t count_of(const std::vector<size_t>& shape, size_t element_bytes, size_t bytes, const std::string& file) {
  Count count = 1;
  for (const size_t size : shape) count *= Count(size);
  const size_t have = element_bytes == 0 ? size_t(kMostNumbers) : bytes / element_bytes;
  if (count > Count(have) && shape.size() == 2) {
    throw Error(fmt::format("{}: cut off in row {}: {} numbers for {} rows of {}", file, have / shape[1] + 1, have,
                            shape[0], shape[1]));
  }
  if (count > Count(have))
    throw Error(fmt::format("{}: cut off: {} numbers for an array of shape {}", file, have, to_text(shape)));
  if (count > Count(kMostNumbers)) throw Error(fmt::format("{}: {} is too large for an array", file, to_text(shape)));
  return static_cast<size_t>(count.value());
}

// Where element i in C order is stored in an array whose first index varies fastest.
size_t column_major(size_t i, const std::vector<size_t>& shape) {
  size_t place = 0, stride = 1;
  std::vector<size_t> index(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) index[axis] = i % shape[axis], i /= shape[axis];
  for (size_t axis = 0; axis < shape.size(); ++axis) place += index[axis] * stride, stride *= shape[axis];
  return place;
}

std::string with_header(const std::string& type, const std::vector<size_t>& shape) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, to_text(shape));
  while ((kNpyMagic.size() + 4 + header.size() + 1) % 64) header += ' ';  // numbers start at a multiple of 64
  header += '\n';
  std::string bytes(kNpyMagic);
  bytes += '\x01', bytes += '\0';
  bytes += static_cast<char>(header.size() & 255), bytes += static_cast<char>(header.size() >> 8);
  return bytes + header;
}

}  // namespace

std::string to_text(const std::vector<size_t>& shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

NpyArray parse_npy_array(std::string_view bytes, const std::string& file) {
  const NpyHeader header = read_npy_header(bytes, file);
  const std::string_view type = npy_type_of(header.text, file);
  const bool by_column = npy_value_of(header.text, "fortran_order", file).starts_with("True");
  NpyArray array;
  array.shape = read_shape(header.text, file);
  const std::string_view data = bytes.substr(header.data);
  const auto place = [&](size_t i) { return by_column && array.shape.size() > 1 ? column_major(i, array.shape) : i; };

  if (type.starts_with("<U") || type.starts_with("|S")) {
    const bool is_wide = type[1] == 'U';
    size_t characters = 0;
    const auto [end, error] = std::from_chars(type.data() + 2, type.data() + type.size(), characters);
    if (error != std::errc() || end != type.data() + type.size() || characters > size_t(kMostNumbers))
      throw Error(fmt::format("{}: '{}' is not a type of text", file, type));
    const size_t width = characters * (is_wide ? 4 : 1), count = count_of(array.shape, width, data.size(), file);
    if (width == 0 && count > 1'000'000) throw Error(fmt::format("{}: a million empty texts", file));
    array.is_text = true;
    for (size_t i = 0; i < count; ++i)
      array.texts.push_back(read_text(data.data() + place(i) * width, characters, is_wide));
    return array;
  }
  const auto known = std::find_if(std::begin(kNumberTypes), std::end(kNumberTypes),
                                  [&](const NumberType& t) { return type == t.name; });
  if (known == std::end(kNumberTypes)) {
    throw Error(fmt::format("{}: numbers of type '{}' are not supported; save them as float64{}", file, type,
                            type.find('O') != type.npos ? " (an array of Python objects is a pickle)" : ""));
  }
  const size_t count = count_of(array.shape, known->size, data.size(), file);
  array.numbers.reserve(count);
  for (size_t i = 0; i < count; ++i) array.numbers.push_back(known->read(data.data() + place(i) * known->size));
  return array;
}

std::string format_npy_array(const NpyArray& array) {
  if (!array.is_text) {
    std::string bytes = with_header("<f8", array.shape);
    bytes.append(reinterpret_cast<const char*>(array.numbers.data()), array.numbers.size() * sizeof(double));
    return bytes;
  }
  std::vector<std::vector<std::uint32_t>> all;
  size_t longest = 1;
  for (const std::string& text : array.texts) longest = std::max(longest, all.emplace_back(code_points(text)).size());
  std::string bytes = with_header(fmt::format("<U{}", longest), array.shape);
  for (std::vector<std::uint32_t>& codes : all) {
    codes.resize(longest, 0);
    bytes.append(reinterpret_cast<const char*>(codes.data()), longest * 4);
  }
  return bytes;
}

}  // namespace torsor
