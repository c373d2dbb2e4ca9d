// ZIP archives in memory, as NPZ and MJZ files are: members that are stored or deflated. Encrypted archives, those of
// several parts and members beyond 4 GiB are rejected.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torsor {

struct ZipMember {
  std::string name;
  std::string bytes;
};

// Bytes of all members together, unless a caller has another limit: those of a clip.
extern const std::size_t kMostInflated;

// The members in the order of the archive's directory. Throws an Error for damaged archives (checksums included) and
// for members that would together have more bytes than `most_bytes`, before they are unpacked.
std::vector<ZipMember> parse_zip(std::string_view bytes, const std::string& file = "archive",
                                 std::size_t most_bytes = kMostInflated);

enum class ZipMethod : char { kStored, kDeflated };
std::string format_zip(const std::vector<ZipMember>& members, ZipMethod method);

// Whether bytes have the signature of an archive.
bool is_zip(std::string_view bytes);

}  // namespace torsor
