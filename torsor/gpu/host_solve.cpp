#include "torsor/gpu/host_solve.hpp"

#include <type_traits>
#include <vector>

#include "torsor/gpu/host_group.hpp"
#include "torsor/gpu/kernels/island_order.hpp"
#include "torsor/gpu/kernels/pgs.hpp"
#include "torsor/gpu/kernels/primal.hpp"
#include "torsor/gpu/kernels/warp_solver.hpp"

namespace torsor::gpu {
namespace {

constexpr int kWarps = 3;  // of a launch, as few as a card has for many islands; the last one begins

// `choose` makes the type of a solver from the number of threads of its group.
template <class Choose, class S>
void run_all(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
             HostDevice::Threads threads, Choose choose) {
  std::vector<double> shared(kSharedOfWarp / sizeof(double));
  const IslandOrder order(kWarps, scratch.groups, lists.taken);
  for (int number = kWarps - 1; number >= 0; --number) {
    run_in_group<32>(threads, HostDevice::kIslands, [&](auto lanes) {
      using Solver = std::remove_pointer_t<decltype(choose(lanes))>;
      order.for_each(Group<lanes()>(), number, count_islands(lists), [&](int k) {
        solve_one<Solver>(arrays, lists, k, shared.data(), scratch.numbers + number * scratch.stride);
      });
    });
  }
}

template <bool kElliptic, class S>
void run_with_cones(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
                    HostDevice::Threads threads) {
  if (arrays.method == IslandSolver::kPgs)
    run_all(arrays, lists, scratch, threads,
            [](auto lanes) { return static_cast<IslandPgs<S, lanes(), kElliptic>*>(nullptr); });
  else if (arrays.method == IslandSolver::kCg)
    run_all(arrays, lists, scratch, threads,
            [](auto lanes) { return static_cast<IslandPrimal<S, lanes(), kElliptic, false>*>(nullptr); });
  else if constexpr (kElliptic)  // SAP has no pyramids
    run_all(arrays, lists, scratch, threads,
            [](auto lanes) { return static_cast<IslandPrimal<S, lanes(), true, true>*>(nullptr); });
}

}  // namespace

template <class S>
void run_solver_on_host(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
                        HostDevice::Threads threads) {
  if (arrays.method == IslandSolver::kNewton) return run_newton_in_groups(arrays, lists, scratch, threads);
  arrays.elliptic ? run_with_cones<true>(arrays, lists, scratch, threads)
                  : run_with_cones<false>(arrays, lists, scratch, threads);
}
template void run_solver_on_host(const ConstraintArrays<float>&, const IslandLists&, const NewtonScratch<float>&,
                                 HostDevice::Threads);
template void run_solver_on_host(const ConstraintArrays<double>&, const IslandLists&, const NewtonScratch<double>&,
                                 HostDevice::Threads);

}  // namespace torsor::gpu
