// The steps of a detection: find the quaternion, rank all readings, look for free fall, list what is undecided, and
// match conventions.
#include "torsor/bridge/detect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/bridge/detect/gravity.hpp"
#include "torsor/bridge/detect/rank.hpp"
#include "torsor/bridge/detect/rows.hpp"
#include "torsor/bridge/detect/undecided.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

using namespace detection;

constexpr double kConstantLength = 0.1;  // relative spread of a quaternion's length, noise included

// A quaternion has constant length; four numbers that include a part of the position do not, except by accident.
std::vector<PoseOrder> pose_orders(const LogColumns& log) {
  if (log.pose_order_known || log.rotation_width() == 9) return {PoseOrder::kPositionFirst};
  const double last = length_spread(log, false), first = length_spread(log, true);
  const bool last_may_be = last < kConstantLength, first_may_be = first < kConstantLength;
  if (last_may_be && first_may_be && std::max(last, first) < 3 * std::min(last, first) + 0.01) {
    return {PoseOrder::kPositionFirst, PoseOrder::kRotationFirst};
  }
  return {first < last ? PoseOrder::kRotationFirst : PoseOrder::kPositionFirst};
}

// Whether two conventions of one system differ in their axes alone.
bool differ_in_axes_only(const Convention& a, const Convention& b) {
  const auto system = [](const Convention& c) { return c.id.substr(0, c.id.find('.')); };
  Row row = a.row;
  row.world = b.row.world, row.body = b.row.body;
  return system(a) == system(b) && a.row != b.row && row == b.row;
}

void add_ids(DetectionReport& report, const LogColumns& log, const DetectOptions& options) {
  const bool zero = options.p_BoBcm_B && norm(*options.p_BoBcm_B) < 1e-9;
  const std::vector<Convention> all = list_conventions();
  std::vector<const Convention*> listed;
  for (const Convention& convention : all) {
    Match best = Match::kNo;
    for (const Reading& reading : report.readings) {
      if (!reading.possible) continue;
      const Shown shown{reading, zero, report.gravity, options, !log.linear.empty() || !log.angular.empty()};
      best = std::max(best, match(convention.row, shown));
    }
    // of two that both match, the log does not show the axes: the first is the usual one
    const auto is_variant = [&](const Convention* other) { return differ_in_axes_only(convention, *other); };
    if (best == Match::kNo) continue;
    if (std::any_of(listed.begin(), listed.end(), is_variant)) {
      if (best == Match::kYes) report.ids_in_other_axes.push_back(convention.id);
      continue;
    }
    listed.push_back(&convention);
    if (best == Match::kYes) report.ids.push_back(convention.id);
    if (best == Match::kIfComAtOrigin) report.ids_if_com_at_origin.push_back(convention.id);
  }
}

void add_facts(DetectionReport& report, const Samples& samples) {
  report.samples = samples.size();
  report.gaps = samples.gaps;
  report.duration = samples.t.back() - samples.t.front();
  report.rate = 1 / samples.step;
  if (report.gaps)
    report.notes.push_back(fmt::format(
        "{} gaps where samples are missing; only windows much longer than a gap are used across it", report.gaps));
}

// The names of columns may be wrong, and contradict the numbers.
void check_names(DetectionReport& report, const LogColumns& log) {
  const QuatOrder found = report.readings.front().row.quat;
  if (log.named_quat == QuatOrder::kUnspecified || found == QuatOrder::kUnspecified || found == log.named_quat) return;
  for (const Undecided& undecided : report.undecided) {
    if (undecided.cell == "quat") return;
  }
  report.notes.push_back("the names of the quaternion's columns contradict its numbers");
}

}  // namespace

DetectionReport detect(const LogColumns& given, const DetectOptions& options) {
  check_log(given);
  LogColumns log = given;
  if (log.linear.empty() || log.angular.empty()) log.twist_order_known = true;
  DetectionReport report;
  Ranking best;
  for (const PoseOrder pose : pose_orders(log)) {
    const Samples samples = make_samples(log, pose == PoseOrder::kRotationFirst);
    Ranking ranking = rank_readings(samples, log, pose, options);
    if (!report.samples) add_facts(report, samples);
    const Reading& first = ranking.readings.front();
    if (ranking.linear == Verdict::kExplained) report.gravity = find_free_fall(samples, first).gravity;
    report.readings.insert(report.readings.end(), ranking.readings.begin(), ranking.readings.end());
    if (best.readings.empty() || (best.angular != Verdict::kExplained && ranking.angular == Verdict::kExplained)) {
      best = std::move(ranking);
    }
  }
  std::stable_sort(report.readings.begin(), report.readings.end(),
                   [](const Reading& a, const Reading& b) { return a.possible > b.possible; });
  add_undecided(report, log, best, options);
  check_names(report, log);
  add_ids(report, log, options);
  report.decided = report.undecided.empty();
  return report;
}

}  // namespace torsor
