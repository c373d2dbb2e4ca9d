// Newton's method with cones in float, see newton_launch.hpp.
#include "torsor/gpu/newton_launch.hpp"

namespace torsor::gpu {
template int launch_newton_with<float, true>(const ConstraintArrays<float>&, const IslandLists&,
                                             const NewtonScratch<float>&, cudaStream_t, unsigned);
}  // namespace torsor::gpu
