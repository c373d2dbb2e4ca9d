// PNG: a signature, a header, the rows compressed by zlib, an end. [W3C, PNG Specification, Third Edition]
#include "torsor/render/picture.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>
#include <zlib.h>

#include "torsor/core/error.hpp"

namespace torsor::render {
namespace {

void put_big_endian(std::string& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(value >> shift));
}

void put_chunk(std::string& file, const std::string& type, const std::string& content) {
  put_big_endian(file, static_cast<std::uint32_t>(content.size()));
  const std::string checked = type + content;
  file += checked;
  const auto* bytes = reinterpret_cast<const Bytef*>(checked.data());
  put_big_endian(file, static_cast<std::uint32_t>(crc32(0, bytes, static_cast<uInt>(checked.size()))));
}

std::string compressed(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string result(size, '\0');
  const auto* from = reinterpret_cast<const Bytef*>(bytes.data());
  const int status =
      compress2(reinterpret_cast<Bytef*>(result.data()), &size, from, static_cast<uLong>(bytes.size()), 6);
  if (status != Z_OK) throw Error("out of memory while compressing a picture");
  result.resize(size);
  return result;
}

}  // namespace

std::string to_png(const Picture& picture) {
  std::string header;
  put_big_endian(header, static_cast<std::uint32_t>(picture.width));
  put_big_endian(header, static_cast<std::uint32_t>(picture.height));
  header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits per channel, red green blue, nothing special
  // each row is written as the difference to the row above it (filter 2), which compresses better
  const size_t pitch = 3 * static_cast<size_t>(picture.width);
  std::string rows;
  rows.reserve((pitch + 1) * static_cast<size_t>(picture.height));
  for (size_t r = 0; r < static_cast<size_t>(picture.height); ++r) {
    const std::uint8_t* row = &picture.rgb[r * pitch];
    rows.push_back(r == 0 ? 0 : 2);
    for (size_t i = 0; i < pitch; ++i) rows.push_back(static_cast<char>(row[i] - (r == 0 ? 0 : *(row + i - pitch))));
  }
  std::string file("\x89PNG\r\n\x1a\n", 8);
  put_chunk(file, "IHDR", header);
  put_chunk(file, "IDAT", compressed(rows));
  put_chunk(file, "IEND", "");
  return file;
}

void write_file(const std::string& path, const std::string& bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool is_written = file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const bool is_closed = file && std::fclose(file) == 0;
  if (!is_written || !is_closed) throw Error(fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
}

}  // namespace torsor::render
