// SMPL's axis-angle poses in named arrays. Convention row: smpl.
#include <array>

#include <fmt/format.h>

#include "torsor/core/error.hpp"
#include "torsor/format/motion/field_reader.hpp"

namespace torsor {
namespace {

using motion::FieldReader;

// The joints of SMPL; SMPL-H and SMPL-X share the first 22 and continue with the face and the fingers.
constexpr std::array<const char*, 24> kSmplNames = {
    "pelvis",     "left_hip",    "right_hip",    "spine1",      "left_knee",     "right_knee",
    "spine2",     "left_ankle",  "right_ankle",  "spine3",      "left_foot",     "right_foot",
    "neck",       "left_collar", "right_collar", "head",        "left_shoulder", "right_shoulder",
    "left_elbow", "right_elbow", "left_wrist",   "right_wrist", "left_hand",     "right_hand"};
constexpr std::array<int, 24> kSmplParents = {-1, 0, 0, 0,  1,  2,  3,  4,  5,  6,  7,  8,
                                              9,  9, 9, 12, 13, 14, 16, 17, 18, 19, 20, 21};
constexpr std::array<const char*, 5> kFingers = {"index", "middle", "pinky", "ring", "thumb"};
constexpr int kSmplShared = 22, kHead = 15, kLeftWrist = 20, kRightWrist = 21;

constexpr const char* kSmplCounts = "SMPL has 24 joints (or 22 without hands), SMPL-H 52, SMPL-X 55";

// Empty unless there is a body model with so many joints.
std::vector<MotionBody> make_bodies(size_t count) {
  std::vector<MotionBody> bodies;
  const auto add = [&](const std::string& name, int parent) {
    bodies.push_back({name, parent, {0, 0, 0}, Quat<double>::identity()});
  };
  const bool has_hands = count == 52 || count == 55;
  if (count != 22 && count != 24 && !has_hands) return {};
  for (size_t b = 0; b < (has_hands ? kSmplShared : count); ++b) add(kSmplNames[b], kSmplParents[b]);
  if (count == 55) add("jaw", kHead), add("left_eye", kHead), add("right_eye", kHead);
  for (const auto& [side, wrist] : {std::pair{"left", kLeftWrist}, std::pair{"right", kRightWrist}}) {
    for (size_t finger = 0; has_hands && finger < kFingers.size(); ++finger) {
      for (int part = 1; part <= 3; ++part)
        add(fmt::format("{}_{}{}", side, kFingers[finger], part), part == 1 ? wrist : int(bodies.size()) - 1);
    }
  }
  return bodies;
}

// All rotation vectors frame by frame, from one field or from its parts.
std::vector<double> read_poses(const FieldReader& reader, size_t frames) {
  const motion::Names whole{"poses", "pose_aa"};
  if (reader.has(whole)) return reader.rows(whole, frames, 3);
  std::vector<std::vector<double>> parts{reader.rows({"global_orient", "root_orient"}, frames, 3)};
  if (parts[0].size() != frames * 3) reader.fail("global_orient must have 3 numbers per frame");
  parts.push_back(reader.rows({"body_pose", "pose_body"}, frames, 3));
  for (const char* name : {"pose_jaw", "pose_eye", "pose_hand"}) {
    if (reader.has({name})) parts.push_back(reader.rows({name}, frames, 3));
  }
  std::vector<double> poses;
  for (size_t f = 0; f < frames; ++f) {
    for (const std::vector<double>& part : parts) {
      const size_t width = part.size() / frames;
      poses.insert(poses.end(), part.begin() + long(f * width), part.begin() + long((f + 1) * width));
    }
  }
  return poses;
}

}  // namespace

MotionClip motion::smpl_clip(const FieldReader& reader) {
  MotionClip clip;
  clip.convention = "smpl";
  clip.fps = reader.rate({"mocap_framerate", "mocap_frame_rate", "fps"});
  const bool is_archive = reader.has({"mocap_framerate", "mocap_frame_rate"}) && reader.find_text({"up"}).empty();
  if (is_archive && reader.options().up == UpAxis::kUnspecified)
    reader.fail("the vertical axis is not known: SMPL has y up, but archives of motion capture (AMASS) have z up",
                "pass up='y' or up='z'");
  const size_t frames = reader.length({"trans", "transl"});
  const std::vector<double> poses = read_poses(reader, frames);
  clip.bodies = make_bodies(poses.size() / frames / 3);
  if (clip.bodies.empty()) reader.fail(fmt::format("poses of {} joints; {}", poses.size() / frames / 3, kSmplCounts));
  set_frames(clip, int(frames));
  clip.root_pos = reader.numbers({"trans", "transl"}, {frames, 3});
  for (size_t i = 0; i < poses.size() / 3; ++i)
    store4(&clip.body_quat[i * 4], quat_from_rotation_vector(load3(&poses[i * 3])));
  for (size_t f = 0; f < frames; ++f) store4(&clip.root_quat[f * 4], clip.rotation(int(f), 0));
  to_z_up(clip, reader.up_or(UpAxis::kY));
  return clip;
}

MotionFields smpl_fields(const MotionClip& clip, UpAxis up) {
  if (clip.bodies.empty())
    throw Error("SMPL describes rotations of bodies, and the clip has none: it has joint coordinates only");
  const std::vector<MotionBody> known = make_bodies(clip.bodies.size());
  if (known.empty()) throw Error(fmt::format("the clip has {} bodies; {}", clip.nbody(), kSmplCounts));
  std::vector<std::string> names;
  for (const MotionBody& body : known) names.push_back(body.name);
  MotionClip turned = reorder_bodies(clip, names);
  from_z_up(turned, up);
  const size_t frames = size_t(clip.frames), bodies = clip.bodies.size();
  NpyArray poses{{frames, bodies * 3}, {}, {}, false};
  for (size_t i = 0; i < turned.body_quat.size(); i += 4) {
    const Vec3<double> v = rotation_vector(load4(&turned.body_quat[i]));
    poses.numbers.insert(poses.numbers.end(), {v.x, v.y, v.z});
  }
  MotionFields fields;
  fields["poses"] = poses;
  fields["trans"] = {{frames, 3}, turned.root_pos, {}, false};
  fields["mocap_framerate"] = {{}, {clip.fps}, {}, false};
  fields["up"] = {{}, {}, {up == UpAxis::kZ ? "z" : "y"}, true};
  return fields;
}

}  // namespace torsor
