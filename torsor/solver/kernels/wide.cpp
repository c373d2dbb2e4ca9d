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
MaskOf<P> mask_of(unsigned lanes) {
  P flags(0);
  for (int i = 0; i < kLanes<P>; ++i) set_lane(flags, i, lanes >> i & 1);
  return flags > P(0);
}

template <class P, bool kNewton>
void solve(const WideProblem<ScalarOf<P>>& problem, const Options& options, const WideSizes& sizes, unsigned lanes,
           void* memory, const WideSolution<ScalarOf<P>>& solution) {
  WideScratch<P> scratch;
  WideMemory in(memory);
  scratch.take(sizes, in);
  const WideProblem<P> packs = view_as<P>(problem);
  WideSolution<P> out = view_as<P>(solution);
  WidePrimal<P, kNewton>(packs, options, scratch, out).run(mask_of<P>(lanes));
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
  WideDual<P>(packs, options, scratch, dual, out).run(mask_of<P>(lanes));
}

template <class P>
constexpr WideKernels<ScalarOf<P>> kernels_of() {
  return {kLanes<P>, scratch_bytes<P>, solve<P, true>, solve<P, false>, dual_scratch_bytes<P>, solve_pgs<P>};
}

}  // namespace

extern const WideTables kWideTables;
const WideTables kWideTables = {kernels_of<NativePack<double>>(), kernels_of<NativePack<float>>()};

}  // namespace TORSOR_ISA
}  // namespace torsor
