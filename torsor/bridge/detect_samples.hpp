// Samples of a log, checked and made comparable, and the windows through which poses and velocities are compared.
#pragma once

#include <vector>

#include "torsor/bridge/log_columns.hpp"
#include "torsor/math/quat.hpp"

namespace torsor::detection {

using Vec = Vec3<double>;

struct Four {
  double of[4];
};

struct Samples {
  std::vector<double> t;
  std::vector<Vec> p;
  std::vector<Four> q;             // unit length, no jumps from q to -q, elements as the columns stand
  std::vector<Vec> first, second;  // of the twist, as the columns stand; empty if there is none
  double step = 0;                 // median of the time between samples
  size_t gaps = 0;                 // places where samples are missing
  // variances of white noise, summed over the channels of each
  double q_noise = 0, first_noise = 0, second_noise = 0;

  size_t size() const { return t.size(); }
};

// Throws an Error for numbers that cannot be a log; `rotation_first` splits the seven numbers of a pose the other way.
Samples make_samples(const LogColumns& log, bool rotation_first);
void check_log(const LogColumns& log);

// Whether the four numbers keep one length, as a quaternion does: the deviation from their mean length, as a part of
// it.
double length_spread(const LogColumns& log, bool rotation_first);

// A smooth bump over each window: f = cos^4(pi (t - middle) / T), zero with three derivatives at both ends. For any x
// with rate v, the integral of f' x is minus that of f v. Noise is averaged over the window, nothing is differentiated,
// and sums over samples integrate almost exactly as long as the samples resolve the motion.
struct Window {
  size_t first, count;  // samples
  size_t weights;       // where its weights start
};
struct Windows {
  double length = 0;  // seconds
  std::vector<Window> list{};
  std::vector<double> f{}, df{}, ddf{};  // f, f' and f'' at the samples, times the step of time there
  // means over windows of the sums of df^2 and f^2: how much of white noise is seen through them
  double noise = 0, f_noise = 0;
};
inline constexpr size_t kFewestWindows = 12;  // that say something about their noise

Windows make_windows(const Samples& samples, double length);
// Lengths that the log has enough samples and duration for.
std::vector<double> window_lengths(const Samples& samples);

// How far the body turns from one sample to the next, at most, leaving out the wildest hundredth; radians.
double turning_per_sample(const Samples& samples);
// Whether rotation or angular velocity change more than white noise does, seen through the windows.
bool holds_rotation(const Samples& samples, const Windows& windows, bool swapped);

}  // namespace torsor::detection
