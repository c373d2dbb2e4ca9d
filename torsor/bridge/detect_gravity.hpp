// Free fall in a log: which way is up, and in which unit lengths are.
#pragma once

#include "torsor/bridge/detect.hpp"
#include "torsor/bridge/detect_samples.hpp"

namespace torsor::detection {

struct FreeFall {
  SeenGravity gravity;
  Vec offset{0, 0, 0},
      offset_error{0, 0, 0};  // from the point whose velocity the log has to the centre of mass, posed frame
};

// Looks at the velocities as the reading has them, world axes or body axes. Finds nothing unless most of the log is one
// fall.
FreeFall find_free_fall(const Samples& samples, const Reading& reading);

}  // namespace torsor::detection
