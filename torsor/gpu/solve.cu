// Which solver of islands runs on a CUDA device.
#include "torsor/gpu/solve.hpp"

namespace torsor::gpu {

template <class S>
int launch_solver(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
                  void* stream, unsigned classes) {
  switch (arrays.method) {
    case IslandSolver::kNewton:
      break;
    case IslandSolver::kCg:
    case IslandSolver::kSap:
      return launch_primal(arrays, lists, scratch, stream);
    case IslandSolver::kPgs:
      return launch_pgs(arrays, lists, scratch, stream);
  }
  return launch_newton(arrays, lists, scratch, stream, classes);
}
template int launch_solver(const ConstraintArrays<float>&, const IslandLists&, const NewtonScratch<float>&, void*,
                           unsigned);
template int launch_solver(const ConstraintArrays<double>&, const IslandLists&, const NewtonScratch<double>&, void*,
                           unsigned);

}  // namespace torsor::gpu
