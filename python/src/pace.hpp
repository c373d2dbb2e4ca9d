// Tells a long loop when to pause. Reading a clock in every step would cost as much as a step of a small model, so the
// clock is read about once per millisecond; the number of steps in between is adapted to their speed.
#pragma once

#include <algorithm>
#include <chrono>

namespace torsor::python {

class Pace {
 public:
  // True every few milliseconds. Call it once per step.
  bool is_due() { return --left_ <= 0 && look(); }

 private:
  using Clock = std::chrono::steady_clock;

  bool look() {
    using namespace std::chrono_literals;
    const Clock::time_point now = Clock::now();
    if (looked_ == Clock::time_point{}) looked_ = paused_ = now;  // the first step
    const auto taken = now - looked_;
    stride_ = taken < 500us ? std::min(2 * stride_, 1 << 20) : taken > 2ms ? std::max(stride_ / 4, 1) : stride_;
    left_ = stride_;
    looked_ = now;
    if (now - paused_ < 5ms) return false;
    paused_ = now;
    return true;
  }

  int stride_ = 1, left_ = 1;
  Clock::time_point looked_{}, paused_{};
};

}  // namespace torsor::python
