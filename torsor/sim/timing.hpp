// Times a scope when timers are on, by the user's clock or the system's; reads no clock when they are off.
#pragma once

#include <chrono>
#include <utility>
#include <vector>

#include "torsor/model/data.hpp"

namespace torsor {

// Rethrows an exception of the user's clock from the end of a timed scope, where it could not be thrown.
inline void throw_clock_failure(Data& data) {
  if (data.clock_failure) std::rethrow_exception(std::exchange(data.clock_failure, nullptr));
}

class ScopedTimer {
 public:
  ScopedTimer(Data& data, Timer which) : data_(data), which_(which), on_(data.timers_on) {
    if (on_) start_ = read_clock(data);
  }
  ~ScopedTimer() {
    if (on_) stop();
  }
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;

 private:
  static double system_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  static double read_clock(Data& data) {
    if (!data.clock) return system_seconds();
    throw_clock_failure(data);
    return data.clock();
  }
  void stop() noexcept;  // an exception of the clock is kept in data.clock_failure

  Data& data_;
  Timer which_;
  bool on_;
  double start_ = 0;
};

// Guards a public call. finish() rethrows an exception of the user's clock, after restoring the state before the call.
class ClockGuard {
 public:
  ClockGuard(const Model& model, Data& data);
  void finish() {
    if (data_.clock_failure) restore();
    throw_clock_failure(data_);
  }

 private:
  void restore();

  const Model& model_;
  Data& data_;
  std::vector<double> state_;  // empty without a user clock
};

}  // namespace torsor
