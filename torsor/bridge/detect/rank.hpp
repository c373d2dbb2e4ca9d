// All readings of a log, ranked.
#pragma once

#include <vector>

#include "torsor/bridge/detect.hpp"
#include "torsor/bridge/detect/samples.hpp"

namespace torsor::detection {

// The result of one comparison of poses and velocities.
enum class Verdict : char {
  kMissing,      // the log has no such columns
  kTooShort,     // fewer samples than a window needs
  kNoMotion,     // only noise
  kAliased,      // the body turns so far between two samples that the direction is ambiguous
  kUnexplained,  // motion, but under no reading are velocities the rates of poses
  kExplained,
};

struct Ranking {
  std::vector<Reading> readings;  // best first; those that the log does not rule out are marked as possible
  Verdict angular = Verdict::kMissing, linear = Verdict::kMissing;
  bool offset_excluded = false;     // the best reading's point is the posed one, to within the smallest offset
  double smallest_seen_offset = 0;  // smallest offset that would have been detected; may be infinite
};

// `pose` is the order in which the samples were taken from the columns; it becomes part of the readings' rows.
Ranking rank_readings(const Samples& samples, const LogColumns& log, PoseOrder pose, const DetectOptions& options);

}  // namespace torsor::detection
