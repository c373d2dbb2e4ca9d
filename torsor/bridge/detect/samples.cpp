#include "torsor/bridge/detect/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/core/error.hpp"

namespace torsor::detection {
namespace {

constexpr double kGap = 1.8;           // times the usual step: a sample is missing
constexpr double kBridged = 1.0 / 12;  // of a window: longest gap that hardly changes a sum over it
constexpr double kWindowStep = 0.5;    // between windows, as a fraction of their length
constexpr int kFewestSamples = 7;      // in a window; cos^4 is then integrated to four digits

void check_size(size_t have, size_t want, const char* what) {
  if (have != want)
    throw Error(fmt::format("a log with this number of samples needs {} numbers of {}, not {}", want, what, have));
}

void check_finite(const std::vector<double>& values, size_t width, const char* what) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    throw Error(fmt::format("sample {} (the first is 0): {}[{}] is {}", i / width, what, i % width, values[i]));
  }
}

void check_time(const std::vector<double>& time) {
  for (size_t i = 1; i < time.size(); ++i) {
    if (time[i] > time[i - 1]) continue;
    throw Error(fmt::format("sample {} (the first is 0): time {} does not come after {}", i, time[i], time[i - 1]));
  }
}

double median_step(const std::vector<double>& t) {
  std::vector<double> steps;
  for (size_t i = 1; i < t.size(); ++i) steps.push_back(t[i] - t[i - 1]);
  std::nth_element(steps.begin(), steps.begin() + static_cast<long>(steps.size() / 2), steps.end());
  return steps[steps.size() / 2];
}

// The four numbers of sample i that are, or would be, its quaternion.
Four rotation_of(const LogColumns& log, size_t i, bool rotation_first) {
  if (log.rotation_width() == 9) {
    Four result;
    const Quat<double> q = from_mat(load9(&log.rotation[9 * i]));
    store4(result.of, q);
    return result;
  }
  const double* p = &log.position[3 * i];
  const double* r = &log.rotation[4 * i];
  if (!rotation_first) return {{r[0], r[1], r[2], r[3]}};
  return {{p[0], p[1], p[2], r[0]}};
}
Vec position_of(const LogColumns& log, size_t i, bool rotation_first) {
  return rotation_first ? load3(&log.rotation[4 * i + 1]) : load3(&log.position[3 * i]);
}

double length_of(const Four& q) {
  return std::sqrt(q.of[0] * q.of[0] + q.of[1] * q.of[1] + q.of[2] * q.of[2] + q.of[3] * q.of[3]);
}

// Normalises the quaternion, with the sign that continues the previous sample.
void continue_rotation(Samples& samples, Four q) {
  const double length = length_of(q);
  if (!(length > 1e-9)) {
    throw Error(fmt::format("sample {} (the first is 0): its quaternion is zero", samples.q.size()));
  }
  double along = 1;
  if (!samples.q.empty()) {
    along = 0;
    for (int c = 0; c < 4; ++c) along += samples.q.back().of[c] * q.of[c];
  }
  for (double& element : q.of) element /= along < 0 ? -length : length;
  samples.q.push_back(q);
}

// Variance of a signal's white noise. Third differences remove smooth motion and leave noise with 20 times its
// variance.
template <class Channel>
double white_noise(size_t count, const Channel& x) {
  double sum = 0;
  for (size_t i = 3; i < count; ++i) sum += std::pow(x(i) - 3 * x(i - 1) + 3 * x(i - 2) - x(i - 3), 2);
  return sum / 20 / static_cast<double>(std::max<size_t>(count, 4) - 3);
}
double white_noise(const std::vector<Vec>& values) {
  double sum = 0;
  for (int c = 0; c < 3; ++c) sum += white_noise(values.size(), [&](size_t i) { return values[i][c]; });
  return sum;
}
double white_noise(const std::vector<Four>& values) {
  double sum = 0;
  for (int c = 0; c < 4; ++c) sum += white_noise(values.size(), [&](size_t i) { return values[i].of[c]; });
  return sum;
}

// The mean square over windows of the integral of a channel.
template <class Channel>
double power_through(const Windows& windows, const std::vector<double>& weights, const Channel& channel) {
  double power = 0;
  for (const Window& window : windows.list) {
    double sum = 0;
    for (size_t k = 0; k < window.count; ++k)
      sum += weights[window.weights + k] * channel(window.first, window.first + k);
    power += sum * sum;
  }
  return power / static_cast<double>(std::max<size_t>(1, windows.list.size()));
}

// The starts of stretches without gaps longer than `longest`, and the end.
std::vector<size_t> stretches(const std::vector<double>& t, double longest) {
  std::vector<size_t> starts{0};
  for (size_t i = 1; i < t.size(); ++i) {
    if (t[i] - t[i - 1] > longest) starts.push_back(i);
  }
  starts.push_back(t.size());
  return starts;
}

struct Stretch {
  size_t begin, end;
};

// Weights of the samples from `first` on in a window that starts at a time.
void add_window(Windows& windows, const std::vector<double>& t, const Stretch& stretch, size_t first, double start) {
  Window window{first, 0, windows.f.size()};
  const double k = M_PI / windows.length;
  double area = 0, slope_area = 0;
  for (size_t i = first; i < stretch.end && t[i] <= start + windows.length; ++i, ++window.count) {
    const double before = i > stretch.begin ? t[i] - t[i - 1] : 0, after = i + 1 < stretch.end ? t[i + 1] - t[i] : 0;
    const double h = 0.5 * (before + after), angle = k * (t[i] - start) - 0.5 * M_PI;
    const double c = std::cos(angle), s = std::sin(angle);
    windows.f.push_back(h * c * c * c * c);
    windows.df.push_back(-4 * k * h * c * c * c * s);
    windows.ddf.push_back(4 * k * k * h * c * c * (3 * s * s - c * c));
    area += windows.f.back(), slope_area -= windows.df.back() * (t[i] - t[first]);
  }
  // a constant velocity is integrated exactly, however uneven the times
  for (size_t w = window.weights; w < windows.f.size() && area > 0; ++w) windows.f[w] *= slope_area / area;
  windows.list.push_back(window);
}

}  // namespace

