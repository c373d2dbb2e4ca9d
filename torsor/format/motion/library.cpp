#include "torsor/format/motion/library.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "torsor/convention/rotations.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

template <class T>
void append(std::vector<T>& all, const std::vector<double>& more) {
  for (const double value : more) all.push_back(static_cast<T>(value));
}

void check_figure(const MotionClip& first, const MotionClip& clip, size_t i) {
  bool is_same = first.dofs == clip.dofs && first.joint_names == clip.joint_names && first.nbody() == clip.nbody();
  for (size_t b = 0; is_same && b < clip.bodies.size(); ++b) is_same = first.bodies[b].name == clip.bodies[b].name;
  if (!is_same) {
    throw Error(
        fmt::format("clip {} ('{}') is of another figure than clip 0 ('{}'): {} and {} joints, {} and {} bodies, or "
                    "other names or orders",
                    i, clip.name, first.name, clip.dofs, first.dofs, clip.nbody(), first.nbody()));
  }
}

// Between two unit quaternions, in the precision of T.
template <class T>
void blend_rotation(const T* a, const T* b, T weight, T* out) {
  const Quat<double> p = load4<double>(a), q = load4<double>(b);
  const Quat<double> result = rotations::slerp(p, q, double(weight));
  out[0] = T(result.w), out[1] = T(result.x), out[2] = T(result.y), out[3] = T(result.z);
}

}  // namespace

template <class T>
MotionLibrary<T>::MotionLibrary(std::span<const MotionClip> clips, double sigma) {
  if (clips.empty()) throw Error("a library needs at least one clip");
  dofs_ = clips[0].dofs, nbody_ = clips[0].nbody();
  size_t first = 0;
  for (size_t i = 0; i < clips.size(); ++i) {
    const MotionClip& clip = clips[i];
    check_figure(clips[0], clip, i);
    const MotionVelocities velocities = compute_velocities(clip, sigma);
    clips_.push_back({first, clip.frames, clip.fps, clip.duration()});
    first += size_t(clip.frames);
    append(root_pos_, clip.root_pos), append(root_quat_, clip.root_quat), append(dof_, clip.dof);
    append(root_linear_, velocities.root_linear), append(root_angular_, velocities.root_angular);
    append(dof_vel_, velocities.dof), append(body_quat_, clip.body_quat);
  }
}

template <class T>
typename MotionLibrary<T>::Place MotionLibrary<T>::find_place(const Clip& clip, double time,
                                                              MotionEnding ending) const {
  if (ending == MotionEnding::kRepeat && clip.duration > 0) time -= std::floor(time / clip.duration) * clip.duration;
  const double place = place_in_frames(time, clip.fps, clip.frames);
  const size_t a = clip.first + size_t(place), last = clip.first + size_t(clip.frames) - 1;
  return {a, std::min(a + 1, last), T(place - std::floor(place))};
}

template <class T>
void MotionLibrary<T>::sample(const std::int64_t* clips, const T* times, size_t count, const MotionSamples<T>& out,
                              MotionEnding ending) const {
  for (size_t i = 0; i < count; ++i) {
    if (clips[i] < 0 || clips[i] >= std::int64_t(clips_.size()))
      throw Error(fmt::format("sample {}: clip {} does not exist, there are {}", i, clips[i], clips_.size()));
    if (!std::isfinite(times[i])) throw Error(fmt::format("sample {}: the time is {}", i, times[i]));
  }
  const size_t dofs = size_t(dofs_), bodies = size_t(nbody_);
  for (size_t i = 0; i < count; ++i) {
    const Place place = find_place(clips_[size_t(clips[i])], double(times[i]), ending);
    const auto linear = [&](const std::vector<T>& rows, T* to, size_t width) {
      if (!to) return;
      const T *a = rows.data() + place.a * width, *b = rows.data() + place.b * width;
      for (size_t k = 0; k < width; ++k) to[i * width + k] = a[k] + place.weight * (b[k] - a[k]);
    };
    linear(root_pos_, out.root_pos, 3);
    linear(dof_, out.dof, dofs);
    linear(root_linear_, out.root_linear, 3);
    linear(root_angular_, out.root_angular, 3);
    linear(dof_vel_, out.dof_vel, dofs);
    if (out.root_quat)
      blend_rotation(&root_quat_[place.a * 4], &root_quat_[place.b * 4], place.weight, out.root_quat + i * 4);
    for (size_t b = 0; out.body_quat && b < bodies; ++b) {
      blend_rotation(&body_quat_[(place.a * bodies + b) * 4], &body_quat_[(place.b * bodies + b) * 4], place.weight,
                     out.body_quat + (i * bodies + b) * 4);
    }
  }
}

template class MotionLibrary<float>;
template class MotionLibrary<double>;

}  // namespace torsor
