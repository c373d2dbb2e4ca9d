// Samples of a log, checked and normalised, and the windows over which poses and velocities are compared.
#pragma once

#include <vector>

#include "torsor/bridge/detect/log_columns.hpp"
#include "torsor/math/quat.hpp"

namespace torsor::detection {

using Vec = Vec3<double>;

struct Four {
  double of[4];
};

struct Samples {
  std::vector<double> t;
  std::vector<Vec> p;
  std::vector<Four> q;             // unit length, no jumps from q to -q, in the order of the columns
  std::vector<Vec> first, second;  // of the twist, in the order of the columns; empty if there is none
  double step = 0;                 // median of the time between samples
  size_t gaps = 0;                 // places where samples are missing
  // variances of white noise, summed over the channels of each
  double q_noise = 0, first_noise = 0, second_noise = 0;

  size_t size() const { return t.size(); }
};

// Throws an Error for numbers that cannot be a log; `rotation_first` splits the seven numbers of a pose the other way.
Samples make_samples(const LogColumns& log, bool rotation_first);
void check_log(const LogColumns& log);

// How constant the length of the four numbers is, as it is for a quaternion: the relative deviation from the mean
// length.
double length_spread(const LogColumns& log, bool rotation_first);

// A smooth bump over each window: f = cos^4(pi (t - middle) / T), zero with three derivatives at both ends. For any x
// with rate v, the integral of f' x is minus that of f v. This averages noise over the window, needs no derivatives of
// data, and sums over samples are almost exact as long as the samples resolve the motion.
struct Window {
  size_t first, count;  // samples
  size_t weights;       // where its weights start
};
struct Windows {
  double length = 0;  // seconds
  std::vector<Window> list{};
  std::vector<double> f{}, df{}, ddf{};  // f, f' and f'' at the samples, times the step of time there
  // means over windows of the sums of df^2 and f^2: the gain for white noise
  double noise = 0, f_noise = 0;
};
inline constexpr size_t kFewestWindows = 12;  // needed to estimate noise

Windows make_windows(const Samples& samples, double length);
// Window lengths for which the log has enough samples and duration.
std::vector<double> window_lengths(const Samples& samples);

// The largest rotation between successive samples, without the largest 1 %; radians.
double turning_per_sample(const Samples& samples);
// Whether rotation or angular velocity, integrated over the windows, change more than white noise does.
bool holds_rotation(const Samples& samples, const Windows& windows, bool swapped);

}  // namespace torsor::detection
