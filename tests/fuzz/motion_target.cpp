// Motion files (BVH, NPZ, CSV, binary) from bytes to a clip that is edited and written. The first byte says which
// format.
#include <string>

#include "fuzz.hpp"
#include "torsor/core/error.hpp"
#include "torsor/format/binary/checksum.hpp"
#include "torsor/format/motion/edit.hpp"
#include "torsor/format/motion/library.hpp"
#include "torsor/format/motion/read.hpp"

namespace {

// The header and the checksum are right, so that the contents are reached.
std::string binary_clip(std::string_view contents) {
  using namespace torsor;
  std::string bytes("\x89TMOTION", 8);
  const uint32_t version = 1, byte_order = 0x01020304;
  const uint64_t length = 24 + contents.size() + 8;
  bytes.append(reinterpret_cast<const char*>(&version), 4).append(reinterpret_cast<const char*>(&byte_order), 4);
  bytes.append(reinterpret_cast<const char*>(&length), 8).append(contents);
  const uint64_t sum = checksum(bytes);
  return bytes.append(reinterpret_cast<const char*>(&sum), 8);
}

torsor::MotionClip read_any(uint8_t kind, std::string_view contents) {
  using namespace torsor;
  MotionReadOptions options;
  options.quat_order = QuatOrder::kWxyz, options.up = UpAxis::kY, options.fps = kind < 128 ? 30 : 0;
  switch (kind % 4) {
    case 0:
      return parse_bvh(contents, {0.01, UpAxis::kY, "zxy"});
    case 1:
      return parse_motion_npz(contents, options, "clip.npz");
    case 2:
      options.fps = 30;
      return parse_motion_csv(contents, options, "clip.csv");
    default:
      return parse_motion_binary(binary_clip(contents));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace torsor;
  if (size == 0) return 0;
  try {
    const MotionClip clip = read_any(bytes[0], fuzz::text_of(bytes + 1, size - 1));
    if (clip.frames > 200 || clip.dofs > 200 || clip.nbody() > 200) return 0;
    parse_motion_binary(format_motion_binary(clip));
    parse_motion_npz(format_motion_npz(sonic_fields(clip), ZipMethod::kDeflated), {}, "again.npz");
    compute_velocities(clip);
    change_speed(clip, 1.5);
    MotionLibrary<float> library(std::span(&clip, 1));
    if (clip.nbody() > 0 && clip.has_tree) parse_bvh(format_bvh(clip, {1, UpAxis::kZ, "xyz"}), {1, UpAxis::kZ, "xyz"});
    mirror(clip, {std::vector<int>(size_t(clip.dofs), 0), std::vector<double>(size_t(clip.dofs), 1)}, 1);
  } catch (const Error&) {
  }
  return 0;
}
