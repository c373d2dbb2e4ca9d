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
  std::thread::id nobody;
  if (inside_.load(std::memory_order_relaxed) != self && !inside_.compare_exchange_strong(nobody, self)) return false;
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
    bool has_entered;
    {
      std::unique_lock lock(mutex_);
      ++listeners_, ++waiting_;
      has_entered = changed_.wait_for(lock, kBetweenSignals, [this, self] { return try_enter(self); });
      --waiting_, --listeners_;
    }
    restore_thread(released);
    if (has_entered) return;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    if (Clock::now() > deadline)
      throw Error("this object has been in use by another thread for 10 s: give each thread its own Data or Batch");
  }
}

void Gate::leave() noexcept {
  if (--depth_ > 0) return;
  inside_.store(std::thread::id());
  if (listeners_.load() > 0) wake_listeners();
}

void Gate::wake_listeners() noexcept {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

void Gate::let_others_through() {
  PyThreadState* released = release_thread();
  if (inside_.load() != std::this_thread::get_id()) {  // else this is a call from a callback
    std::unique_lock lock(mutex_);
    ++listeners_;
    changed_.wait_for(lock, kCourtesy, [this] { return is_free() && waiting_ == 0; });
    --listeners_;
  }
  restore_thread(released);
}

}  // namespace torsor::python
