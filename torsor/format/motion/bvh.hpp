// BVH: a hierarchy of joints with offsets, then one line of channel values per frame. Convention row: bvh.
//
// The format has no unit of length, so the caller gives one. Angles are in degrees; rotations of a joint are multiplied
// in the order of its channels, about moving axes. Position channels are the position in the parent and replace OFFSET.
// World axes are y up unless the caller says otherwise; a clip has z up: (x, y, z) becomes (x, -z, y).
#pragma once

#include <string>
#include <string_view>

#include "torsor/format/motion/clip.hpp"

namespace torsor {

// The vertical axis of a file's world.
enum class UpAxis : char { kUnspecified, kY, kZ };

constexpr const char* kBvhUnitHint = "pass unit='cm', or --unit cm: m, cm, mm, inch, foot, or metres per unit";

struct BvhOptions {
  double unit = 0;  // metres in the file's unit of length; must be positive
  UpAxis up = UpAxis::kY;
  std::string rotations = "zxy";  // for writing: the order of the rotation channels, MuJoCo's spelling (moving axes)
};

// Throws an Error with line and column for text that is not BVH, and for frames that do not match the hierarchy.
MotionClip parse_bvh(std::string_view text, const BvhOptions& options, const std::string& file = "clip.bvh");

// Numbers have as many digits as they need to be read back exactly. Throws an Error for a clip without bodies.
std::string format_bvh(const MotionClip& clip, const BvhOptions& options);

// Turns the world of a whole clip from that of a file to ours, and back: root positions and rotations. (x, y, z) of a
// y-up world is (x, -z, y), exactly.
void to_z_up(MotionClip& clip, UpAxis up);
void from_z_up(MotionClip& clip, UpAxis up);

}  // namespace torsor
