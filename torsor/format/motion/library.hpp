// MotionLibrary: many clips of one figure, sampled at many times in one call, in single or double precision.
//
//   const MotionLibrary<float> library(clips);
//   library.sample(clip_ids, times, count, {.root_pos = positions, .dof = angles});   // no allocation
#pragma once

#include <cstdint>

#include "torsor/format/motion/clip.hpp"
#include "torsor/format/motion/edit.hpp"

namespace torsor {

// Where the samples go, one row after the other. A null pointer leaves that quantity out.
template <class T>
struct MotionSamples {
  T* root_pos = nullptr;      // 3 per sample: p_WoRo_W
  T* root_quat = nullptr;     // 4: q_WR
  T* dof = nullptr;           // dofs
  T* root_linear = nullptr;   // 3: v_WRo_W
  T* root_angular = nullptr;  // 3: w_WR_W
  T* dof_vel = nullptr;       // dofs
  T* body_quat = nullptr;     // 4 per body: rotation by the body's joints
};

// What happens at times outside of a clip: the first or last frame, or the clip starts again.
enum class MotionEnding : char { kHold, kRepeat };

template <class T>
class MotionLibrary {
 public:
  // Throws an Error unless there is a clip, and all are of the same figure: names, orders, bodies. Rates may differ.
  explicit MotionLibrary(std::span<const MotionClip> clips, double sigma = kDefaultSigma);

  int size() const { return static_cast<int>(clips_.size()); }
  int dofs() const { return dofs_; }
  int nbody() const { return nbody_; }
  double duration(int clip) const { return clips_[size_t(clip)].duration; }
  double fps(int clip) const { return clips_[size_t(clip)].fps; }
  int frames(int clip) const { return clips_[size_t(clip)].frames; }

  // Rotations by slerp, everything else linear. Does not allocate. Throws an Error, before anything is written, for an
  // unknown clip or a time that is not finite.
  void sample(const std::int64_t* clips, const T* times, size_t count, const MotionSamples<T>& out,
              MotionEnding ending = MotionEnding::kHold) const;

 private:
  struct Clip {
    size_t first;  // frame in the arrays
    int frames;
    double fps, duration;
  };
  struct Place {
    size_t a, b;  // frames
    T weight;
  };
  Place find_place(const Clip& clip, double time, MotionEnding ending) const;

  int dofs_ = 0, nbody_ = 0;
  std::vector<Clip> clips_;
  std::vector<T> root_pos_, root_quat_, dof_, root_linear_, root_angular_, dof_vel_, body_quat_;
};

extern template class MotionLibrary<float>;
extern template class MotionLibrary<double>;

}  // namespace torsor
