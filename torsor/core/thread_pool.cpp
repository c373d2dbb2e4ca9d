#include "torsor/core/thread_pool.hpp"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <unistd.h>

#include "torsor/core/parallel.hpp"

namespace torsor {

// Helpers join a call while it has places left. The caller takes back the places that nobody took by the time that it
// is done with its own pieces, so that it never waits for a thread that has yet to wake up.
struct ThreadPool::Crew {
  ~Crew() {
    {
      const std::lock_guard lock(mutex);
      is_ending = true;
    }
    wake.notify_all();
    for (std::thread& helper : helpers) helper.join();
  }

  void help() {
    std::unique_lock lock(mutex);
    for (;;) {
      wake.wait(lock, [this] { return is_ending || places > 0; });
      if (is_ending) return;
      --places;
      ++inside;
      const int thread = ++joined;
      lock.unlock();
      work(thread, nullptr);
      lock.lock();
      if (--inside == 0) done.notify_one();
    }
  }

  // Takes pieces until there are none. What a piece throws ends the call for all.
  void work(int thread, const std::function<bool()>* should_stop) {
    try {
      for (int i = next++; i < count; i = next++) {
        if (should_stop && *should_stop && (*should_stop)()) {
          next = count;
          return;
        }
        piece(context, i, thread);
        ++finished;
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!thrown) thrown = std::current_exception();
      next = count;
    }
  }

  const pid_t process = getpid();
  std::vector<std::thread> helpers;
  std::mutex mutex;
  std::condition_variable wake, done;
  bool is_ending = false;
  int places = 0, joined = 0, inside = 0;  // of the call: helpers that may still join, have joined, are at work

  Piece piece = nullptr;
  void* context = nullptr;
  int count = 0;
  std::atomic<int> next{0}, finished{0};
  std::exception_ptr thrown;
};

namespace {

bool is_of_another_process(pid_t process) { return process != getpid(); }

}  // namespace

ThreadPool::ThreadPool() = default;

ThreadPool::~ThreadPool() {
  if (crew_ && is_of_another_process(crew_->process)) static_cast<void>(crew_.release());
}

// The threads of a parent process do not exist in its child. What is left of them, locks included, is never touched.
void ThreadPool::ensure_crew(int helpers) {
  if (crew_ && is_of_another_process(crew_->process)) static_cast<void>(crew_.release());
  if (!crew_) crew_ = std::make_unique<Crew>();
  try {
    while (crew_->helpers.size() < static_cast<size_t>(helpers))
      crew_->helpers.emplace_back([crew = crew_.get()] { crew->help(); });
  } catch (const std::system_error&) {  // those that exist do the work
  }
}

bool ThreadPool::run_pieces(int n, int threads, Piece piece, void* context, const std::function<bool()>& should_stop) {
  threads = thread_count(n, threads);
  if (threads == 1) {
    for (int i = 0; i < n; ++i) {
      if (should_stop && should_stop()) return false;
      piece(context, i, 0);
    }
    return true;
  }
  ensure_crew(threads - 1);
  Crew& crew = *crew_;
  {
    const std::lock_guard lock(crew.mutex);
    crew.piece = piece;
    crew.context = context;
    crew.count = n;
    crew.next = crew.finished = crew.joined = 0;
    crew.thrown = nullptr;
    crew.places = threads - 1;
  }
  crew.wake.notify_all();
  crew.work(0, &should_stop);
  std::unique_lock lock(crew.mutex);
  crew.places = 0;
  crew.done.wait(lock, [&crew] { return crew.inside == 0; });
  if (crew.thrown) std::rethrow_exception(std::exchange(crew.thrown, nullptr));
  return crew.finished == n;
}

}  // namespace torsor
