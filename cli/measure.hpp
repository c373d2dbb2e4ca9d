// How fast a model runs: one world, its stages, and many worlds in lanes.
#pragma once

#include <string>
#include <vector>

#include "cli/interrupt.hpp"
#include "cli/model_source.hpp"
#include "torsor/model/data.hpp"

namespace torsor::cli {

struct MeasureOptions {
  double seconds = 1;     // of measuring, for each of the three measurements
  int round_steps = 500;  // steps from the start pose; a measurement is the median of many such rounds
  int worlds = 0;         // in the lanes; 0 is sixteen packs
  int threads = 1;        // for the lanes
};

// Per step, or per step of one world.
struct Pace {
  double median = 0, best = 0;  // s
  int rounds = 0;
};

struct StageTime {
  const char* name;
  int depth;       // 0 is the whole step; a stage is part of the one above it with a smaller depth
  double seconds;  // per step
};

struct LanePace {
  Pace pace;
  int lanes = 0, worlds = 0, threads = 0;
};

Pace measure_steps(const Model& model, const RunSettings& settings, const MeasureOptions& options,
                   const Interrupt& interrupt);
// With the timers on, which costs some clock reads a step.
std::vector<StageTime> measure_stages(const Model& model, const RunSettings& settings, const MeasureOptions& options,
                                      const Interrupt& interrupt);
LanePace measure_lanes(const Model& model, const RunSettings& settings, const MeasureOptions& options,
                       const Interrupt& interrupt);

}  // namespace torsor::cli
