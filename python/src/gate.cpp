// Waiting for a turn.
#include "gate.hpp"

#include <chrono>

#include <nanobind/nanobind.h>

#include "torsor/core/error.hpp"

namespace torsor::python {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience(10);
constexpr std::chrono::milliseconds kBetweenSignals(50);  // how often a waiting thread looks for Ctrl-C
constexpr std::chrono::milliseconds kCourtesy(5);         // how long a stepping thread waits for others to come through

}  // namespace

bool Gate::try_enter(std::thread::id self) {
  const std::lock_guard lock(mutex_);
  if (depth_ > 0 && inside_ != self) return false;
  inside_ = self;
  ++depth_;
  return true;
}

void Gate::enter() {
  const std::thread::id self = std::this_thread::get_id();
  if (!try_enter(self)) wait_for_turn(self);
}

void Gate::wait_for_turn(std::thread::id self) {
  const Clock::time_point deadline = Clock::now() + kPatience;
  for (;;) {
    PyThreadState* released = PyEval_SaveThread();
    std::unique_lock lock(mutex_);
    ++waiting_;
    const bool is_free = changed_.wait_for(lock, kBetweenSignals, [this] { return depth_ == 0; });
    --waiting_;
    if (is_free) {
      inside_ = self;
      depth_ = 1;
    }
    lock.unlock();
    PyEval_RestoreThread(released);
    if (is_free) return;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    if (Clock::now() > deadline)
      throw Error("this object has been in use by another thread for 10 s: give each thread its own Data or Batch");
  }
}

void Gate::leave() noexcept {
  const std::lock_guard lock(mutex_);
  if (--depth_ > 0) return;
  inside_ = {};
  changed_.notify_all();
}

void Gate::let_others_through() {
  PyThreadState* released = PyEval_SaveThread();
  {
    std::unique_lock lock(mutex_);
    const bool is_inside = depth_ > 0 && inside_ == std::this_thread::get_id();  // in a call from a callback
    if (!is_inside) changed_.wait_for(lock, kCourtesy, [this] { return depth_ == 0 && waiting_ == 0; });
  }
  PyEval_RestoreThread(released);
}

}  // namespace torsor::python
