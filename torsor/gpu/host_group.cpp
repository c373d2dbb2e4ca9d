#include "torsor/gpu/host_group.hpp"

#include <ucontext.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

#include "torsor/gpu/kernels/group.hpp"

namespace torsor::gpu {
namespace {

constexpr std::size_t kStack = std::size_t{1} << 20;  // frames are large where nothing is optimised

class Fibers final : public HostThreads {
 public:
  Fibers(int lanes, bool backwards, const std::function<void()>& work)
      : work_(work), fibers_(static_cast<std::size_t>(lanes)), backwards_(backwards) {}

  void run() {
    static thread_local std::vector<std::unique_ptr<char[]>> stacks;  // of groups one after the other
    while (stacks.size() < fibers_.size()) stacks.push_back(std::make_unique_for_overwrite<char[]>(kStack));
    for (std::size_t k = 0; k < fibers_.size(); ++k) {
      Fiber& fiber = fibers_[k];
      getcontext(&fiber.context);
      fiber.context.uc_stack.ss_sp = stacks[k].get();
      fiber.context.uc_stack.ss_size = kStack;
      fiber.context.uc_link = &home_;
      makecontext(&fiber.context, &Fibers::begin, 0);
    }
    HostThreads* const outside = host_threads;
    host_threads = this;
    while (!is_done() && !failure_) {
      for (int k = 0; k < lanes(); ++k) go_on(backwards_ ? lanes() - 1 - k : k);
      release();
    }
    host_threads = outside;
    if (failure_) std::rethrow_exception(failure_);
  }

  int lane() const override { return lane_; }
  void wait(int place, int lanes) override {
    Fiber& fiber = fibers_[std::size_t(lane_)];
    fiber.place = place;
    fiber.lanes = lanes;
    swapcontext(&fiber.context, &home_);
  }
  void put(const void* number, std::size_t bytes) override {
    std::memcpy(fibers_[std::size_t(lane_)].number, number, bytes);
  }
  void get(int lane, void* number, std::size_t bytes) const override {
    std::memcpy(number, fibers_[std::size_t(lane)].number, bytes);
  }

 private:
  static constexpr int kRuns = 0, kEnd = -1;
  struct Fiber {
    ucontext_t context;
    int place = kRuns, lanes = 0;  // where it waits, and with how many
    char number[16];
  };

  static void begin() {
    auto* const self = static_cast<Fibers*>(host_threads);
    const int lane = self->lane_;
    try {
      self->work_();
    } catch (...) {
      self->failure_ = std::current_exception();
    }
    self->fibers_[std::size_t(lane)].place = kEnd;
  }
  int lanes() const { return static_cast<int>(fibers_.size()); }
  bool is_done() const {
    return std::all_of(fibers_.begin(), fibers_.end(), [](const Fiber& fiber) { return fiber.place == kEnd; });
  }
  void go_on(int lane) {
    Fiber& fiber = fibers_[std::size_t(lane)];
    if (fiber.place != kRuns || failure_) return;
    lane_ = lane;
    swapcontext(&home_, &fiber.context);
  }
  // Groups of which all threads wait in one place go on.
  void release() {
    bool has_released = false;
    for (int first = 0; first < lanes(); ++first) {
      const int place = fibers_[std::size_t(first)].place, width = fibers_[std::size_t(first)].lanes;
      if (place <= 0 || first % width != 0) continue;
      const auto begin = fibers_.begin() + first, end = begin + width;
      if (!std::all_of(begin, end, [&](const Fiber& f) { return f.place == place && f.lanes == width; })) continue;
      std::for_each(begin, end, [](Fiber& fiber) { fiber.place = kRuns; });
      has_released = true;
    }
    if (!has_released && !is_done() && !failure_)
      failure_ = std::make_exception_ptr(std::logic_error("the threads of a group wait in different places"));
  }

  const std::function<void()>& work_;
  std::vector<Fiber> fibers_;
  const bool backwards_;
  ucontext_t home_{};
  int lane_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

void run_in_group(int lanes, bool backwards, const std::function<void()>& work) {
  Fibers(lanes, backwards, work).run();
}

}  // namespace torsor::gpu
