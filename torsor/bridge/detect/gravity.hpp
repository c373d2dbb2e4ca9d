// Free fall in a log: shows the up direction and the unit of length.
#pragma once

#include "torsor/bridge/detect.hpp"
#include "torsor/bridge/detect/samples.hpp"

namespace torsor::detection {

struct FreeFall {
  SeenGravity gravity;
  Vec offset{0, 0, 0},
      offset_error{0, 0, 0};  // from the point whose velocity the log has to the centre of mass, posed frame
};

// Uses the velocities as the reading interprets them, in world or body axes. Finds nothing unless most of the log is a
// single fall.
FreeFall find_free_fall(const Samples& samples, const Reading& reading);

}  // namespace torsor::detection
