// Bytes and files to Model. Nothing in the bytes is trusted before it has been checked.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

#include <fmt/format.h>

#include "torsor/format/binary/binary.hpp"
#include "torsor/format/binary/layout.hpp"
#include "torsor/model/check.hpp"

namespace torsor {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& message, const std::string& hint = {}) {
  throw Error({Diagnostic{Severity::kError, {name, 0, 0}, message, hint}});
}

// Reads values from bytes that passed the checksum; running out of bytes is still an error, not a crash.
class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  template <class T>
  void operator()(T& value) {
    static_assert(std::is_arithmetic_v<T>);
    std::memcpy(&value, take(sizeof(T)), sizeof(T));
  }
  void operator()(bool& value) {
    const auto byte = get<uint8_t>();
    if (byte > 1) fail(name_, "corrupted: a flag is neither true nor false");
    value = byte != 0;
  }
  void operator()(std::string& text) {
    uint32_t length = 0;
    (*this)(length);
    text.assign(take(length), length);
  }
  void operator()(std::vector<Diagnostic>& diagnostics) {
    uint32_t count = 0;
    (*this)(count);
    for (uint32_t i = 0; i < count; ++i) {
      Diagnostic d;
      int severity = 0;
      (*this)(severity);
      (*this)(d.where.file);
      (*this)(d.where.line);
      (*this)(d.where.column);
      (*this)(d.message);
      (*this)(d.hint);
      d.severity = severity == 0 ? Severity::kWarning : Severity::kError;
      diagnostics.push_back(std::move(d));
    }
  }
  template <class T>
  T get() {
    T value{};
    (*this)(value);
    return value;
  }
  const char* take(size_t count) {
    if (count > bytes_.size()) fail(name_, "corrupted: its parts are longer than the whole");
    const char* start = bytes_.data();
    bytes_.remove_prefix(count);
    return start;
  }
  size_t remaining() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
  const std::string& name_;
};

// Checks magic, byte order, version, length and checksum, the most telling first. Returns the fingerprint of the field
// lists.
uint64_t check_envelope(std::string_view bytes, const std::string& name) {
  if (!is_binary(bytes)) {
    const bool is_text = !bytes.empty() && bytes.find_first_not_of(" \t\r\n") != bytes.npos &&
                         bytes[bytes.find_first_not_of(" \t\r\n")] == '<';
    fail(name, "not a binary model of Torsor", is_text ? "it looks like XML: load it as a model file" : "");
  }
  constexpr size_t kLeast = binary::kHeaderBytes + binary::kChecksumBytes;
  if (bytes.size() < kLeast) fail(name, fmt::format("truncated: {} bytes, less than a header", bytes.size()));
  Reader header(bytes.substr(binary::kMagic.size()), name);
  const auto version = header.get<uint32_t>();
  const auto byte_order = header.get<uint32_t>();
  const auto length = header.get<uint64_t>();
  const auto lists = header.get<uint64_t>();
  if (byte_order != binary::kByteOrder) fail(name, "written on a machine with another byte order");
  if (version != binary::kVersion) {
    fail(name, fmt::format("has format version {}, this program reads version {}", version, binary::kVersion),
         "compile the model file again");
  }
  if (bytes.size() < length) fail(name, fmt::format("truncated: {} of {} bytes", bytes.size(), length));
  if (bytes.size() > length) fail(name, fmt::format("corrupted: {} bytes after its end", bytes.size() - length));
  uint64_t expected = 0;
  std::memcpy(&expected, bytes.data() + bytes.size() - binary::kChecksumBytes, sizeof(expected));
  if (checksum(bytes.substr(0, bytes.size() - binary::kChecksumBytes)) != expected)
    fail(name, "corrupted: its checksum does not match its contents");
  return lists;
}

ModelSizes read_sizes(Reader& reader, const std::string& name) {
  ModelSizes sizes;
  sizes.for_each_size([&](const char* size_name, int& size, const char*) {
    reader(size);
    const bool may_be_open = &size == &sizes.njmax || &size == &sizes.nconmax;
    if (size < (may_be_open ? -1 : 0) || size > binary::kMaxSize)
      fail(name, fmt::format("corrupted: {} is {}", size_name, size));
  });
  return sizes;
}

// The number of bytes of all arrays for these sizes, computed without allocating anything.
uint64_t array_bytes(const ModelSizes& sizes, const std::string& name) {
  ModelView view;
  static_cast<ModelSizes&>(view) = sizes;
  uint64_t total = 0;
  view.for_each_field([&](const FieldInfo& info, const auto& field) {
    const uint64_t count = static_cast<uint64_t>(info.rows) * static_cast<uint64_t>(info.columns);
    if (count > static_cast<uint64_t>(std::numeric_limits<int>::max()))
      fail(name, fmt::format("corrupted: {} would have {} numbers", info.name, count));
    total += count * sizeof(field.data()[0]);
  });
  return total;
}

}  // namespace

bool is_binary(std::string_view bytes) { return bytes.substr(0, binary::kMagic.size()) == binary::kMagic; }

Model from_bytes(std::string_view bytes, const std::string& name) {
  static const uint64_t own_lists = binary::fingerprint();
  if (check_envelope(bytes, name) != own_lists) {
    fail(name, "written by a version of Torsor whose models have other fields", "compile the model file again");
  }
  Reader reader(bytes.substr(binary::kHeaderBytes, bytes.size() - binary::kHeaderBytes - binary::kChecksumBytes), name);
  const ModelSizes sizes = read_sizes(reader, name);
  Model settings;
  binary::transfer_settings(reader, settings);
  if (array_bytes(sizes, name) != reader.remaining()) fail(name, "corrupted: its sizes and its arrays do not match");

  Model model(sizes);
  model.opt = settings.opt;
  static_cast<ModelFlags&>(model) = settings;
  model.stat = settings.stat;
  model.vis = settings.vis;
  model.axes = settings.axes;
  model.memory = settings.memory;
  model.signature = settings.signature;
  model.warnings = std::move(settings.warnings);
  model.for_each_field([&](const FieldInfo&, auto& field) {
    const size_t count = static_cast<size_t>(field.size()) * sizeof(field.data()[0]);
    if (count == 0) return;
    const char* values = reader.take(count);
    std::memcpy(static_cast<void*>(field.data()), values, count);
  });
  if (const std::string fault = find_fault(model); !fault.empty()) fail(name, "corrupted: " + fault);
  model.index_names();
  model.index_hulls();
  model.index_contacts();
  return model;
}

Model load_binary(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, fmt::format("cannot read the file: {}", std::strerror(errno)));
  std::ostringstream contents;
  contents << file.rdbuf();
  if (file.bad()) fail(path, "cannot read the file");
  return from_bytes(std::move(contents).str(), path);
}

}  // namespace torsor
