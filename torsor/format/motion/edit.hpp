// Operations on clips. All return a new clip of the same figure.
#pragma once

#include <algorithm>
#include <cmath>

#include "torsor/format/motion/clip.hpp"

namespace torsor {

// --- time ----------------------------------------------------------------------------------------------------------
// A time as a number of frames, held at the ends. Within 1e-9 of a frame it is that frame, so that a clip sampled at
// its own times is the clip.
inline double place_in_frames(double time, double fps, int frames) {
  const double place = std::clamp(time * fps, 0.0, double(frames - 1)), nearest = std::round(place);
  return std::abs(place - nearest) < 1e-9 ? nearest : place;
}

// The pose at a time between two frames: rotations by slerp, everything else linear. Times before the first frame and
// after the last one give that frame. `out` is a clip of the same figure; its frame `to` is written.
void sample(const MotionClip& clip, double time, MotionClip& out, int to);

// The same motion at another rate, from the first frame to the last one that the rate reaches.
MotionClip resample(const MotionClip& clip, double fps);
// Frames from `first` up to, but not including, `end`.
MotionClip trim(const MotionClip& clip, int first, int end);
// The poses at these times, in seconds, as the frames of a clip at the rate of this one.
MotionClip warp(const MotionClip& clip, std::span<const double> times);
// The motion `factor` times as fast, at the same rate.
MotionClip change_speed(const MotionClip& clip, double factor);

// --- joining -------------------------------------------------------------------------------------------------------
struct ConcatenateOptions {
  int blend = 0;      // frames at the end of the first clip that fade into as many at the start of the second
  bool align = true;  // moves the second clip on the ground, and turns it about z, to go on where the first one ends
};
// Throws an Error unless both clips are of the same figure at the same rate.
MotionClip concatenate(const MotionClip& a, const MotionClip& b, const ConcatenateOptions& options = {});

// --- mirror --------------------------------------------------------------------------------------------------------
// How the joints of the left and right side correspond: joint i of the mirrored clip is sign[i] * joint from[i].
struct JointMirror {
  std::vector<int> from;
  std::vector<double> sign;
};
// Partners by name: left and right, Left and Right, L and R between separators. A name without a side is its own
// partner. Throws an Error that lists names whose other side is missing.
std::vector<int> find_partners(std::span<const std::string> names);
// For robots whose joint names say the axis, as those of Unitree do: pitch and knee and elbow keep their sign, roll and
// yaw change it. Throws an Error that lists names of which this says nothing; mirror_joints(model) in bridge/ needs no
// names of axes.
JointMirror mirror_joints_by_name(std::span<const std::string> names);

// Reflects the motion in the plane y = 0 of the world. `lateral` is the axis of the bodies' own frames that points to
// the left or right: 1 (y) for frames with x forward, 0 (x) for those of BVH and SMPL.
MotionClip mirror(const MotionClip& clip, const JointMirror& joints, int lateral);

// --- axes ----------------------------------------------------------------------------------------------------------
// SMPL's bodies have x to the left, y up and z forward; ours x forward, y left, z up. A body of SMPL that stands
// upright and faces x is rotated by this.
inline constexpr Quat<double> kSmplBaseRotation{0.5, 0.5, 0.5, 0.5};
// The same motion in frames of bodies with other axes: every frame B becomes B', where q_BB' is the inverse of `base`.
// The upright pose, q_WB = base, becomes no rotation.
MotionClip remove_base_rotation(const MotionClip& clip, const Quat<double>& base = kSmplBaseRotation);
MotionClip add_base_rotation(const MotionClip& clip, const Quat<double>& base = kSmplBaseRotation);

// --- velocities ----------------------------------------------------------------------------------------------------
// Per frame, in W's axes: p_WoRo_W's rate, the angular velocity of the root, the rates of the joints.
struct MotionVelocities {
  std::vector<double> root_linear, root_angular, dof;
};
// Central differences (one-sided at the ends), then a Gaussian of `sigma` frames, cut at 4 sigma, that repeats the
// first and last value beyond the ends; 0 means no filter. All are zero for a clip of one frame.
inline constexpr double kDefaultSigma = 2;
MotionVelocities compute_velocities(const MotionClip& clip, double sigma = kDefaultSigma);
// The differences alone, for rows of `width` numbers, and for rows of `count` quaternions: angular velocities in W's
// axes.
std::vector<double> difference_rows(const std::vector<double>& rows, size_t width, int frames, double fps);
std::vector<double> difference_rotations(const std::vector<double>& quats, size_t count, int frames, double fps);
// The filter, for rows of `width` numbers.
void filter_gaussian(std::vector<double>& rows, size_t width, double sigma);

}  // namespace torsor
