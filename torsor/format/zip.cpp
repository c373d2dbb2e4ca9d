#include "torsor/format/zip.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>
#include <zlib.h>

#include "torsor/core/count.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

constexpr std::string_view kLocalSignature{"PK\x03\x04", 4}, kEntrySignature{"PK\x01\x02", 4},
    kEndSignature{"PK\x05\x06", 4};
constexpr size_t kLocalBytes = 30, kEntryBytes = 46, kEndBytes = 22;
constexpr size_t kMostExpansion = 1032;  // of deflate

// Little-endian numbers at a place that the caller has checked.
template <class T>
T zip_number_at(std::string_view bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}
template <class T>
void append_number(std::string& bytes, std::type_identity_t<T> value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// One entry of the directory at the end of an archive.
struct ZipEntry {
  std::string_view name;
  uint16_t flags, method;
  uint32_t checksum, packed, unpacked, offset;
};

class ZipReader {
 public:
  ZipReader(std::string_view bytes, const std::string& file, size_t most_bytes)
      : bytes_(bytes), file_(file), most_bytes_(most_bytes) {}

  std::vector<ZipMember> read() {
    std::vector<ZipMember> members;
    size_t at = find_directory();
    for (int i = 0; i < count_; ++i) {
      const ZipEntry entry = read_entry(at);
      if (entry.name.ends_with('/')) continue;  // a folder
      members.push_back({std::string(entry.name), read_member(entry)});
    }
    return members;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw Error(fmt::format("{}: {}", file_, what)); }

  // The end record is at the end, before a comment of at most 65535 bytes.
  size_t find_directory() {
    if (bytes_.size() < kEndBytes) fail("not a ZIP archive");
    const size_t first = bytes_.size() - std::min(bytes_.size(), kEndBytes + 65535);
    for (size_t at = bytes_.size() - kEndBytes + 1; at-- > first;) {
      if (bytes_.substr(at, 4) != kEndSignature) continue;
      if (zip_number_at<uint16_t>(bytes_, at + 4) != 0) fail("an archive of several parts");
      count_ = zip_number_at<uint16_t>(bytes_, at + 10);
      const size_t directory = zip_number_at<uint32_t>(bytes_, at + 16);
      if (count_ == 65535 || directory == 0xFFFFFFFF) fail("archives beyond 4 GiB are not supported");
      return directory;
    }
    fail("not a ZIP archive, or cut off");
  }

  ZipEntry read_entry(size_t& at) const {
    if (at > bytes_.size() || bytes_.size() - at < kEntryBytes || bytes_.substr(at, 4) != kEntrySignature)
      fail("the directory of the archive is damaged");
    ZipEntry entry{};
    entry.flags = zip_number_at<uint16_t>(bytes_, at + 8), entry.method = zip_number_at<uint16_t>(bytes_, at + 10);
    entry.checksum = zip_number_at<uint32_t>(bytes_, at + 16), entry.packed = zip_number_at<uint32_t>(bytes_, at + 20);
    entry.unpacked = zip_number_at<uint32_t>(bytes_, at + 24), entry.offset = zip_number_at<uint32_t>(bytes_, at + 42);
    const size_t name = zip_number_at<uint16_t>(bytes_, at + 28), extra = zip_number_at<uint16_t>(bytes_, at + 30),
                 comment = zip_number_at<uint16_t>(bytes_, at + 32);
    at += kEntryBytes;
    if (bytes_.size() - at < name + extra + comment) fail("the directory of the archive is cut off");
    entry.name = bytes_.substr(at, name);
    at += name + extra + comment;
    return entry;
  }

  std::string read_member(const ZipEntry& entry) {
    const auto fail_in = [&](const std::string& what) { fail(fmt::format("'{}' {}", entry.name, what)); };
    if (entry.flags & 1) fail_in("is encrypted");
    if (entry.packed == 0xFFFFFFFF || entry.unpacked == 0xFFFFFFFF) fail_in("is larger than 4 GiB");
    const size_t at = entry.offset;
    if (at > bytes_.size() || bytes_.size() - at < kLocalBytes || bytes_.substr(at, 4) != kLocalSignature)
      fail_in("is not where the directory says");
    const size_t start =
        at + kLocalBytes + zip_number_at<uint16_t>(bytes_, at + 26) + zip_number_at<uint16_t>(bytes_, at + 28);
    if (start > bytes_.size() || bytes_.size() - start < entry.packed) fail_in("is cut off");
    inflated_ += entry.unpacked;
    if (inflated_ > most_bytes_)
      fail(fmt::format("its members have more than {} bytes, which is the limit; '{}' is the first beyond", most_bytes_,
                       entry.name));
    if (entry.unpacked / kMostExpansion > entry.packed + size_t{1})
      fail_in(fmt::format("claims {} bytes", entry.unpacked));
    const std::string_view packed = bytes_.substr(start, entry.packed);
    std::string bytes;
    if (entry.method == 0 && entry.packed == entry.unpacked)
      bytes = packed;
    else if (entry.method != Z_DEFLATED || !inflate_into(bytes, packed, entry.unpacked))
      fail_in(entry.method == 0 || entry.method == Z_DEFLATED
                  ? "is damaged"
                  : fmt::format("is packed by method {}; only stored and deflated members are read", entry.method));
    if (crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), uInt(bytes.size())) != entry.checksum)
      fail_in("is damaged: its checksum does not match");
    return bytes;
  }

  static bool inflate_into(std::string& out, std::string_view packed, size_t size) {
    out.resize(size);
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();  // raw, without zlib's header
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = uInt(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = uInt(size);
    const int result = inflate(&stream, Z_FINISH);
    const bool is_whole = result == Z_STREAM_END && stream.total_out == size;
    inflateEnd(&stream);
    return is_whole;
  }

  std::string_view bytes_;
  const std::string& file_;
  size_t most_bytes_;
  int count_ = 0;
  size_t inflated_ = 0;
};

