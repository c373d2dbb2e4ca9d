// Newton's method for islands on this machine: the kernels of the device with groups of one thread or, for tests, of as
// many as on a card.
#include <utility>
#include <vector>

#include "torsor/gpu/host_group.hpp"
#include "torsor/gpu/host_solve.hpp"
#include "torsor/gpu/kernels/newton_memory.hpp"

namespace torsor::gpu {
namespace {

constexpr int kGroups = 3;  // of a launch, as few as a card has for many islands; the last one begins

template <class S, int kClass, bool kElliptic>
void solve_class(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
                 HostDevice::Threads threads) {
  const int count = lists.counts[kClass];
  if (count == 0) return;
  std::vector<S> shared(kSharedNumbers<S, kClass>);
  const IslandOrder order = order_of_class<S, kClass>(kGroups, lists, scratch);
  for (int number = kGroups - 1; number >= 0; --number) {
    run_in_group<kClassThreads<kClass>>(threads, HostDevice::kIslands, [&](auto lanes) {
      order.for_each(Group<lanes()>(), number, count, [&](int k) {
        solve_island<S, kClass, lanes(), kElliptic>(arrays, lists, lists.indices[kClass * lists.capacity + k],
                                                    shared.data(), scratch.numbers + number * scratch.stride);
      });
    });
  }
}

template <class S, bool kElliptic, int... kClass>
void solve_classes(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
                   HostDevice::Threads threads, std::integer_sequence<int, kClass...>) {
  (solve_class<S, kClass, kElliptic>(arrays, lists, scratch, threads), ...);
}

}  // namespace

template <class S>
void run_newton_in_groups(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
                          HostDevice::Threads threads) {
  const auto classes = std::make_integer_sequence<int, kSizeClasses>();
  arrays.elliptic ? solve_classes<S, true>(arrays, lists, scratch, threads, classes)
                  : solve_classes<S, false>(arrays, lists, scratch, threads, classes);
}
template void run_newton_in_groups(const ConstraintArrays<float>&, const IslandLists&, const NewtonScratch<float>&,
                                   HostDevice::Threads);
template void run_newton_in_groups(const ConstraintArrays<double>&, const IslandLists&, const NewtonScratch<double>&,
                                   HostDevice::Threads);

template <class S>
void run_newton_on_host(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch) {
  run_newton_in_groups(arrays, lists, scratch, HostDevice::Threads::kOne);
}
template void run_newton_on_host(const ConstraintArrays<float>&, const IslandLists&, const NewtonScratch<float>&);
template void run_newton_on_host(const ConstraintArrays<double>&, const IslandLists&, const NewtonScratch<double>&);

}  // namespace torsor::gpu