void check_log(const LogColumns& log) {
  const size_t n = log.samples();
  if (n < 2) throw Error(fmt::format("a log of {} samples shows no motion", n));
  check_size(log.position.size(), 3 * n, "position");
  if (log.rotation.size() != 9 * n) check_size(log.rotation.size(), 4 * n, "rotation");
  if (!log.linear.empty()) check_size(log.linear.size(), 3 * n, "linear velocity");
  if (!log.angular.empty()) check_size(log.angular.size(), 3 * n, "angular velocity");
  check_finite(log.time, 1, "time");
  check_finite(log.position, 3, "position");
  check_finite(log.rotation, log.rotation_width(), "rotation");
  check_finite(log.linear, 3, "linear velocity");
  check_finite(log.angular, 3, "angular velocity");
  check_time(log.time);
}

double length_spread(const LogColumns& log, bool rotation_first) {
  double sum = 0, squares = 0;
  const auto n = static_cast<double>(log.samples());
  for (size_t i = 0; i < log.samples(); ++i) {
    const double length = length_of(rotation_of(log, i, rotation_first));
    sum += length, squares += length * length;
  }
  const double mean = sum / n;
  return mean > 1e-9 ? std::sqrt(std::max(0.0, squares / n - mean * mean)) / mean : 1.0;
}

Samples make_samples(const LogColumns& log, bool rotation_first) {
  Samples samples;
  samples.t = log.time;
  for (size_t i = 0; i < log.samples(); ++i) {
    samples.p.push_back(position_of(log, i, rotation_first));
    continue_rotation(samples, rotation_of(log, i, rotation_first));
    if (!log.linear.empty()) samples.first.push_back(load3(&log.linear[3 * i]));
    if (!log.angular.empty()) samples.second.push_back(load3(&log.angular[3 * i]));
  }
  samples.q_noise = white_noise(samples.q);
  samples.first_noise = white_noise(samples.first), samples.second_noise = white_noise(samples.second);
  samples.step = median_step(samples.t);
  samples.gaps = stretches(samples.t, kGap * samples.step).size() - 2;
  return samples;
}

// The largest rotation between successive samples, without the largest 1 %.
double turning_per_sample(const Samples& samples) {
  std::vector<double> angles;
  for (size_t i = 1; i < samples.size(); ++i) {
    double along = 0;
    for (int c = 0; c < 4; ++c) along += samples.q[i].of[c] * samples.q[i - 1].of[c];
    angles.push_back(2 * std::acos(std::min(1.0, std::abs(along))));
  }
  const size_t last = angles.size() - 1 - angles.size() / 100;
  std::nth_element(angles.begin(), angles.begin() + static_cast<long>(last), angles.end());
  return angles[last];
}

bool holds_rotation(const Samples& samples, const Windows& windows, bool swapped) {
  constexpr double kBeyondNoise = 4, kRounding = 1e-12;
  const std::vector<Vec>& spin = swapped ? samples.first : samples.second;
  double turned = 0, spun = 0;
  for (int c = 0; c < 4; ++c) {
    const auto change = [&](size_t first, size_t i) { return samples.q[i].of[c] - samples.q[first].of[c]; };
    turned += power_through(windows, windows.df, change);
  }
  for (int c = 0; c < 3; ++c) {
    spun += power_through(windows, windows.f, [&](size_t, size_t i) { return spin[i][c]; });
  }
  const double spin_noise = swapped ? samples.first_noise : samples.second_noise;
  return turned > kBeyondNoise * windows.noise * (samples.q_noise + kRounding) ||
         spun > kBeyondNoise * windows.f_noise * (spin_noise + kRounding);
}

std::vector<double> window_lengths(const Samples& samples) {
  std::vector<double> lengths;
  const double duration = samples.t.back() - samples.t.front();
  const double shortest = std::max(0.05, kFewestSamples * samples.step);
  for (double length = shortest; length < 2.0; length *= 1.6) {
    if (duration < kWindowStep * (static_cast<double>(kFewestWindows) + 1) * length) break;
    lengths.push_back(length);
  }
  return lengths;
}

Windows make_windows(const Samples& samples, double length) {
  Windows windows{.length = length};
  const std::vector<double>& t = samples.t;
  const std::vector<size_t> starts = stretches(t, std::max(kGap * samples.step, kBridged * length));
  for (size_t s = 0; s + 1 < starts.size(); ++s) {
    const Stretch stretch{starts[s], starts[s + 1]};
    size_t first = stretch.begin;
    // relative to the start of the stretch: times may be so large that adding a fraction of a window has no effect
    const double begin = t[first], duration = t[stretch.end - 1] - begin + 1e-9;
    for (double offset = 0; offset + length <= duration; offset += kWindowStep * length) {
      const double start = begin + offset;
      while (t[first] < start) ++first;
      add_window(windows, t, stretch, first, start);
    }
  }
  const auto count = static_cast<double>(std::max<size_t>(1, windows.list.size()));
  for (const double weight : windows.df) windows.noise += weight * weight / count;
  for (const double weight : windows.f) windows.f_noise += weight * weight / count;
  return windows;
}

}  // namespace torsor::detection