std::string deflated(const std::string& bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = uInt(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = uInt(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace

const std::size_t kMostInflated = size_t(kMostNumbers) * 8;

bool is_zip(std::string_view bytes) { return bytes.starts_with(kLocalSignature) || bytes.starts_with(kEndSignature); }

std::vector<ZipMember> parse_zip(std::string_view bytes, const std::string& file, std::size_t most_bytes) {
  return ZipReader(bytes, file, most_bytes).read();
}

std::string format_zip(const std::vector<ZipMember>& members, ZipMethod method) {
  constexpr uint16_t kVersion = 20, kFirstDay = 1 << 5 | 1;  // 1 January 1980: the same bytes at any time
  std::string archive, directory;
  for (const ZipMember& member : members) {
    if (member.bytes.size() >= 0xFFFFFFFFu || archive.size() >= 0xFFFFFFFFu - member.bytes.size())
      throw Error("archives beyond 4 GiB are not supported");
    const bool is_packed = method == ZipMethod::kDeflated;
    const std::string packed = is_packed ? deflated(member.bytes) : member.bytes;
    std::string common;  // what the local header and the directory share
    append_number<uint16_t>(common, kVersion), append_number<uint16_t>(common, 0);
    append_number<uint16_t>(common, is_packed ? Z_DEFLATED : 0);
    append_number<uint16_t>(common, 0), append_number<uint16_t>(common, kFirstDay);
    append_number<uint32_t>(
        common, uint32_t(crc32(0, reinterpret_cast<const Bytef*>(member.bytes.data()), uInt(member.bytes.size()))));
    append_number<uint32_t>(common, uint32_t(packed.size())),
        append_number<uint32_t>(common, uint32_t(member.bytes.size()));
    append_number<uint16_t>(common, uint16_t(member.name.size())), append_number<uint16_t>(common, 0);
    const uint32_t offset = uint32_t(archive.size());
    archive += kLocalSignature;
    archive += common + member.name + packed;
    directory += kEntrySignature;
    append_number<uint16_t>(directory, kVersion);
    directory += common;
    append_number<uint16_t>(directory, 0), append_number<uint16_t>(directory, 0), append_number<uint16_t>(directory, 0);
    append_number<uint32_t>(directory, 0), append_number<uint32_t>(directory, offset);
    directory += member.name;
  }
  const uint32_t start = uint32_t(archive.size());
  archive += directory;
  archive += kEndSignature;
  append_number<uint16_t>(archive, 0), append_number<uint16_t>(archive, 0);
  append_number<uint16_t>(archive, uint16_t(members.size())),
      append_number<uint16_t>(archive, uint16_t(members.size()));
  append_number<uint32_t>(archive, uint32_t(directory.size())), append_number<uint32_t>(archive, start);
  append_number<uint16_t>(archive, 0);
  return archive;
}

}  // namespace torsor
