// Newton's method for islands on a CUDA device: which of the kernels in newton_*.cu.
#include "torsor/gpu/newton.hpp"

namespace torsor::gpu {

template <class S, bool kElliptic>
int launch_newton_with(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
                       cudaStream_t stream, unsigned classes);

template <class S>
int launch_newton(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
                  void* stream, unsigned classes) {
  const auto on = static_cast<cudaStream_t>(stream);
  return arrays.elliptic ? launch_newton_with<S, true>(arrays, lists, scratch, on, classes)
                         : launch_newton_with<S, false>(arrays, lists, scratch, on, classes);
}
template int launch_newton(const ConstraintArrays<float>&, const IslandLists&, const NewtonScratch<float>&, void*,
                           unsigned);
template int launch_newton(const ConstraintArrays<double>&, const IslandLists&, const NewtonScratch<double>&, void*,
                           unsigned);

}  // namespace torsor::gpu
