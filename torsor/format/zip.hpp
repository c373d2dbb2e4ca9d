// ZIP archives in memory, as NPZ files are: members that are stored or deflated. Encrypted archives, those of several
// parts and members beyond 4 GiB are rejected.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torsor {

struct ZipMember {
  std::string name;
  std::string bytes;
};

// The members in the order of the archive's directory. Throws an Error for damaged archives (checksums included) and
// for members that would be larger than the limits of a clip.
std::vector<ZipMember> parse_zip(std::string_view bytes, const std::string& file = "archive");

enum class ZipMethod : char { kStored, kDeflated };
std::string format_zip(const std::vector<ZipMember>& members, ZipMethod method);

// Whether bytes have the signature of an archive.
bool is_zip(std::string_view bytes);

}  // namespace torsor
