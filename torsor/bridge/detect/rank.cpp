#include "torsor/bridge/detect/rank.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/bridge/detect/readings.hpp"

namespace torsor::detection {
namespace {

constexpr double kEnough = 12;  // natural logarithm of the odds at which a reading is ruled out
// Largest unexplained fraction of the motion that is accepted. (Motion sampled too slowly has been seen to fit to 17
// %.)
constexpr double kUnderstood = 0.1;
constexpr double kSuspicious = 0.02;  // unexplained fraction above which other explanations are tried
constexpr double kAliased = 2.0;      // radians between two samples; half a turn and more is ambiguous
constexpr double kSigmas = 3;         // of an offset hidden by noise

struct AngularFit {
  AngularReading reading;
  Turn turn = Turn::identity();
  bool turned = false;
  Fit fit{};
};
struct LinearFit {
  LinearReading reading;
  Fit fit{};
};

struct Comparison {
  Samples const& samples;
  std::vector<Windows> windows;  // of all lengths
  bool has_quat_order, has_twist_order;
};

std::vector<QuatOrder> quat_orders(const Comparison& comparison) {
  if (comparison.has_quat_order) return {QuatOrder::kWxyz};  // converted from a matrix
  return {QuatOrder::kWxyz, QuatOrder::kXyzw};
}
std::vector<bool> swaps(const Comparison& comparison) {
  if (comparison.has_twist_order) return {false};
  return {false, true};
}

// Penalty for fitted unknowns, to avoid fitting noise. [Schwarz 1978]
double penalty(const Fit& fit, int unknowns) { return 0.5 * unknowns * std::log(static_cast<double>(fit.count)); }

// --- every reading of one kind
// ----------------------------------------------------------------------------------------

std::vector<AngularReading> angular_readings(const Comparison& comparison) {
  std::vector<AngularReading> all;
  for (const QuatOrder quat : quat_orders(comparison)) {
    for (const bool swapped : swaps(comparison)) {
      for (const Frame frame : {Frame::kWorld, Frame::kBody}) {
        for (const AngleUnit unit : {AngleUnit::kRadian, AngleUnit::kDegree})
          all.push_back({quat, swapped, frame, unit});
      }
    }
  }
  return all;
}

std::vector<LinearReading> linear_readings(const Comparison& comparison, const std::vector<AngularFit>& angular) {
  std::vector<LinearReading> all;
  for (const QuatOrder quat : quat_orders(comparison)) {
    for (const bool swapped : swaps(comparison)) {
      for (const Frame frame : {Frame::kWorld, Frame::kBody}) {
        for (const Point point : {Point::kOrigin, Point::kCom}) all.push_back({quat, swapped, frame, point, {}});
      }
    }
  }
  for (const AngularFit& fit : angular) {
    if (fit.turned) continue;
    all.push_back({fit.reading.quat, fit.reading.swapped, Frame::kWorld, Point::kWorldOrigin, fit.reading});
  }
  return all;
}

// Fits with windows of every length, and keeps the most informative length.
template <class Fits, class FitOne>
Fits fit_best_length(const Comparison& comparison, const Fits& readings, const FitOne& fit_one) {
  Fits best;
  double most = -1;
  for (const Windows& windows : comparison.windows) {
    Fits fits = readings;
    double information = 0;
    for (auto& fit : fits) {
      fit.fit = fit_one(windows, fit);
      information = std::max(information, fit.fit.information());
    }
    if (information > most) most = information, best = std::move(fits);
  }
  return best;
}

template <class Fits>
double least_unexplained(const Fits& fits) {
  double least = 1;
  for (const auto& fit : fits) least = std::min(least, fit.fit.unexplained());
  return least;
}

template <class Fits>
Verdict judge(const Fits& fits) {
  if (fits.empty()) return Verdict::kTooShort;
  double evidence = 0;
  for (const auto& fit : fits) {
    double gain = 0;
    for (size_t c = 0; c < fit.fit.squares.size(); ++c) {
      gain += 0.5 * static_cast<double>(fit.fit.count) * std::log(fit.fit.motion[c] / fit.fit.squares[c]);
    }
    evidence = std::max(evidence, gain);
  }
  if (least_unexplained(fits) < kUnderstood) return Verdict::kExplained;
  return evidence < kEnough ? Verdict::kNoMotion : Verdict::kUnexplained;
}

// If nothing fits, the velocities may be in constant axes that are rotated relative to those of the pose, such as those
// of a joint anchor.
void add_turned(const Comparison& comparison, std::vector<AngularFit>& fits) {
  std::vector<AngularFit> turned;
  const Windows& windows = comparison.windows[comparison.windows.size() / 2];
  for (const AngularFit& fit : fits) {
    if (fit.reading.frame != Frame::kWorld) continue;
    const auto turn = find_turn(comparison.samples, windows, fit.reading);
    if (turn) turned.push_back({fit.reading, *turn, true, {}});
  }
  std::vector<AngularFit> all = fits;
  all.insert(all.end(), turned.begin(), turned.end());
  all = fit_best_length(comparison, all, [&](const Windows& w, const AngularFit& fit) {
    return fit_angular(comparison.samples, w, fit.reading, fit.turn);
  });
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  double plain = kNever, better = kNever;
  for (const AngularFit& fit : all) {
    double& best = fit.turned ? better : plain;
    best = std::max(best, fit.fit.log_likelihood() - (fit.turned ? penalty(fit.fit, 3) : 0));
  }
  if (better > plain + kEnough) fits = std::move(all);
}

// --- both together
// ----------------------------------------------------------------------------------------------------

Row row_of(const AngularReading& angular, const LinearReading& linear, const Comparison& comparison,
           const LogColumns& log, PoseOrder pose) {
  Row row;
  row.rotation = comparison.has_quat_order ? RotationForm::kMatrix : RotationForm::kQuaternion;
  if (!comparison.has_quat_order) row.quat = angular.quat;
  if (!log.pose_order_known) row.pose = pose;
  if (!log.twist_order_known) row.twist.order = angular.swapped ? BlockOrder::kAngularFirst : BlockOrder::kLinearFirst;
  if (!log.linear.empty()) row.twist.point = linear.point, row.twist.linear = linear.frame;
  if (!log.angular.empty()) row.twist.angular = angular.frame, row.twist.angle = angular.unit;
  return row;
}

bool belong_together(const AngularReading& angular, const LinearReading& linear) {
  if (angular.quat != linear.quat || angular.swapped != linear.swapped) return false;
  return !linear.angular || *linear.angular == angular;
}

Reading combine(const AngularFit& angular, const LinearFit& linear) {
  Reading reading;
  reading.turned = angular.turned, reading.R_PV = angular.turn;
  if (angular.fit.count) reading.angular_residual = angular.fit.unexplained(), reading.lag = -angular.fit.theta[0];
  if (!linear.fit.count) return reading;
  reading.linear_residual = linear.fit.unexplained(), reading.lag = -linear.fit.theta[0];
  if (linear.reading.point != Point::kCom) return reading;
  for (int i = 0; i < 3; ++i) {
    reading.offset[i] = linear.fit.theta[static_cast<size_t>(i) + 1];
    reading.offset_error[i] = linear.fit.sigma[static_cast<size_t>(i) + 1];
  }
  return reading;
}

double score(const AngularFit& angular, const LinearFit& linear, const Ranking& ranking) {
  double sum = 0;
  if (ranking.angular == Verdict::kExplained) {
    sum += angular.fit.log_likelihood() - (angular.turned ? penalty(angular.fit, 3) : 0);
  }
  if (ranking.linear == Verdict::kExplained) {
    sum += linear.fit.log_likelihood() - (linear.reading.point == Point::kCom ? penalty(linear.fit, 3) : 0);
  }
  return sum;
}

void set_confidence(std::vector<Reading>& readings) {
  std::stable_sort(readings.begin(), readings.end(),
                   [](const Reading& a, const Reading& b) { return a.evidence > b.evidence; });
  const double best = readings.front().evidence;
  double sum = 0;
  for (Reading& reading : readings) {
    reading.evidence -= best;
    reading.confidence = std::exp(reading.evidence);
    reading.possible = reading.evidence > -kEnough;
    sum += reading.confidence;
  }
  for (Reading& reading : readings) reading.confidence /= sum;
}

// With a zero offset, the centre of mass and the posed point coincide. The simpler of the two readings is kept if any
// larger offset would have been detected.
void settle_offset(Ranking& ranking, const DetectOptions& options) {
  const double limit = options.smallest_offset;
  for (Reading& com : ranking.readings) {
    if (!com.possible || com.row.twist.point != Point::kCom) continue;
    Row twin = com.row;
    twin.twist.point = Point::kOrigin;
    const auto origin = std::find_if(ranking.readings.begin(), ranking.readings.end(), [&](const Reading& reading) {
      return reading.possible && reading.row == twin && reading.turned == com.turned;
    });
    if (origin == ranking.readings.end()) continue;
    double largest = 0;
    for (int i = 0; i < 3; ++i) largest = std::max(largest, std::abs(com.offset[i]) + kSigmas * com.offset_error[i]);
    ranking.smallest_seen_offset = std::max(ranking.smallest_seen_offset, largest);
    if (largest < limit) com.possible = false, ranking.offset_excluded = true;
  }
}

Comparison make_comparison(const Samples& samples, const LogColumns& log) {
  Comparison comparison{samples, {}, log.rotation_width() == 9, log.twist_order_known};
  for (const double length : window_lengths(samples)) {
    Windows windows = make_windows(samples, length);
    if (windows.list.size() >= kFewestWindows) comparison.windows.push_back(std::move(windows));
  }
  return comparison;
}

std::vector<AngularFit> all_angular(const Comparison& comparison, const LogColumns& log, Verdict& verdict) {
  std::vector<AngularFit> fits;
  for (const AngularReading& reading : angular_readings(comparison)) fits.push_back({.reading = reading});
  if (log.angular.empty()) {  // one for each reading of the rest
    std::erase_if(fits, [](const AngularFit& fit) {
      return fit.reading.frame != Frame::kWorld || fit.reading.unit != AngleUnit::kRadian;
    });
    return fits;
  }
  auto fitted = fit_best_length(comparison, fits, [&](const Windows& windows, const AngularFit& fit) {
    return fit_angular(comparison.samples, windows, fit.reading);
  });
  if (!fitted.empty() && least_unexplained(fitted) > kSuspicious) add_turned(comparison, fitted);
  verdict = judge(fitted);
  if (verdict != Verdict::kExplained) std::erase_if(fitted, [](const AngularFit& fit) { return fit.turned; });
  return fitted.empty() ? fits : fitted;
}

std::vector<LinearFit> all_linear(const Comparison& comparison, const LogColumns& log,
                                  const std::vector<AngularFit>& angular, const Turn& turn, Verdict& verdict) {
  std::vector<LinearFit> fits;
  for (const LinearReading& reading : linear_readings(comparison, angular)) {
    if (reading.angular && log.angular.empty()) continue;
    fits.push_back({reading, {}});
  }
  if (log.linear.empty()) {
    std::erase_if(fits, [](const LinearFit& fit) {
      return fit.reading.frame != Frame::kWorld || fit.reading.point != Point::kOrigin;
    });
    return fits;
  }
  auto fitted = fit_best_length(comparison, fits, [&](const Windows& windows, const LinearFit& fit) {
    return fit_linear(comparison.samples, windows, fit.reading, turn);
  });
  verdict = judge(fitted);
  return fitted.empty() ? fits : fitted;
}

// The rotation of the best angular reading; linear velocities are assumed to be in the same axes.
Turn best_turn(const std::vector<AngularFit>& fits) {
  const AngularFit* best = nullptr;
  for (const AngularFit& fit : fits) {
    if (fit.fit.count && (!best || fit.fit.log_likelihood() > best->fit.log_likelihood())) best = &fit;
  }
  return best && best->turned ? best->turn : Turn::identity();
}

// Unexplained rotations may be sampled too slowly. Sums over samples are then wrong too, so that linear velocities that
// seem to fit prove nothing.
void doubt(const Comparison& comparison, const LogColumns& log, Ranking& ranking) {
  if (ranking.angular == Verdict::kTooShort || ranking.linear == Verdict::kTooShort) return;
  const bool aliased = turning_per_sample(comparison.samples) > kAliased;
  if (aliased) {
    if (!log.angular.empty()) ranking.angular = Verdict::kAliased;
    if (!log.linear.empty()) ranking.linear = Verdict::kAliased;
  } else if (ranking.angular == Verdict::kUnexplained || ranking.angular == Verdict::kNoMotion) {
    bool rotates = false;
    for (const bool swapped : swaps(comparison)) {
      for (const Windows& windows : comparison.windows) {
        rotates = rotates || holds_rotation(comparison.samples, windows, swapped);
      }
    }
    ranking.angular = rotates ? Verdict::kUnexplained : Verdict::kNoMotion;
    if (rotates && ranking.linear == Verdict::kExplained) ranking.linear = Verdict::kUnexplained;
  }
}

}  // namespace

Ranking rank_readings(const Samples& samples, const LogColumns& log, PoseOrder pose, const DetectOptions& options) {
  Ranking ranking;
  const Comparison comparison = make_comparison(samples, log);
  const auto angular = all_angular(comparison, log, ranking.angular);
  const auto linear = all_linear(comparison, log, angular, best_turn(angular), ranking.linear);
  doubt(comparison, log, ranking);
  for (const AngularFit& a : angular) {
    for (const LinearFit& l : linear) {
      if (!belong_together(a.reading, l.reading)) continue;
      Reading reading = combine(a, l);
      reading.row = row_of(a.reading, l.reading, comparison, log, pose);
      reading.evidence = score(a, l, ranking);
      ranking.readings.push_back(reading);
    }
  }
  set_confidence(ranking.readings);
  settle_offset(ranking, options);
  return ranking;
}

}  // namespace torsor::detection
