// Newton's method with pyramids in double, see newton_launch.hpp.
#include "torsor/gpu/newton_launch.hpp"

namespace torsor::gpu {
template int launch_newton_with<double, false>(const ConstraintArrays<double>&, const IslandLists&,
                                               const NewtonScratch<double>&, cudaStream_t, unsigned);
}  // namespace torsor::gpu
