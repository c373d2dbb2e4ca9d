// How fast a model runs: one world, its stages, and many worlds in lanes.
#pragma once

#include <functional>
#include <vector>

#include "cli/interrupt.hpp"
#include "cli/model_source.hpp"
#include "torsor/batch/batch.hpp"
#include "torsor/model/data.hpp"

namespace torsor::cli {

struct MeasureOptions {
  double seconds = 5;     // time budget of all measurements together
  int fewest_rounds = 5;  // of each measurement, even if the budget is too short for them
  int round_steps = 500;  // steps from the start pose; a measurement is the median of many such rounds
  int worlds = 0;         // in the lanes; 0 is sixteen packs
  int threads = 1;        // for the lanes
};

// Seconds per step, or per step of one world, over rounds; half of the rounds are between the quartiles.
struct Pace {
  int rounds = 0;
  double median = 0, best = 0, lower_quartile = 0, upper_quartile = 0;

  // Half the interquartile range relative to the median.
  double spread() const { return median > 0 ? 0.5 * (upper_quartile - lower_quartile) / median : 0; }
};

struct StageTime {
  const char* name;
  int depth;       // 0 is the whole step; a stage is part of the one above it with a smaller depth
  double seconds;  // per step
};

struct Measurement {
  Pace one_world;
  Pace in_lanes;
  int lanes = 0, worlds = 0;
  std::vector<BatchPlanRow> plan;  // of the worlds in lanes
  std::vector<StageTime> stages;   // of the quickest round with the timers on, which costs some clock reads a step
};

// Called after every round with the completed fraction, 0 to 1, and the measurement of one world so far.
using MeasureProgress = std::function<void(double part, const Pace& one_world)>;

// One world, one world with timers and many worlds take turns, so that other load on the machine affects them equally.
// Ctrl-C ends it with partial results, after at least one round of each.
Measurement measure(const Model& model, const RunSettings& settings, const MeasureOptions& options,
                    const Interrupt& interrupt, const MeasureProgress& progress);

}  // namespace torsor::cli
