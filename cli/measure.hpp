// How fast a model runs: one world, its stages, and many worlds in lanes.
#pragma once

#include <vector>

#include "cli/interrupt.hpp"
#include "cli/model_source.hpp"
#include "torsor/model/data.hpp"

namespace torsor::cli {

struct MeasureOptions {
  double seconds = 3;     // of measuring in all
  int round_steps = 500;  // steps from the start pose; a measurement is the median of many such rounds
  int worlds = 0;         // in the lanes; 0 is sixteen packs
  int threads = 1;        // for the lanes
};

// Per step, or per step of one world.
struct Pace {
  double median = 0, best = 0;  // s
};

struct StageTime {
  const char* name;
  int depth;       // 0 is the whole step; a stage is part of the one above it with a smaller depth
  double seconds;  // per step
};

struct Measurement {
  int rounds = 0;
  Pace one_world;
  Pace in_lanes;
  int lanes = 0, worlds = 0;
  std::vector<StageTime> stages;  // of the quickest round with the timers on, which costs some clock reads a step
};

// The three take turns, so that whatever else the machine does disturbs them alike. Ctrl-C ends it with what there is.
Measurement measure(const Model& model, const RunSettings& settings, const MeasureOptions& options,
                    const Interrupt& interrupt);

}  // namespace torsor::cli
