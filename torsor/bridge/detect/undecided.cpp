#include "torsor/bridge/detect/undecided.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/convention/row_fields.hpp"

namespace torsor::detection {
namespace {

struct CellAdvice {
  const char* cell;
  const char* reason;
  const char* advice;
};
constexpr const char* kTurnAndMove = "rotate the body about two axes by at least 30 degrees while it moves";
constexpr CellAdvice kAdvice[] = {
    {"pose", "both ends of the seven numbers keep a constant length", "move the body over more than its own size"},
    {"quat", "the rotation in the log fits both orders", kTurnAndMove},
    {"twist.order", "the two vectors can be exchanged without a contradiction", kTurnAndMove},
    {"twist.point", "the log does not separate the velocities of these points",
     "rotate the body about two axes by at least 30 degrees, away from the world's origin, or give its centre of mass"},
    {"twist.linear", "the body hardly turned while it moved, or hardly moved",
     "turn the body by at least 30 degrees and then move it"},
    {"twist.angular", "the body turned about one axis only, hardly turned, or started out along the world's axes",
     kTurnAndMove},
    {"twist.angle", "the body hardly turned", "rotate the body by at least 30 degrees"},
};

const char* describe(Verdict verdict) {
  switch (verdict) {
    case Verdict::kMissing:
      return "the log has no such velocities";
    case Verdict::kTooShort:
      return "the log has too few samples";
    case Verdict::kNoMotion:
      return "the log shows no motion beyond its noise";
    case Verdict::kAliased:
      return "the body turns so far between two samples that the direction is ambiguous";
    case Verdict::kUnexplained:
      return "under no reading are the velocities the rates of the poses";
    default:
      return "";
  }
}
const char* advise(Verdict verdict) {
  switch (verdict) {
    case Verdict::kMissing:
      return "record linear and angular velocities in addition to the pose";
    case Verdict::kTooShort:
      return "record at least two seconds at 30 samples per second or more";
    case Verdict::kAliased:
      return "record more samples per second, or turn the body more slowly";
    case Verdict::kUnexplained:
      return "record more samples per second, and pose and velocities of one body at the same times";
    default:
      return kTurnAndMove;
  }
}

bool is_of(const std::string& cell, bool angular) {
  return angular ? cell == "twist.angular" || cell == "twist.angle" : cell == "twist.point" || cell == "twist.linear";
}

// The values of a cell among the possible readings.
std::vector<std::string> words_left(const DetectionReport& report, const RowField& field) {
  std::vector<std::string> words;
  for (const Reading& reading : report.readings) {
    if (!reading.possible) continue;
    const std::string word = field.get(reading.row);
    if (word != kUnspecifiedWord && std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
  return words;
}

void add_cell(DetectionReport& report, const CellAdvice& advice, const Ranking& ranking) {
  const std::string cell = advice.cell;
  const std::vector<std::string> words = words_left(report, *find_row_field(cell));
  if (words.size() < 2) return;
  Undecided undecided{cell, words, advice.reason, advice.advice};
  for (const bool angular : {true, false}) {
    const Verdict verdict = angular ? ranking.angular : ranking.linear;
    if (verdict == Verdict::kExplained || !(is_of(cell, angular) || (cell == "quat" && angular))) continue;
    undecided.reason = describe(verdict), undecided.advice = advise(verdict);
  }
  report.undecided.push_back(undecided);
}

// Cells of velocities that the log does not have.
void add_missing(DetectionReport& report, const LogColumns& log) {
  for (const CellAdvice& advice : kAdvice) {
    const bool angular = is_of(advice.cell, true), linear = is_of(advice.cell, false);
    if ((angular && log.angular.empty()) || (linear && log.linear.empty())) {
      report.undecided.push_back({advice.cell, {}, describe(Verdict::kMissing), advise(Verdict::kMissing)});
    }
  }
}

// Even a single remaining reading may fail to explain the motion.
void add_unexplained(DetectionReport& report, const Ranking& ranking) {
  for (const bool angular : {true, false}) {
    const Verdict verdict = angular ? ranking.angular : ranking.linear;
    if (verdict == Verdict::kExplained || verdict == Verdict::kMissing) continue;
    const auto covered = [&](const Undecided& undecided) { return is_of(undecided.cell, angular); };
    if (std::any_of(report.undecided.begin(), report.undecided.end(), covered)) continue;
    report.undecided.push_back({angular ? "twist.angular" : "twist.linear", {}, describe(verdict), advise(verdict)});
  }
}

void add_not_shown(DetectionReport& report, const LogColumns& log, const DetectOptions& options) {
  if (log.pose_order_known) report.not_shown.push_back("pose");
  if (log.twist_order_known) report.not_shown.push_back("twist.order");
  if (report.gravity.sign == 0) report.not_shown.insert(report.not_shown.end(), {"world", "length"});
  const bool offset_shows_axes = options.p_BoBcm_B && report.readings.front().row.twist.point == Point::kCom;
  if (!offset_shows_axes) report.not_shown.push_back("body");
}

}  // namespace

void add_undecided(DetectionReport& report, const LogColumns& log, const Ranking& ranking,
                   const DetectOptions& options) {
  for (const CellAdvice& advice : kAdvice) add_cell(report, advice, ranking);
  add_missing(report, log);
  add_unexplained(report, ranking);
  add_not_shown(report, log, options);
  if (ranking.offset_excluded && !options.p_BoBcm_B) {
    report.notes.push_back(
        fmt::format("the velocity is that of the posed point, to within {:.2g} units of length; if the centre "
                    "of mass is there, it is that of the centre of mass as well",
                    ranking.smallest_seen_offset));
  }
}

}  // namespace torsor::detection
