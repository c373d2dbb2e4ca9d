// Threads that are kept: every piece is done once, faults come back, and a forked process has threads of its own.
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "torsor/core/thread_pool.hpp"

namespace torsor {
namespace {

TEST(ThreadPool, DoesEveryPieceOnceInEveryCall) {
  ThreadPool pool;
  for (const int threads : {1, 2, 5, 3, 0}) {
    for (const int n : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> done(static_cast<size_t>(n));
      EXPECT_TRUE(pool.run(n, threads, [&](int i, int thread) {
        EXPECT_TRUE(thread == 0 || thread < threads || threads == 0) << thread;
        ++done[static_cast<size_t>(i)];
      }));
      for (const auto& count : done) EXPECT_EQ(count, 1);
    }
  }
}

// Threads of one call have different numbers, so that each may use memory of its own.
TEST(ThreadPool, NoTwoThreadsHaveTheSameNumber) {
  ThreadPool pool;
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> inside[4] = {};
    pool.run(40, 4, [&](int, int thread) {
      EXPECT_EQ(++inside[thread], 1);
      std::this_thread::yield();
      --inside[thread];
    });
  }
}

TEST(ThreadPool, ThreadsAreKeptFromCallToCall) {
  ThreadPool pool;
  std::mutex mutex;
  std::set<std::thread::id> seen;
  for (int round = 0; round < 50; ++round)
    pool.run(8, 3, [&](int, int) {
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
    });
  EXPECT_LE(seen.size(), 3u);
}

TEST(ThreadPool, AnExceptionEndsTheCallAndReachesTheCaller) {
  ThreadPool pool;
  for (const int threads : {1, 3}) {
    std::atomic<int> done{0};
    const auto piece = [&](int i, int) {
      if (i == 5) throw std::runtime_error("five");
      ++done;
    };
    EXPECT_THROW(pool.run(100'000, threads, piece), std::runtime_error);
    EXPECT_LT(done, 100'000);
    EXPECT_TRUE(pool.run(10, threads, [](int, int) {}));  // and the pool goes on
  }
}

TEST(ThreadPool, TheCallerMayStopIt) {
  ThreadPool pool;
  for (const int threads : {1, 3}) {
    int asked = 0;
    EXPECT_FALSE(pool.run(
        1'000'000, threads, [](int, int) {}, [&] { return ++asked > 3; }));
  }
}

TEST(ThreadPool, AForkedProcessMakesThreadsOfItsOwn) {
  ThreadPool pool;
  pool.run(8, 2, [](int, int) {});
  const pid_t child = fork();
  if (child == 0) {
    std::atomic<int> done{0};
    pool.run(8, 2, [&](int, int) { ++done; });
    _exit(done == 8 ? 7 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
}

}  // namespace
}  // namespace torsor
