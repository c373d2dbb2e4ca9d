// The flat parallel loop: every piece once, whatever the number of threads, and exceptions reach the caller.
#include "torsor/core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace torsor {
namespace {

TEST(ParallelFor, DoesEveryPieceOnceForAnyNumberOfThreads) {
  for (const int threads : {0, 1, 2, 3, 16}) {
    for (const int n : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> done(static_cast<size_t>(n));
      parallel_for(n, threads, [&](int i, int) { ++done[static_cast<size_t>(i)]; });
      for (int i = 0; i < n; ++i)
        ASSERT_EQ(done[static_cast<size_t>(i)], 1) << i << " of " << n << ", threads " << threads;
    }
  }
}

TEST(ParallelFor, NoTwoPiecesRunAtOnceUnderTheSameThreadNumber) {
  constexpr int kThreads = 4;
  std::atomic<int> busy[kThreads] = {};
  std::atomic<int> clashes{0};
  parallel_for(200, kThreads, [&](int, int thread) {
    ASSERT_GE(thread, 0);
    ASSERT_LT(thread, kThreads);
    if (busy[thread]++ != 0) ++clashes;
    std::this_thread::sleep_for(std::chrono::microseconds(100));  // long enough for others to start beside it
    --busy[thread];
  });
  EXPECT_EQ(clashes, 0);
}

TEST(ParallelFor, RethrowsWhatAPieceThrowsAndStartsNoMore) {
  for (const int threads : {1, 4}) {
    std::atomic<int> started{0};
    try {
      parallel_for(1'000'000, threads, [&](int i, int) {
        ++started;
        if (i == 10) throw std::runtime_error("piece 10");
        if (i > 100) std::this_thread::sleep_for(std::chrono::microseconds(1));  // or a busy machine does all before
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()), "piece 10");
    }
    EXPECT_LT(started, 1'000'000);
  }
}

TEST(ParallelFor, StopsWhenTheCallerAsksForIt) {
  for (const int threads : {1, 4}) {
    std::atomic<int> started{0};
    int asked = 0;
    const auto work = [&](int, int) {
      ++started;
      std::this_thread::sleep_for(std::chrono::microseconds(1));
    };
    const bool is_complete = parallel_for(1'000'000, threads, work, [&] { return ++asked > 5; });
    EXPECT_FALSE(is_complete);
    EXPECT_EQ(asked, 6);
    EXPECT_LT(started, 1'000'000);
    EXPECT_TRUE(parallel_for(100, threads, work, [] { return false; }));
    EXPECT_TRUE(parallel_for(100, threads, work, {}));
  }
}

TEST(ThreadCount, IsAtLeastOneAndNeverMoreThanThereIsWork) {
  EXPECT_EQ(thread_count(0, 4), 1);
  EXPECT_EQ(thread_count(2, 4), 2);
  EXPECT_EQ(thread_count(100, 4), 4);
  EXPECT_GE(thread_count(100, 0), 1);
}

}  // namespace
}  // namespace torsor
