// What cannot be determined from a log, why, and what to record instead.
#pragma once

#include "torsor/bridge/detect.hpp"
#include "torsor/bridge/detect/rank.hpp"

namespace torsor::detection {

// Fills `undecided`, `not_shown` and some of `notes` from the possible readings.
void add_undecided(DetectionReport& report, const LogColumns& log, const Ranking& ranking,
                   const DetectOptions& options);

}  // namespace torsor::detection
