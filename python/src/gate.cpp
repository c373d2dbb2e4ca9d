// Waiting for a turn.
#include "gate.hpp"

#include <chrono>

#include <nanobind/nanobind.h>

#include "torsor/core/error.hpp"

namespace torsor::python {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience(10);
constexpr std::chrono::milliseconds kBetweenSignals(50);  // how often a waiting thread checks for Ctrl-C
constexpr std::chrono::milliseconds kCourtesy(5);         // how long a stepping thread waits for others to pass

std::atomic<bool> is_exiting{false};
std::thread::id exiting_thread;
std::atomic<int> threads_without_gil{0};  // threads between PyEval_SaveThread() and restore_thread()

// Lets steps in progress finish: their threads then stop in restore_thread().
void prepare_exit() {
  exiting_thread = std::this_thread::get_id();
  is_exiting = true;
  PyThreadState* released = PyEval_SaveThread();
  for (int i = 0; i < 200 && threads_without_gil > 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  PyEval_RestoreThread(released);
}

}  // namespace

PyThreadState* release_thread() {
  ++threads_without_gil;
  return PyEval_SaveThread();
}

void restore_thread(PyThreadState* released) {
  --threads_without_gil;
  while (is_exiting && std::this_thread::get_id() != exiting_thread) std::this_thread::sleep_for(std::chrono::hours(1));
  PyEval_RestoreThread(released);
}

void watch_for_exit() { nanobind::module_::import_("atexit").attr("register")(nanobind::cpp_function(&prepare_exit)); }

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
    PyThreadState* released = release_thread();
    std::unique_lock lock(mutex_);
    ++waiting_;
    const bool is_free = changed_.wait_for(lock, kBetweenSignals, [this] { return depth_ == 0; });
    --waiting_;
    if (is_free) {
      inside_ = self;
      depth_ = 1;
    }
    lock.unlock();
    restore_thread(released);
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
  PyThreadState* released = release_thread();
  {
    std::unique_lock lock(mutex_);
    const bool is_inside = depth_ > 0 && inside_ == std::this_thread::get_id();  // in a call from a callback
    if (!is_inside) changed_.wait_for(lock, kCourtesy, [this] { return depth_ == 0 && waiting_ == 0; });
  }
  restore_thread(released);
}

}  // namespace torsor::python
