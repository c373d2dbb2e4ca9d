// Velocities of a clip by filtered differences.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "torsor/core/error.hpp"
#include "torsor/format/motion/edit.hpp"

namespace torsor {
namespace {

// The mean of the rates before and after each frame; at the ends, the only one there is. rate(f, out) is that from
// frame f to frame f + 1.
template <class Rate>
std::vector<double> central(int frames, size_t width, Rate&& rate) {
  std::vector<double> values(size_t(frames) * width, 0), step(width);
  for (int f = 0; f + 1 < frames; ++f) {
    rate(f, step.data());
    for (size_t k = 0; k < width; ++k) {
      values[size_t(f) * width + k] += step[k] * (f == 0 ? 1 : 0.5);
      values[size_t(f + 1) * width + k] += step[k] * (f + 2 == frames ? 1 : 0.5);
    }
  }
  return values;
}

}  // namespace

void filter_gaussian(std::vector<double>& rows, size_t width, double sigma) {
  constexpr double kMostSigma = 1e4;
  if (!std::isfinite(sigma) || sigma < 0 || sigma > kMostSigma)
    throw Error(fmt::format("sigma must be a number of frames from 0 to {}, got {}", kMostSigma, sigma));
  const long radius = long(4 * sigma + 0.5), frames = width ? long(rows.size() / width) : 0;
  if (radius == 0 || frames == 0) return;
  std::vector<double> weights(size_t(radius) + 1), column(static_cast<size_t>(frames));
  double sum = 0;
  for (long k = 0; k <= radius; ++k)
    sum += (k ? 2 : 1) * (weights[size_t(k)] = std::exp(-0.5 * double(k * k) / (sigma * sigma)));
  const auto at = [&](long f) { return column[size_t(std::clamp(f, 0L, frames - 1))]; };
  for (size_t c = 0; c < width; ++c) {
    for (long f = 0; f < frames; ++f) column[size_t(f)] = rows[size_t(f) * width + c];
    for (long f = 0; f < frames; ++f) {
      double value = weights[0] * at(f);
      for (long k = 1; k <= radius; ++k) value += weights[size_t(k)] * (at(f - k) + at(f + k));
      rows[size_t(f) * width + c] = value / sum;
    }
  }
}

std::vector<double> difference_rows(const std::vector<double>& rows, size_t width, int frames, double fps) {
  return central(frames, width, [&](int f, double* out) {
    for (size_t k = 0; k < width; ++k) out[k] = (rows[(size_t(f) + 1) * width + k] - rows[size_t(f) * width + k]) * fps;
  });
}

std::vector<double> difference_rotations(const std::vector<double>& quats, size_t count, int frames, double fps) {
  return central(frames, count * 3, [&](int f, double* out) {
    for (size_t k = 0; k < count; ++k) {
      const Quat<double> a = load4(&quats[(size_t(f) * count + k) * 4]),
                         b = load4(&quats[((size_t(f) + 1) * count + k) * 4]);
      store3(out + 3 * k, rotation_vector(b * conj(a)) * fps);
    }
  });
}

MotionVelocities compute_velocities(const MotionClip& clip, double sigma) {
  MotionVelocities v;
  v.root_linear = difference_rows(clip.root_pos, 3, clip.frames, clip.fps);
  v.dof = difference_rows(clip.dof, size_t(clip.dofs), clip.frames, clip.fps);
  v.root_angular = difference_rotations(clip.root_quat, 1, clip.frames, clip.fps);
  filter_gaussian(v.root_linear, 3, sigma);
  filter_gaussian(v.root_angular, 3, sigma);
  filter_gaussian(v.dof, size_t(clip.dofs), sigma);
  return v;
}

}  // namespace torsor
