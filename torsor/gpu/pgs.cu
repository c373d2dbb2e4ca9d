// Gauss-Seidel for islands on a CUDA device.
#include "torsor/gpu/kernels/pgs.hpp"
#include "torsor/gpu/solve.hpp"
#include "torsor/gpu/warp_launch.hpp"

namespace torsor::gpu {

template <class S>
int launch_pgs(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
               void* stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  return arrays.elliptic ? launch_by_warps<IslandPgs<S, 32, true>>(arrays, lists, scratch, on)
                         : launch_by_warps<IslandPgs<S, 32, false>>(arrays, lists, scratch, on);
}
template int launch_pgs(const ConstraintArrays<float>&, const IslandLists&, const NewtonScratch<float>&, void*);
template int launch_pgs(const ConstraintArrays<double>&, const IslandLists&, const NewtonScratch<double>&, void*);

}  // namespace torsor::gpu
