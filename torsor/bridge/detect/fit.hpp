// Linear least squares with one unknown level of noise per channel: e = y + x theta, channel by channel.
#pragma once

#include <cstddef>
#include <vector>

namespace torsor::detection {

struct Equations {
  int channels = 0, unknowns = 0;
  std::vector<double> y{};      // equation by equation, channels side by side
  std::vector<double> x{};      // the same, `unknowns` numbers for each
  std::vector<double> floor{};  // of each channel: squared error per equation from rounding and quadrature

  size_t count() const { return y.size() / static_cast<size_t>(channels); }
};

struct Fit {
  std::vector<double> theta, sigma;  // sigma is infinite for unknowns that the equations do not determine
  std::vector<double> squares;       // sum of e^2 of each channel, with its floor
  std::vector<double> motion;        // the same for the two sides separately: e^2 if they were unrelated
  size_t count = 0;

  // Log likelihood with the estimated noise of each channel; comparable between readings of the same columns.
  double log_likelihood() const;
  double unexplained() const;  // fraction of the motion, as a ratio of lengths: about 1 if the sides are unrelated
  double information() const;  // signal over noise, summed over equations
};

// The first unknown is kept within +-bound. `left` is the pose's side of y; the rest of y is the velocity's.
Fit solve(const Equations& equations, const std::vector<double>& left, double bound);

}  // namespace torsor::detection
