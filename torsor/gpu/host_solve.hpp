// The solvers of islands on this machine, for the device 'host'.
#pragma once

#include "torsor/gpu/host_device.hpp"
#include "torsor/gpu/solve.hpp"

namespace torsor::gpu {

template <class S>
void run_solver_on_host(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
                        HostDevice::Threads threads);
// Newton's method
template <class S>
void run_newton_in_groups(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
                          HostDevice::Threads threads);

}  // namespace torsor::gpu
