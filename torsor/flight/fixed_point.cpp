#include "torsor/flight/fixed_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/core/error.hpp"

namespace torsor {
namespace {

void check_options(const FixedPointOptions& o) {
  const auto require = [](bool good, const char* name, double value, const char* rule) {
    if (!good) throw Error(fmt::format("{} must be {}, got {}", name, rule, value));
  };
  require(o.relaxation > 0 && o.relaxation <= 2, "relaxation", o.relaxation, "above 0 and at most 2");
  require(o.min_relaxation > 0, "min_relaxation", o.min_relaxation, "positive");
  require(o.max_relaxation >= o.min_relaxation && std::isfinite(o.max_relaxation), "max_relaxation", o.max_relaxation,
          "at least min_relaxation");
  require(o.relative_tolerance >= 0, "relative_tolerance", o.relative_tolerance, "zero or positive");
  require(o.absolute_tolerance >= 0, "absolute_tolerance", o.absolute_tolerance, "zero or positive");
  require(o.max_iterations > 0, "max_iterations", o.max_iterations, "positive");
}

}  // namespace

FixedPoint::FixedPoint(std::vector<double> weights, const FixedPointOptions& options)
    : weights_(std::move(weights)), options_(options) {
  check_options(options_);
  if (weights_.empty()) throw Error("a fixed point needs at least one weight: one per number of x");
  for (size_t i = 0; i < weights_.size(); ++i) {
    if (!(weights_[i] >= 0) || !std::isfinite(weights_[i]))
      throw Error(fmt::format("weights[{}] is {}; weights are zero or positive", i, weights_[i]));
  }
  start_.resize(size()), previous_.resize(size()), residual_.resize(size()), increment_.resize(size());
  history_.reserve(static_cast<size_t>(options_.max_iterations));
}

void FixedPoint::require_size(std::span<const double> v, const char* name) const {
  if (v.size() != size()) throw Error(fmt::format("{} has {} numbers; there are {} weights", name, v.size(), size()));
  for (size_t i = 0; i < v.size(); ++i) {
    if (!std::isfinite(v[i])) throw Error(fmt::format("{}[{}] is {}", name, i, v[i]));
  }
}

double FixedPoint::weighted_norm(std::span<const double> v) const {
  double sum = 0;
  for (size_t i = 0; i < v.size(); ++i) sum += weights_[i] * v[i] * weights_[i] * v[i];
  return std::sqrt(sum);
}

void FixedPoint::start(std::span<const double> x) {
  require_size(x, "x");
  std::copy(x.begin(), x.end(), start_.begin());
  history_.clear();
  has_converged_ = false;
}

// Aitken: w_k = -w_(k-1) <r_(k-1), r_k - r_(k-1)> / |r_k - r_(k-1)|^2
double FixedPoint::find_factor(std::span<const double> residual) const {
  if (history_.empty() || !options_.aitken) return options_.relaxation;
  double product = 0, square = 0;
  for (size_t i = 0; i < size(); ++i) {
    const double weight = weights_[i] * weights_[i], change = residual[i] - previous_[i];
    product += weight * previous_[i] * change;
    square += weight * change * change;
  }
  const double factor = -history_.back().relaxation * product / square;
  if (!std::isfinite(factor) || factor <= 0) return options_.relaxation;  // the residual did not change, or grows
  return std::clamp(factor, options_.min_relaxation, options_.max_relaxation);
}

double FixedPoint::relax(std::span<const double> residual, std::span<const double> increment) {
  require_size(residual, "residual");
  require_size(increment, "increment");
  if (has_ended()) return 0;
  const double norm = weighted_norm(residual), factor = find_factor(residual);
  const double bound = options_.relative_tolerance * weighted_norm(increment) + options_.absolute_tolerance;
  history_.push_back({norm, bound, factor});
  has_converged_ = norm <= bound;
  std::copy(residual.begin(), residual.end(), previous_.begin());
  return has_ended() ? 0 : factor;
}

bool FixedPoint::update(std::span<double> x, std::span<const double> image) {
  require_size(x, "x");
  require_size(image, "G(x)");
  for (size_t i = 0; i < size(); ++i) residual_[i] = image[i] - x[i], increment_[i] = x[i] - start_[i];
  const double factor = relax(residual_, increment_);
  for (size_t i = 0; i < size(); ++i) x[i] = has_converged_ ? image[i] : x[i] + factor * residual_[i];
  return has_ended();
}

}  // namespace torsor
