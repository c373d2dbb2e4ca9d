// Model to bytes and files.
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "torsor/format/binary/binary.hpp"
#include "torsor/format/binary/layout.hpp"

namespace torsor {
namespace {

class Writer {
 public:
  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_arithmetic_v<T>);
    bytes(&value, sizeof(T));
  }
  void operator()(const std::string& text) {
    (*this)(static_cast<uint32_t>(text.size()));
    bytes(text.data(), text.size());
  }
  void operator()(const std::vector<Diagnostic>& diagnostics) {
    (*this)(static_cast<uint32_t>(diagnostics.size()));
    for (const Diagnostic& d : diagnostics) {
      (*this)(static_cast<int>(d.severity));
      (*this)(d.where.file);
      (*this)(d.where.line);
      (*this)(d.where.column);
      (*this)(d.message);
      (*this)(d.hint);
    }
  }
  void bytes(const void* data, size_t count) {
    if (count > 0) out.append(static_cast<const char*>(data), count);
  }

  std::string out;
};

}  // namespace

std::string to_bytes(const Model& model) {
  Writer writer;
  writer.out.reserve(model.bytes() + 4096);
  writer.bytes(binary::kMagic.data(), binary::kMagic.size());
  writer(binary::kVersion);
  writer(binary::kByteOrder);
  const size_t length_at = writer.out.size();
  writer(uint64_t{0});  // the length is known at the end
  writer(binary::fingerprint());
  model.for_each_size([&](const char*, int size, const char*) { writer(size); });
  binary::transfer_settings(writer, model);
  model.for_each_field([&](const FieldInfo&, const auto& field) {
    writer.bytes(field.data(), static_cast<size_t>(field.size()) * sizeof(field.data()[0]));
  });
  const uint64_t length = writer.out.size() + binary::kChecksumBytes;
  std::memcpy(writer.out.data() + length_at, &length, sizeof(length));
  writer(checksum(writer.out));
  return std::move(writer.out);
}

void save_binary(const Model& model, const std::string& path) {
  const std::string bytes = to_bytes(model);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) {
    const std::string message = fmt::format("cannot write the file: {}", std::strerror(errno));
    throw Error({Diagnostic{Severity::kError, {path, 0, 0}, message, {}}});
  }
}

}  // namespace torsor
