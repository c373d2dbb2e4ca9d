// The equations of both comparisons, integrated with a bump function f (see Windows). With q the quaternion of the
// rotation R, w the angular velocity, p the position, and c the offset of the point whose velocity is v:
//   rotation      int f' q + int f w q / 2 = 0        w in the world; q w / 2 for w in the body
//   translation   int f' (p + R c) + int f v = 0      R v for v in the body; v + w x p for the velocity at the world's
//   origin
// Velocities that are ahead by a short lag are v + lag dv/dt, and int f dv/dt = -int f' v. All is linear in lag and c,
// and in the quaternion's columns, so their order is only a question of which numbers are multiplied.
#include "torsor/bridge/detect/readings.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/convention/rigid.hpp"
#include "torsor/convention/rotations.hpp"

namespace torsor::detection {
namespace {

constexpr double kQuadrature = 5e-4;  // of the motion: error of sums over samples
constexpr double kRounding = 1e-6;    // of the largest number in a channel: six digits in a text file

Quat<double> quat_at(const Samples& samples, QuatOrder order, size_t i) { return load_quat(order, samples.q[i].of); }

Vec angular_at(const Samples& samples, const AngularReading& reading, const Turn& turn, size_t i) {
  const Vec w = turn * (reading.swapped ? samples.first[i] : samples.second[i]);
  return reading.unit == AngleUnit::kDegree ? w * kRadiansPerDegree : w;
}

// Rate of the quaternion: w q / 2 or q w / 2.
Quat<double> rate_of(const Quat<double>& q, const Vec& w, Frame frame) {
  const Quat<double> half{0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z};
  return frame == Frame::kBody ? q * half : half * q;
}

void add(double* sum, double weight, const Quat<double>& q, QuatOrder order) {
  double elements[4];
  store_quat(order, q, elements);
  for (int c = 0; c < 4; ++c) sum[c] += weight * elements[c];
}
void add(double* sum, double weight, const Vec& v) {
  for (int c = 0; c < 3; ++c) sum[c] += weight * v[c];
}

// The error of each equation of a channel from rounding and quadrature.
void set_floor(Equations& eq, const std::vector<double>& left, const Windows& windows,
               const std::vector<double>& largest) {
  const auto channels = static_cast<size_t>(eq.channels);
  std::vector<double> motion(channels);
  double all = 0;
  for (size_t k = 0; k < left.size(); ++k) motion[k % channels] += left[k] * left[k], all += left[k] * left[k];
  const auto count = static_cast<double>(std::max<size_t>(1, eq.count()));
  for (size_t c = 0; c < channels; ++c) {
    const double rounding = kRounding * largest[c];
    const double seen = (motion[c] + 0.01 * all) / count;
    eq.floor.push_back(kQuadrature * kQuadrature * seen + rounding * rounding * windows.noise + 1e-30);
  }
}

double lag_bound(const Samples& samples) { return samples.step; }

}  // namespace

Fit fit_angular(const Samples& samples, const Windows& windows, const AngularReading& reading, const Turn& turn) {
  Equations eq{.channels = 4, .unknowns = 1};
  std::vector<double> left;
  for (const Window& window : windows.list) {
    double motion[4] = {}, explained[4] = {}, lag[4] = {};
    const Quat<double> q0 = quat_at(samples, reading.quat, window.first);
    for (size_t k = 0; k < window.count; ++k) {
      const size_t i = window.first + k;
      const double f = windows.f[window.weights + k], df = windows.df[window.weights + k];
      const Quat<double> q = quat_at(samples, reading.quat, i);
      const Vec w = angular_at(samples, reading, turn, i);
      const Quat<double> rate = rate_of(q, w, reading.frame);
      add(motion, df, {q.w - q0.w, q.x - q0.x, q.y - q0.y, q.z - q0.z}, reading.quat);
      add(explained, f, rate, reading.quat);
      // d(w q / 2)/dt holds dw/dt q / 2 and w dq/dt / 2 = -|w|^2 q / 4
      add(lag, -df, rate, reading.quat);
      add(lag, 0.25 * f * norm2(w), q, reading.quat);
    }
    for (int c = 0; c < 4; ++c) {
      left.push_back(motion[c]);
      eq.y.push_back(motion[c] + explained[c]);
      eq.x.push_back(lag[c]);
    }
  }
  set_floor(eq, left, windows, {1, 1, 1, 1});
  return solve(eq, left, lag_bound(samples));
}

Fit fit_linear(const Samples& samples, const Windows& windows, const LinearReading& reading, const Turn& turn) {
  const bool has_offset = reading.point == Point::kCom;
  Equations eq{.channels = 3, .unknowns = has_offset ? 4 : 1};
  std::vector<double> left, largest(3);
  for (const Window& window : windows.list) {
    double motion[3] = {}, explained[3] = {}, lag[3] = {};
    Mat3<double> turning = Mat3<double>::zero();
    const Vec p0 = samples.p[window.first];
    const Mat3<double> R0 = to_mat(quat_at(samples, reading.quat, window.first));
    for (size_t k = 0; k < window.count; ++k) {
      const size_t i = window.first + k;
      const double f = windows.f[window.weights + k], df = windows.df[window.weights + k];
      const Quat<double> q = quat_at(samples, reading.quat, i);
      Vec v = turn * (reading.swapped ? samples.second[i] : samples.first[i]);
      if (reading.frame == Frame::kBody) v = rotate(q, v);
      if (reading.angular) {
        const Vec w = angular_at(samples, *reading.angular, turn, i);
        v += cross(reading.angular->frame == Frame::kBody ? rotate(q, w) : w, samples.p[i]);
      }
      add(motion, df, samples.p[i] - p0);
      add(explained, f, v);
      add(lag, -df, v);
      if (has_offset) turning = turning + (to_mat(q) - R0) * df;
      for (int c = 0; c < 3; ++c) {
        largest[static_cast<size_t>(c)] = std::max(largest[static_cast<size_t>(c)], std::abs(samples.p[i][c]));
      }
    }
    for (int c = 0; c < 3; ++c) {
      left.push_back(motion[c]);
      eq.y.push_back(motion[c] + explained[c]);
      eq.x.push_back(lag[c]);
      if (has_offset) eq.x.insert(eq.x.end(), {turning(c, 0), turning(c, 1), turning(c, 2)});
    }
  }
  set_floor(eq, left, windows, largest);
  return solve(eq, left, lag_bound(samples));
}

std::optional<Turn> find_turn(const Samples& samples, const Windows& windows, const AngularReading& reading) {
  // any matrix first: the equations are linear in its nine numbers
  Equations eq{.channels = 4, .unknowns = 9};
  std::vector<double> left;
  for (const Window& window : windows.list) {
    double motion[4] = {}, columns[9][4] = {};
    const Quat<double> q0 = quat_at(samples, reading.quat, window.first);
    for (size_t k = 0; k < window.count; ++k) {
      const size_t i = window.first + k;
      const double f = windows.f[window.weights + k], df = windows.df[window.weights + k];
      const Quat<double> q = quat_at(samples, reading.quat, i);
      const Vec w = angular_at(samples, reading, Turn::identity(), i);
      add(motion, df, {q.w - q0.w, q.x - q0.x, q.y - q0.y, q.z - q0.z}, reading.quat);
      for (int m = 0; m < 9; ++m) {
        Vec part{0, 0, 0};
        part[m / 3] = w[m % 3];
        add(columns[m], f, rate_of(q, part, reading.frame), reading.quat);
      }
    }
    for (int c = 0; c < 4; ++c) {
      left.push_back(motion[c]);
      eq.y.push_back(motion[c]);
      for (const auto& column : columns) eq.x.push_back(column[c]);
    }
  }
  set_floor(eq, left, windows, {1, 1, 1, 1});
  const Fit fit = solve(eq, left, 1e9);
  Turn turn;
  std::copy(fit.theta.begin(), fit.theta.end(), turn.m);
  const Turn square = transposed_mul(turn, turn);
  for (int m = 0; m < 9; ++m) {
    if (!(std::abs(square.m[m] - (m % 4 == 0 ? 1 : 0)) < 0.2)) return std::nullopt;
  }
  if (det(turn) < 0) return std::nullopt;
  return rotations::nearest_rotation(turn);
}

}  // namespace torsor::detection
