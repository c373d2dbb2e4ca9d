// The solvers for worlds in lanes, for callers outside of the kernels: numbers are double or float, the lanes of a pack
// side by side, as many as one register of the current instruction set holds. Kernels of other folders include
// kernels/wide_primal.hpp and work on packs instead.
#pragma once

#include "torsor/solver/wide_problem.hpp"

namespace torsor::solver {

// A number of M: its places in the caller's array and in WideProblem::M, and the dof of a diagonal one, else -1.
struct WideMassEntry {
  int from, to, dof;
};

template <class S>
struct WideKernels {
  int lanes;
  std::size_t (*scratch_bytes)(const WideSizes& sizes);
  // Bit l of `lanes`: solve lane l. The arrays of problem and solution are those of packs of `lanes` numbers, aligned
  // to 64 bytes, and so is scratch. See view_as().
  void (*newton)(const WideProblem<S>& problem, const Options& options, const WideSizes& sizes, unsigned lanes,
                 void* scratch, const WideSolution<S>& solution);
  void (*cg)(const WideProblem<S>& problem, const Options& options, const WideSizes& sizes, unsigned lanes,
             void* scratch, const WideSolution<S>& solution);
  // Gauss-Seidel on the forces needs more scratch, and WideProblem::turns. Leaves `x` of the solution alone.
  std::size_t (*dual_scratch_bytes)(const WideSizes& sizes);
  void (*pgs)(const WideProblem<S>& problem, const Options& options, const WideSizes& sizes, unsigned lanes,
              void* scratch, const WideSolution<S>& solution);

  // Between the caller's order of dofs and that of the problem: dofs[place], -1 where a place only fills a tile. Bit l
  // of dof_lanes[dof]: the dof is part of what lane l solves; it does not move in other lanes. M, with `implicit` (may
  // be null) added to the diagonal, and WideProblem::scale.
  void (*gather_mass)(const WideMassEntry* entries, int count, const S* M, const S* implicit, const unsigned* dof_lanes,
                      unsigned lanes, S* tiles, S* scale);
  void (*gather_start)(const int* dofs, int count, const unsigned* dof_lanes, const S* warm, const S* smooth, S* start);
  void (*scatter_results)(const int* dofs, int count, const unsigned* dof_lanes, unsigned lanes,
                          const WideSolution<S>& solution, const S* smooth, S* qacc, S* qfrc);
};
template <class S>
const WideKernels<S>& wide_kernels();

struct WideTables {
  WideKernels<double> of_double;
  WideKernels<float> of_float;
};

// The same arrays seen as arrays of another type: of packs as of their numbers, or the other way round.
template <class To, class From>
TORSOR_INLINE WideProblem<To> view_as(WideProblem<From> from) {
  WideProblem<To> to;
  to.elliptic = from.elliptic;
  to.cold = from.cold;
  to.turns = from.turns;
  to.tiles = from.tiles;
  to.units.count = from.units.count;
  to.units.capacity = from.units.capacity;
  const auto copy_sizes = [](const WideSlots<From>& a, WideSlots<To>& b) __attribute__((always_inline)) {
    b.dim = a.dim;
    b.tiles = a.tiles;
    b.count = a.count;
    b.capacity = a.capacity;
  };
  copy_sizes(from.singles, to.singles);
  for (int k = 0; k < kContactKinds; ++k) copy_sizes(from.contacts[k], to.contacts[k]);
  void* arrays[64];
  void** next = arrays;
  from.for_each_array(
      true, [&](auto*& array, std::size_t) __attribute__((always_inline)) { *next++ = array; });
  next = arrays;
  to.for_each_array(
      true, [&](auto*& array, std::size_t) __attribute__((always_inline)) {
        array = static_cast<std::remove_reference_t<decltype(array)>>(*next++);
      });
  return to;
}
template <class To, class From>
TORSOR_INLINE WideSolution<To> view_as(WideSolution<From> from) {
  WideSolution<To> to;
  void* arrays[32];
  void** next = arrays;
  from.for_each_array(
      {}, [&](From * &array, std::size_t) __attribute__((always_inline)) { *next++ = array; });
  next = arrays;
  to.for_each_array(
      {}, [&](To * &array, std::size_t) __attribute__((always_inline)) { array = static_cast<To*>(*next++); });
  return to;
}

}  // namespace torsor::solver
