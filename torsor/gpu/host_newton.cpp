// Newton's method for islands on this machine: the kernels of the device with groups of one thread.
#include "torsor/gpu/newton.hpp"

#include <vector>

#include "torsor/gpu/kernels/newton_memory.hpp"

namespace torsor::gpu {
namespace {

template <class S, int kClass, bool kElliptic>
void solve_class(const ConstraintArrays<S>& arrays, const IslandLists& lists, S* scratch) {
  std::vector<S> shared(kSharedNumbers<S, kClass>);
  for (int k = 0; k < lists.counts[kClass]; ++k)
    solve_island<S, kClass, 1, kElliptic>(arrays, lists, lists.indices[kClass * lists.capacity + k], shared.data(),
                                          scratch);
}

template <class S, bool kElliptic, int... kClass>
void solve_classes(const ConstraintArrays<S>& arrays, const IslandLists& lists, S* scratch,
                   std::integer_sequence<int, kClass...>) {
  (solve_class<S, kClass, kElliptic>(arrays, lists, scratch), ...);
}

}  // namespace

template <class S>
void run_newton_on_host(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch) {
  const auto classes = std::make_integer_sequence<int, kSizeClasses>();
  if (arrays.elliptic) {
    solve_classes<S, true>(arrays, lists, scratch.numbers, classes);
  } else {
    solve_classes<S, false>(arrays, lists, scratch.numbers, classes);
  }
}
template void run_newton_on_host(const ConstraintArrays<float>&, const IslandLists&, const NewtonScratch<float>&);
template void run_newton_on_host(const ConstraintArrays<double>&, const IslandLists&, const NewtonScratch<double>&);

}  // namespace torsor::gpu
