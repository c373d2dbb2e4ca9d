// Times a scope when timers are on; reads no clock when they are off.
#pragma once

#include <chrono>

#include "torsor/model/data.hpp"

namespace torsor {

class ScopedTimer {
 public:
  ScopedTimer(Data& data, Timer which) : data_(data), which_(which), on_(data.timers_on) {
    if (on_) start_ = std::chrono::steady_clock::now();
  }
  ~ScopedTimer() {
    if (!on_) return;
    TimerCount& timer = data_.timer[static_cast<int>(which_)];
    timer.duration += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    ++timer.number;
  }
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;

 private:
  Data& data_;
  Timer which_;
  bool on_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace torsor
