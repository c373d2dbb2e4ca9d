// The muscle model: force by length and velocity, activation dynamics. Lengths are in units of the resting length,
// velocities in units of the fastest shortening. Curves are parabolas joined at their ends.
// Parameters: range (two), peak force, scale, lmin, lmax, vmax, fpmax, fvmax.
#pragma once

#include <algorithm>

#include "torsor/model/types.hpp"

namespace torsor {

class Muscle {
 public:
  TORSOR_HD Muscle(const double* prm, const double* lengthrange, double acc0)
      : lmin_(prm[4]), lmax_(prm[5]), vmax_(prm[6]), fpmax_(prm[7]), fvmax_(prm[8]) {
    peak_ = prm[2] < 0 ? prm[3] / at_least_min_value(acc0) : prm[2];
    unit_ = (lengthrange[1] - lengthrange[0]) / at_least_min_value(prm[1] - prm[0]);
    unit_ = at_least_min_value(unit_);
    first_ = prm[0];
    start_ = lengthrange[0];
  }

  // A muscle pulls: its gain is negative.
  TORSOR_HD double gain(double length, double velocity) const {
    return -peak_ * active(normalized(length)) * by_velocity(velocity / at_least_min_value(unit_ * vmax_));
  }
  TORSOR_HD double gain_slope(double length, double velocity) const {  // by velocity
    const double scale = at_least_min_value(unit_ * vmax_);
    return -peak_ * active(normalized(length)) * by_velocity_slope(velocity / scale) / scale;
  }
  TORSOR_HD double gain_slope_by_length(double length, double velocity) const {
    return -peak_ * active_slope(normalized(length)) / unit_ *
           by_velocity(velocity / at_least_min_value(unit_ * vmax_));
  }
  TORSOR_HD double bias_slope(double length) const {
    const double x = normalized(length), middle = 0.5 * (1 + lmax_), width = at_least_min_value(middle - 1);
    if (x <= 1) return 0;
    return -peak_ * fpmax_ / (width * unit_) * (x <= middle ? (x - 1) / width : 1);
  }
  TORSOR_HD double bias(double length) const {
    const double x = normalized(length), middle = 0.5 * (1 + lmax_), width = at_least_min_value(middle - 1);
    if (x <= 1) return 0;
    if (x <= middle) return -peak_ * fpmax_ * 0.5 * square((x - 1) / width);
    return -peak_ * fpmax_ * (0.5 + (x - middle) / width);
  }

 private:
  static TORSOR_HD double square(double x) { return x * x; }
  TORSOR_HD double normalized(double length) const { return first_ + (length - start_) / unit_; }

  TORSOR_HD double active(double x) const {
    const double low = 0.5 * (lmin_ + 1), high = 0.5 * (1 + lmax_);
    const auto part = [](double from, double to) { return from / at_least_min_value(to); };
    if (x < lmin_ || x > lmax_) return 0;
    if (x <= low) return 0.5 * square(part(x - lmin_, low - lmin_));
    if (x <= 1) return 1 - 0.5 * square(part(1 - x, 1 - low));
    if (x <= high) return 1 - 0.5 * square(part(x - 1, high - 1));
    return 0.5 * square(part(lmax_ - x, lmax_ - high));
  }
  TORSOR_HD double active_slope(double x) const {
    const double low = 0.5 * (lmin_ + 1), high = 0.5 * (1 + lmax_);
    const auto slope = [](double from, double to) { return from / square(at_least_min_value(to)); };
    if (x < lmin_ || x > lmax_) return 0;
    if (x <= low) return slope(x - lmin_, low - lmin_);
    if (x <= 1) return slope(1 - x, 1 - low);
    if (x <= high) return -slope(x - 1, high - 1);
    return -slope(lmax_ - x, lmax_ - high);
  }
  TORSOR_HD double by_velocity(double v) const {
    const double rise = fvmax_ - 1;
    if (v <= -1) return 0;
    if (v <= 0) return square(v + 1);
    if (v <= rise) return fvmax_ - square(rise - v) / at_least_min_value(rise);
    return fvmax_;
  }
  TORSOR_HD double by_velocity_slope(double v) const {
    const double rise = fvmax_ - 1;
    if (v <= -1) return 0;
    if (v <= 0) return 2 * (v + 1);
    if (v <= rise) return 2 * (rise - v) / at_least_min_value(rise);
    return 0;
  }

  double lmin_, lmax_, vmax_, fpmax_, fvmax_;
  double peak_, unit_, first_, start_;
};

// Rate of the activation. It rises and falls with time constants of its own, which depend on the activation; `smooth`
// is the width of the transition between them. Parameters: rising, falling, smooth. [Millard et al. 2013]
TORSOR_HD inline double muscle_activation_rate(double control, double activation, const double* prm) {
  const double wanted = std::clamp(control, 0.0, 1.0), now = std::clamp(activation, 0.0, 1.0);
  const double rising = prm[0] * (0.5 + 1.5 * now), falling = prm[1] / (0.5 + 1.5 * now);
  const double error = wanted - activation;
  double part = error > 0 ? 1 : 0;
  if (prm[2] >= kMinValue) {
    const double x = std::clamp(error / prm[2] + 0.5, 0.0, 1.0);
    part = x * x * x * (3 * x * (2 * x - 5) + 10);
  }
  return error / at_least_min_value(falling + part * (rising - falling));
}

}  // namespace torsor
