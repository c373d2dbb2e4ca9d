// Conjugate gradients and SAP for islands on a CUDA device.
#include "torsor/gpu/kernels/primal.hpp"
#include "torsor/gpu/solve.hpp"
#include "torsor/gpu/warp_launch.hpp"

namespace torsor::gpu {

template <class S>
int launch_primal(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
                  void* stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  if (arrays.method == IslandSolver::kSap)  // which has no pyramids
    return launch_by_warps<IslandPrimal<S, 32, true, true>>(arrays, lists, scratch, on);
  return arrays.elliptic ? launch_by_warps<IslandPrimal<S, 32, true, false>>(arrays, lists, scratch, on)
                         : launch_by_warps<IslandPrimal<S, 32, false, false>>(arrays, lists, scratch, on);
}
template int launch_primal(const ConstraintArrays<float>&, const IslandLists&, const NewtonScratch<float>&, void*);
template int launch_primal(const ConstraintArrays<double>&, const IslandLists&, const NewtonScratch<double>&, void*);

}  // namespace torsor::gpu
