// Our own binary form of a clip: magic (8 bytes), version (4), byte order mark (4), length in bytes (8), the members of
// MotionClip in the order of transfer(), checksum of all that (8).
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "torsor/core/count.hpp"
#include "torsor/core/error.hpp"
#include "torsor/format/binary/checksum.hpp"
#include "torsor/format/motion/read.hpp"

namespace torsor {
namespace {

constexpr std::string_view kClipMagic{"\x89TMOTION", 8};  // the high bit reveals a file that was mangled as text
constexpr uint32_t kClipVersion = 1, kClipByteOrder = 0x01020304;
constexpr size_t kClipHeaderBytes = 24, kClipChecksumBytes = 8;

// The contents in order, for the writer and the reader alike.
template <class Archive, class Clip>
void transfer(Archive& archive, Clip& clip) {
  archive(clip.name);
  archive(clip.convention);
  archive(clip.notes);
  archive(clip.fps);
  archive(clip.frames);
  archive(clip.dofs);
  archive(clip.joint_names);
  archive(clip.bodies);
  archive(clip.has_tree);
  archive(clip.ends);
  archive(clip.root_pos);
  archive(clip.root_quat);
  archive(clip.dof);
  archive(clip.body_quat);
  archive(clip.body_pos);
}
template <class Archive, class Body>
void transfer_body(Archive& archive, Body& body) {
  archive(body.name);
  archive(body.parent);
  for (auto* number : {&body.p_PoBo_P.x, &body.p_PoBo_P.y, &body.p_PoBo_P.z, &body.q_PB0.w, &body.q_PB0.x,
                       &body.q_PB0.y, &body.q_PB0.z})
    archive(*number);
}
template <class Archive, class End>
void transfer_end(Archive& archive, End& end) {
  archive(end.body);
  for (auto* number : {&end.p_BoEo_B.x, &end.p_BoEo_B.y, &end.p_BoEo_B.z}) archive(*number);
}

class ClipWriter {
 public:
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(const T& value) { out.append(reinterpret_cast<const char*>(&value), sizeof(T)); }
  void operator()(const std::string& text) {
    (*this)(uint64_t(text.size()));
    out += text;
  }
  void operator()(const MotionBody& body) { transfer_body(*this, body); }
  void operator()(const MotionEnd& end) { transfer_end(*this, end); }
  template <class T>
  void operator()(const std::vector<T>& list) {
    (*this)(uint64_t(list.size()));
    for (const T& each : list) (*this)(each);
  }

  std::string out;
};

class ClipReader {
 public:
  ClipReader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& value) {
    const std::string_view part = take(sizeof(T));
    if constexpr (std::is_same_v<T, bool>)
      value = part[0] != 0;
    else
      std::memcpy(&value, part.data(), sizeof(T));
  }
  void operator()(std::string& text) { text = std::string(take(count(1))); }
  void operator()(MotionBody& body) { transfer_body(*this, body); }
  void operator()(MotionEnd& end) { transfer_end(*this, end); }
  template <class T>
  void operator()(std::vector<T>& list) {
    constexpr size_t kSmallest = std::is_arithmetic_v<T> ? sizeof(T) : 8;  // of one element in the file
    const size_t size = count(kSmallest);
    list.clear();
    for (size_t i = 0; i < size; ++i) (*this)(list.emplace_back());
  }
  bool is_at_end() const { return bytes_.empty(); }

 private:
  std::string_view take(size_t size) {
    if (size > bytes_.size()) throw Error(fmt::format("{}: damaged: its contents are cut off", file_));
    const std::string_view part = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return part;
  }
  // A count of elements that can be in what is left.
  size_t count(size_t smallest) {
    uint64_t size = 0;
    (*this)(size);
    if (size > bytes_.size() / smallest) throw Error(fmt::format("{}: damaged: a list of {} elements", file_, size));
    return size_t(size);
  }

  std::string_view bytes_;
  const std::string& file_;
};

}  // namespace

std::string format_motion_binary(const MotionClip& clip) {
  ClipWriter writer;
  writer.out = kClipMagic;
  writer(kClipVersion), writer(kClipByteOrder), writer(uint64_t{0});
  transfer(writer, clip);
  const uint64_t length = writer.out.size() + kClipChecksumBytes;
  std::memcpy(writer.out.data() + kClipHeaderBytes - 8, &length, 8);
  writer(checksum(writer.out));
  return std::move(writer.out);
}

MotionClip parse_motion_binary(std::string_view bytes, const std::string& file) {
  const auto number = [&](size_t at, auto value) {
    return std::memcpy(&value, bytes.data() + at, sizeof value), value;
  };
  if (!bytes.starts_with(kClipMagic) || bytes.size() < kClipHeaderBytes + kClipChecksumBytes)
    throw Error(fmt::format("{}: not a motion clip", file));
  if (number(12, uint32_t{}) != kClipByteOrder)
    throw Error(fmt::format("{}: written on a machine of another byte order", file));
  if (number(8, uint32_t{}) != kClipVersion)
    throw Error(
        fmt::format("{}: version {} of the format, this is version {}", file, number(8, uint32_t{}), kClipVersion));
  if (number(16, uint64_t{}) != bytes.size())
    throw Error(fmt::format("{}: {} bytes, but it should have {}", file, bytes.size(), number(16, uint64_t{})));
  const size_t end = bytes.size() - kClipChecksumBytes;
  if (number(end, uint64_t{}) != checksum(bytes.substr(0, end)))
    throw Error(fmt::format("{}: damaged: the checksum does not match", file));
  ClipReader reader(bytes.substr(kClipHeaderBytes, end - kClipHeaderBytes), file);
  MotionClip clip;
  transfer(reader, clip);
  if (!reader.is_at_end()) throw Error(fmt::format("{}: damaged: bytes after its contents", file));
  if (clip.dofs < 0) throw Error(fmt::format("{}: damaged: {} joint coordinates", file, clip.dofs));
  check_clip(clip);
  return clip;
}

}  // namespace torsor
