// One thread at a time inside a Data or a Batch. A call into the engine runs without the GIL, so another Python thread
// might read contacts or rows while they are being replaced; every access to them enters the gate first.
// Decision 20 says why threads wait instead of failing.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <nanobind/nanobind.h>

namespace torsor::python {

class Gate {
 public:
  // Waits while another thread is inside. The caller holds the GIL, which is released while waiting; signal handlers
  // run. Throws Error if the other thread stays inside for kPatience. The thread inside may enter again.
  void enter();
  void leave() noexcept;

  // For a thread that has just left and will enter again: waits until waiting threads have passed, a few ms at most.
  // The caller holds the GIL, which is released while waiting.
  void let_others_through();
  bool is_wanted() const noexcept { return waiting_.load(std::memory_order_relaxed) > 0; }

  // How many times the thread inside has entered: above 1 in a call from a callback.
  int depth() const noexcept { return depth_; }

 private:
  bool try_enter(std::thread::id self);
  bool is_free() const noexcept { return inside_.load() == std::thread::id(); }
  void wait_for_turn(std::thread::id self);
  void wake_listeners() noexcept;

  // Who is inside, if anybody. Entering and leaving take no lock as long as nobody waits: a listener announces itself
  // before it looks who is inside, and a thread that leaves looks for listeners after it has left.
  std::atomic<std::thread::id> inside_{};
  int depth_ = 0;  // of the thread inside
  std::atomic<int> waiting_{0}, listeners_{0};
  std::mutex mutex_;  // of changed_
  std::condition_variable changed_;
};

// Releases the GIL, and acquires it again. Daemon threads that get here while the interpreter shuts down block forever:
// Python would terminate them in the middle of C++ code, whose objects are being destroyed.
PyThreadState* release_thread();
void restore_thread(PyThreadState* released);
// Called by the module: registers the shutdown of the interpreter for daemon threads.
void watch_for_exit();

// Enters a gate, and leaves it at the end of the scope.
class Hold {
 public:
  explicit Hold(Gate& gate) : gate_(gate) { gate_.enter(); }
  ~Hold() { gate_.leave(); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  Gate& gate_;
};

}  // namespace torsor::python
