// The solvers for worlds in lanes, compiled once per instruction set: packs of double and of float, one register wide.
#include "torsor/solver/wide.hpp"
#include "torsor/math/pack.hpp"
#include "torsor/solver/kernels/wide_dual.hpp"
#include "torsor/solver/kernels/wide_primal.hpp"

namespace torsor {
inline namespace TORSOR_ISA {
namespace {

template <class P>
std::size_t scratch_bytes(const WideSizes& sizes) {
  WideMemory memory;
  WideScratch<P> scratch;
  scratch.take(sizes, memory);
  return memory.used();
}

template <class P>
void gather_mass(const WideMassEntry* entries, int count, const ScalarOf<P>* M, const ScalarOf<P>* implicit,
                 const unsigned* dof_lanes, unsigned lanes, ScalarOf<P>* tiles, ScalarOf<P>* scale) {
  const P *from = reinterpret_cast<const P*>(M), *added = reinterpret_cast<const P*>(implicit);
  P *to = reinterpret_cast<P*>(tiles), trace(0);
  for (int k = 0; k < count; ++k) {
    P number = from[entries[k].from];
    if (entries[k].dof >= 0) {
      if (added) number += added[entries[k].dof];
      trace += select(mask_of_bits<P>(dof_lanes[entries[k].dof]), number, P(0));
    }
    to[entries[k].to] = number;
  }
  *reinterpret_cast<P*>(scale) = select(mask_of_bits<P>(lanes), P(1) / trace, P(0));
}

template <class P>
void gather_start(const int* dofs, int count, const unsigned* dof_lanes, const ScalarOf<P>* warm,
                  const ScalarOf<P>* smooth, ScalarOf<P>* start) {
  const P *a = reinterpret_cast<const P*>(warm), *b = reinterpret_cast<const P*>(smooth);
  P* to = reinterpret_cast<P*>(start);
  for (int p = 0; p < count; ++p) {
    const int i = dofs[p];
    to[p] = i < 0 ? P(0) : select(mask_of_bits<P>(dof_lanes[i]), a[i] - b[i], P(0));
  }
}

template <class P>
void scatter_results(const int* dofs, int count, const unsigned* dof_lanes, unsigned lanes,
                     const WideSolution<ScalarOf<P>>& solution, const ScalarOf<P>* smooth, ScalarOf<P>* qacc,
                     ScalarOf<P>* qfrc) {
  const P *d = reinterpret_cast<const P*>(solution.d), *force = reinterpret_cast<const P*>(solution.qfrc),
          *a_smooth = reinterpret_cast<const P*>(smooth);
  P *a = reinterpret_cast<P*>(qacc), *f = reinterpret_cast<P*>(qfrc);
  for (int p = 0; p < count; ++p) {
    const int i = dofs[p];
    if (i < 0) continue;
    const auto mask = mask_of_bits<P>(dof_lanes[i] & lanes);
    a[i] = select(mask, a_smooth[i] + d[p], a[i]);
    f[i] = select(mask, force[p], f[i]);
  }
}

template <class P, bool kNewton>
void solve(const WideProblem<ScalarOf<P>>& problem, const Options& options, const WideSizes& sizes, unsigned lanes,
           void* memory, const WideSolution<ScalarOf<P>>& solution) {
  WideScratch<P> scratch;
  WideMemory in(memory);
  scratch.take(sizes, in);
  const WideProblem<P> packs = view_as<P>(problem);
  WideSolution<P> out = view_as<P>(solution);
  WidePrimal<P, kNewton>(packs, options, scratch, out).run(mask_of_bits<P>(lanes));
}

template <class P>
std::size_t dual_scratch_bytes(const WideSizes& sizes) {
  WideMemory memory;
  WideScratch<P> scratch;
  WideDualScratch<P> dual;
  scratch.take(sizes, memory);
  dual.take(sizes, memory);
  return memory.used();
}

template <class P>
void solve_pgs(const WideProblem<ScalarOf<P>>& problem, const Options& options, const WideSizes& sizes, unsigned lanes,
               void* memory, const WideSolution<ScalarOf<P>>& solution) {
  WideScratch<P> scratch;
  WideDualScratch<P> dual;
  WideMemory in(memory);
  scratch.take(sizes, in);
  dual.take(sizes, in);
  const WideProblem<P> packs = view_as<P>(problem);
  WideSolution<P> out = view_as<P>(solution);
  WideDual<P>(packs, options, scratch, dual, out).run(lanes);
}

template <class P>
constexpr WideKernels<ScalarOf<P>> kernels_of() {
  return {kLanes<P>,    scratch_bytes<P>, solve<P, true>,  solve<P, false>,   dual_scratch_bytes<P>,
          solve_pgs<P>, gather_mass<P>,   gather_start<P>, scatter_results<P>};
}

}  // namespace

extern const WideTables kWideTables;
const WideTables kWideTables = {kernels_of<NativePack<double>>(), kernels_of<NativePack<float>>()};

}  // namespace TORSOR_ISA
}  // namespace torsor
