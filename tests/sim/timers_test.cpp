// Stage timers: free when off, consistent when on. Every look at a clock by this program is counted, and a test can
// have a clock that ticks once with every look, which makes durations the same on every machine.
#include <gtest/gtest.h>

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>

#include "tests/sim/scenes.hpp"

namespace {

std::atomic<long> clock_reads{0};
std::atomic<bool> reads_are_ticks{false};

struct TickingClock {
  TickingClock() { reads_are_ticks = true; }
  ~TickingClock() { reads_are_ticks = false; }
};

}  // namespace

// The standard library reads its clocks through this function, which a program may replace.
extern "C" int clock_gettime(clockid_t clock, timespec* time) {
  const long reads = ++clock_reads;
  if (reads_are_ticks) {
    *time = {.tv_sec = reads / 1000, .tv_nsec = reads % 1000 * 1'000'000};  // milliseconds
    return 0;
  }
  return static_cast<int>(syscall(SYS_clock_gettime, clock, time));
}

namespace torsor {
namespace {

TimerCount timer_of(const Data& data, Timer timer) { return data.timer[static_cast<int>(timer)]; }

TEST(Timers, TheCounterOfClockReadsSeesOne) {
  const long before = clock_reads;
  const auto now = std::chrono::steady_clock::now();
  EXPECT_EQ(clock_reads - before, 1) << now.time_since_epoch().count();
}

TEST(Timers, AreOffAtFirstAndThenNoClockIsRead) {
  for (const Integrator integrator : kIntegrators) {
    const Model model = make_scene(integrator);
    Data data(model);
    EXPECT_FALSE(data.timers_on);
    const long before = clock_reads;
    for (int i = 0; i < 10; ++i) step(model, data);
    step1(model, data);
    step2(model, data);
    inverse(model, data);
    EXPECT_EQ(clock_reads - before, 0);
    for (const TimerCount& timer : data.timer) {
      EXPECT_EQ(timer.number, 0);
      EXPECT_EQ(timer.duration, 0);
    }
  }
}

TEST(Timers, CountEveryCallOfAStage) {
  const Model model = make_scene();
  Data data(model);
  data.timers_on = true;
  for (int i = 0; i < 10; ++i) step(model, data);
  for (const Timer timer : {Timer::kStep, Timer::kForward, Timer::kPosition, Timer::kKinematics, Timer::kInertia,
                            Timer::kVelocity, Timer::kActuation, Timer::kConstraint, Timer::kAdvance})
    EXPECT_EQ(timer_of(data, timer).number, 10) << static_cast<int>(timer);
  inverse(model, data);
  EXPECT_EQ(timer_of(data, Timer::kInverse).number, 1);
  EXPECT_EQ(timer_of(data, Timer::kPosition).number, 11);
}

TEST(Timers, AWholeTakesAtLeastAsLongAsItsParts) {
  const Model model = make_scene();
  Data data(model);
  data.timers_on = true;
  const TickingClock clock;
  for (int i = 0; i < 100; ++i) step(model, data);
  const auto seconds = [&](Timer timer) { return timer_of(data, timer).duration; };
  EXPECT_NEAR(seconds(Timer::kKinematics), 0.1, 1e-9) << "one tick from the first look to the next, in each step";
  EXPECT_GE(seconds(Timer::kPosition), seconds(Timer::kKinematics) + seconds(Timer::kInertia));
  EXPECT_GE(seconds(Timer::kForward),
            seconds(Timer::kPosition) + seconds(Timer::kVelocity) + seconds(Timer::kConstraint));
  EXPECT_GE(seconds(Timer::kStep), seconds(Timer::kForward) + seconds(Timer::kAdvance));
}

TEST(Timers, DoNotChangeTheResult) {
  const Model model = make_scene();
  Data timed(model), plain(model);
  timed.timers_on = true;
  for (int i = 0; i < 20; ++i) {
    step(model, timed);
    step(model, plain);
  }
  EXPECT_TRUE(same_bits(state_of(model, timed), state_of(model, plain)));
}

}  // namespace
}  // namespace torsor
