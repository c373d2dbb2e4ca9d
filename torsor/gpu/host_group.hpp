// Groups of several threads on the processor, for tests: fibers, of which each runs until it waits for the others. So
// one thread of a group is as far ahead of another as it can be, and a missing sync shows. Throws std::logic_error
// where the threads of a group do not wait in the same places.
#pragma once

#include <functional>
#include <type_traits>

#include "torsor/gpu/host_device.hpp"

namespace torsor::gpu {

// Runs work() in `lanes` threads. Backwards: the last one first.
void run_in_group(int lanes, bool backwards, const std::function<void()>& work);

// Calls f(number of threads as a constant) in each thread of a group of L, or in one thread, and counts the groups.
template <int L, class F>
void run_in_group(HostDevice::Threads threads, HostDevice::Work work, F&& f) {
  if (threads == HostDevice::Threads::kOne) return f(std::integral_constant<int, 1>());
  ++host_device().groups[work];
  run_in_group(L, threads == HostDevice::Threads::kBackwards, [&] { f(std::integral_constant<int, L>()); });
}

}  // namespace torsor::gpu
