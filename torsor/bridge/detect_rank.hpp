// All readings of a log, ranked.
#pragma once

#include <vector>

#include "torsor/bridge/detect.hpp"
#include "torsor/bridge/detect_samples.hpp"

namespace torsor::detection {

// What one comparison of poses and velocities came to.
enum class Verdict : char {
  kMissing,      // the log has no such columns
  kTooShort,     // fewer samples than a window needs
  kNoMotion,     // nothing to compare but noise
  kAliased,      // the body turns so far between two samples that the way round is a guess
  kUnexplained,  // motion, and no reading under which velocities are the rates of poses
  kExplained,
};

struct Ranking {
  std::vector<Reading> readings;  // best first; those that the log does not rule out are marked as possible
  Verdict angular = Verdict::kMissing, linear = Verdict::kMissing;
  bool offset_excluded = false;     // the best reading's point is the posed one, to within the smallest offset
  double smallest_seen_offset = 0;  // which offset would have been seen; infinite if none in some direction
};

// `pose` is the order under which the samples were taken from the columns, for the readings' rows.
Ranking rank_readings(const Samples& samples, const LogColumns& log, PoseOrder pose, const DetectOptions& options);

}  // namespace torsor::detection
