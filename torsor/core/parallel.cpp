// Threads that take the next piece from a common counter.
#include "torsor/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace torsor {

int thread_count(int n, int threads) {
  if (threads <= 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return std::max(1, std::min(threads, n));
}

void parallel_for(int n, int threads, const std::function<void(int, int)>& f) { parallel_for(n, threads, f, {}); }

bool parallel_for(int n, int threads, const std::function<void(int, int)>& f,
                  const std::function<bool()>& should_stop) {
  threads = thread_count(n, threads);
  if (threads == 1) {
    for (int i = 0; i < n; ++i) {
      if (should_stop && should_stop()) return false;
      f(i, 0);
    }
    return true;
  }
  std::atomic<int> next{0}, done{0};
  std::exception_ptr first;
  std::mutex mutex;
  const auto work = [&](int thread) {
    try {
      for (int i = next++; i < n; i = next++) {
        if (thread == 0 && should_stop && should_stop()) {
          next = n;
          return;
        }
        f(i, thread);
        ++done;
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
      next = n;
    }
  };
  std::vector<std::thread> workers;
  for (int thread = 1; thread < threads; ++thread) workers.emplace_back(work, thread);
  work(0);
  for (std::thread& worker : workers) worker.join();
  if (first) std::rethrow_exception(first);
  return done == n;
}

}  // namespace torsor
