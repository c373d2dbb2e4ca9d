// In free fall the centre of mass has a constant acceleration g. Its velocity is v, that of the point in the log, plus
// d(R c)/dt for an offset c from there. Integrated with a bump function f (see Windows):
//   -int f' v + int f'' R c = g int f
// which is linear in g and c.
#include "torsor/bridge/detect/gravity.hpp"

#include <cmath>

#include "torsor/bridge/detect/fit.hpp"
#include "torsor/convention/rigid.hpp"

namespace torsor::detection {
namespace {

constexpr double kStandardGravity = 9.80665;
constexpr double kTolerance = 0.02;   // of magnitude and direction, to distinguish gravity from other accelerations
constexpr double kUnexplained = 0.3;  // of the change of velocity

Vec velocity_at(const Samples& samples, const Reading& reading, size_t i) {
  const bool swapped = reading.row.twist.order == BlockOrder::kAngularFirst;
  const Vec v = reading.R_PV * (swapped ? samples.second[i] : samples.first[i]);
  if (reading.row.twist.linear != Frame::kBody) return v;
  return rotate(load_quat(reading.row.quat, samples.q[i].of), v);
}

// Unknowns: g, then c.
Fit fit_fall(const Samples& samples, const Windows& windows, const Reading& reading) {
  Equations eq{.channels = 3, .unknowns = 6};
  std::vector<double> left;
  for (const Window& window : windows.list) {
    Vec rate{0, 0, 0};
    Mat3<double> turning = Mat3<double>::zero();
    double area = 0;
    const Vec v0 = velocity_at(samples, reading, window.first);
    const Mat3<double> R0 = to_mat(load_quat(reading.row.quat, samples.q[window.first].of));
    for (size_t k = 0; k < window.count; ++k) {
      const size_t i = window.first + k, w = window.weights + k;
      rate += (velocity_at(samples, reading, i) - v0) * windows.df[w];
      turning = turning + (to_mat(load_quat(reading.row.quat, samples.q[i].of)) - R0) * windows.ddf[w];
      area += windows.f[w];
    }
    for (int c = 0; c < 3; ++c) {
      left.push_back(rate[c]);
      eq.y.push_back(rate[c]);
      for (int j = 0; j < 3; ++j) eq.x.push_back(j == c ? area : 0.0);
      for (int j = 0; j < 3; ++j) eq.x.push_back(-turning(c, j));
    }
  }
  eq.floor.assign(3, 1e-12);
  return solve(eq, left, 1e12);
}

SeenGravity name_gravity(const Vec& g, const Vec& error) {
  SeenGravity seen;
  const double magnitude = norm(g);
  for (const double length : {1.0, 0.01, 0.001}) {
    if (std::abs(magnitude * length / kStandardGravity - 1) < kTolerance) seen.length = length;
  }
  if (seen.length == 0 || norm(error) > kTolerance * magnitude) return {};
  for (int i = 0; i < 3; ++i) {
    if (std::abs(g[i]) > (1 - 0.5 * kTolerance) * magnitude) seen.axis = i, seen.sign = g[i] < 0 ? 1 : -1;
  }
  seen.magnitude = magnitude;
  return seen.sign ? seen : SeenGravity{};
}

}  // namespace

FreeFall find_free_fall(const Samples& samples, const Reading& reading) {
  FreeFall best;
  double least = kUnexplained;
  for (const double length : window_lengths(samples)) {
    const Windows windows = make_windows(samples, length);
    if (windows.list.size() < kFewestWindows) continue;
    const Fit fit = fit_fall(samples, windows, reading);
    if (!(fit.unexplained() < least)) continue;
    least = fit.unexplained();
    best.gravity = name_gravity({fit.theta[0], fit.theta[1], fit.theta[2]}, {fit.sigma[0], fit.sigma[1], fit.sigma[2]});
    best.offset = {fit.theta[3], fit.theta[4], fit.theta[5]};
    best.offset_error = {fit.sigma[3], fit.sigma[4], fit.sigma[5]};
  }
  return best;
}

}  // namespace torsor::detection
