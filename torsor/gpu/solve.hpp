// The solvers of islands on a device, by ConstraintArrays::method: Newton's method, see newton.hpp, and those for which
// a warp takes an island of any size.
#pragma once

#include <cstddef>

#include "torsor/gpu/newton.hpp"

namespace torsor::gpu {

// Scratch memory of one group, in numbers of S, for islands as large as the arrays have room for. `mass_numbers` are
// those of M, `units` the rows of one dof that a world can have.
template <class S>
std::ptrdiff_t solver_scratch_stride(const ConstraintArrays<S>& arrays, int mass_numbers, int units);
// Groups that memory is worth spending on: as many as a large device runs at a time, fewer where their parts are large
// or little memory is free.
int solver_scratch_groups(std::size_t islands, std::size_t bytes_of_group, std::size_t free_bytes);

// Solves all islands of the lists, as launch_newton() does. Returns a cudaError_t.
template <class S>
int launch_solver(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
                  void* stream, unsigned classes);

// Gauss-Seidel
template <class S>
int launch_pgs(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
               void* stream);

// Conjugate gradients and SAP
template <class S>
int launch_primal(const ConstraintArrays<S>& arrays, const IslandLists& lists, const NewtonScratch<S>& scratch,
                  void* stream);

}  // namespace torsor::gpu
