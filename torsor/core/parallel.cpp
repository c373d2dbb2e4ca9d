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

void parallel_for(int n, int threads, const std::function<void(int, int)>& f) {
  threads = thread_count(n, threads);
  if (threads == 1) {
    for (int i = 0; i < n; ++i) f(i, 0);
    return;
  }
  std::atomic<int> next{0};
  std::exception_ptr first;
  std::mutex mutex;
  const auto work = [&](int thread) {
    try {
      for (int i = next++; i < n; i = next++) f(i, thread);
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
}

}  // namespace torsor
