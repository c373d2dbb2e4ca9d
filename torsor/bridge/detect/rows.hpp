// Which of the known conventions match a log.
#pragma once

#include <string>
#include <vector>

#include "torsor/bridge/detect.hpp"

namespace torsor::detection {

enum class Match : char { kNo, kIfComAtOrigin, kYes };

// What is compared: cells that the log shows and the convention specifies.
struct Shown {
  const Reading& reading;
  bool offset_known_zero = false;  // the caller says that the centre of mass is at the origin
  const SeenGravity& gravity;
  const DetectOptions& options;
  bool has_twist = false;
};
Match match(const Row& row, const Shown& shown);

}  // namespace torsor::detection
