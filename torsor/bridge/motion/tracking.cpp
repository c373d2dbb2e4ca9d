// Errors between two motions.
#include "torsor/bridge/motion/tracking.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "torsor/convention/rotations.hpp"

namespace torsor {
namespace {

class Tally {
 public:
  explicit Tally(ErrorStatistic& statistic) : statistic_(statistic) {}
  ~Tally() { statistic_.mean = count_ > 0 ? sum_ / count_ : 0; }
  void add(double error) { sum_ += error, ++count_, statistic_.largest = std::max(statistic_.largest, error); }

 private:
  ErrorStatistic& statistic_;
  double sum_ = 0;
  int count_ = 0;
};

// The other clip at the times of the reference, with its joints in the same order; both cut to the time they share.
void make_comparable(MotionClip& reference, MotionClip& other) {
  const double end = std::min(reference.duration(), other.duration());
  const int frames = std::min(reference.frames, int(std::floor(end * reference.fps * (1 + 1e-12) + 1e-9)) + 1);
  reference = trim(reference, 0, frames);
  std::vector<double> times;
  for (int f = 0; f < frames; ++f) times.push_back(f / reference.fps);
  other = warp(other, times);
  other.fps = reference.fps;
  if (!reference.joint_names.empty() && !other.joint_names.empty()) other = reorder(other, reference.joint_names);
  if (reference.dofs != other.dofs)
    throw Error(fmt::format("the clips have {} and {} joints", reference.dofs, other.dofs));
}

void compare_roots_and_joints(const MotionClip& a, const MotionClip& b, TrackingErrors& errors) {
  errors.frames = a.frames;
  Tally position(errors.root_position), rotation(errors.root_rotation), joint(errors.joint);
  for (int f = 0; f < a.frames; ++f) {
    position.add(norm(a.p_WoRo_W(f) - b.p_WoRo_W(f)));
    rotation.add(rotations::angle_between(a.q_WR(f), b.q_WR(f)));
    for (size_t j = 0; j < size_t(a.dofs); ++j) joint.add(std::abs(a.dof_of(f)[j] - b.dof_of(f)[j]));
  }
}

// A position relative to the root's place and heading.
Vec3<double> local_of(const MotionClip& clip, int frame, const Vec3<double>& p_WoBo_W) {
  return rotate_inverse(rotations::heading_quat(clip.q_WR(frame)), p_WoBo_W - clip.p_WoRo_W(frame));
}

void compare_bodies(const MotionClip& a, const BodyPoses& pa, const MotionClip& b, const BodyPoses& pb, int first,
                    TrackingErrors& errors) {
  Tally position(errors.body_position), local(errors.body_local), rotation(errors.body_rotation),
      velocity(errors.body_velocity), acceleration(errors.body_acceleration);
  const auto gap = [&](int f, int body) { return pa.p_WoBo_W(f, body) - pb.p_WoBo_W(f, body); };
  for (int f = 0; f < a.frames; ++f) {
    for (int body = first; body < pa.nbody; ++body) {
      position.add(norm(gap(f, body)));
      local.add(norm(local_of(a, f, pa.p_WoBo_W(f, body)) - local_of(b, f, pb.p_WoBo_W(f, body))));
      rotation.add(rotations::angle_between(pa.q_WB(f, body), pb.q_WB(f, body)));
      if (f > 0) velocity.add(norm(gap(f, body) - gap(f - 1, body)) * a.fps);
      if (f > 1) acceleration.add(norm(gap(f, body) - gap(f - 1, body) * 2.0 + gap(f - 2, body)) * a.fps * a.fps);
    }
  }
}

BodyPoses skeleton_of(const MotionClip& clip) {
  BodyPoses poses;
  poses.nbody = clip.nbody();
  poses.pos.resize(size_t(clip.frames) * clip.bodies.size() * 3),
      poses.quat.resize(size_t(clip.frames) * clip.bodies.size() * 4);
  for (int f = 0; f < clip.frames; ++f)
    skeleton_poses(clip, f, &poses.pos[size_t(f) * clip.bodies.size() * 3],
                   &poses.quat[size_t(f) * clip.bodies.size() * 4]);
  return poses;
}

}  // namespace

TrackingErrors compare_clips(const Model& model, const MotionClip& reference, const MotionClip& other) {
  MotionClip a = reference, b = other;
  make_comparable(a, b);
  TrackingErrors errors;
  compare_roots_and_joints(a, b, errors);
  const int root = std::max(ClipOnModel(model, a, true).root_body(), 1);
  compare_bodies(a, body_poses(model, a, true), b, body_poses(model, b, true), root, errors);
  return errors;
}

TrackingErrors compare_clips(const MotionClip& reference, const MotionClip& other) {
  MotionClip a = reference, b = other;
  make_comparable(a, b);
  TrackingErrors errors;
  compare_roots_and_joints(a, b, errors);
  if (a.bodies.empty() || b.bodies.empty() || !a.has_tree || !b.has_tree) return errors;
  std::vector<std::string> names;
  for (const MotionBody& body : a.bodies) names.push_back(body.name);
  b = reorder_bodies(b, names);
  compare_bodies(a, skeleton_of(a), b, skeleton_of(b), 0, errors);
  return errors;
}

std::string to_text(const TrackingErrors& errors) {
  std::string text = fmt::format("{:<24}{:>12}{:>12}\n", "error", "mean", "largest");
  const auto line = [&](const char* name, const ErrorStatistic& value, double scale, const char* unit) {
    text += fmt::format("{:<24}{:>12.4g}{:>12.4g}  {}\n", name, value.mean * scale, value.largest * scale, unit);
  };
  line("joints", errors.joint, 1, "rad");
  line("root position", errors.root_position, 1000, "mm");
  line("root rotation", errors.root_rotation, 180 / M_PI, "deg");
  line("body position", errors.body_position, 1000, "mm");
  line("body position, local", errors.body_local, 1000, "mm");
  line("body rotation", errors.body_rotation, 180 / M_PI, "deg");
  line("body velocity", errors.body_velocity, 1000, "mm/s");
  line("body acceleration", errors.body_acceleration, 1000, "mm/s^2");
  return text;
}

}  // namespace torsor
