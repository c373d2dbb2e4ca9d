// Many worlds per call: the kernels with T = Pack, one native register wide, of double and of float.
#include "torsor/dynamics/kernels/lanes.hpp"

#include "torsor/dynamics/kernels/lanes_smooth.hpp"
#include "torsor/dynamics/kernels/run_stage.hpp"

namespace torsor {
inline namespace TORSOR_ISA {
namespace {

template <class P>
void run(WideStage stage, const ModelView& model, void* memory) {
  run_stage(stage, model, LaneWorkspace<P>::at(memory));
}

template <class P>
unsigned find_bad_lanes(const ScalarOf<P>* numbers, int count) {
  const P* packs = reinterpret_cast<const P*>(numbers);
  MaskOf<P> bad(false);
  for (int i = 0; i < count; ++i) bad = bad | is_bad(packs[i], P(kMaxValue));
  return bits(bad);
}

template <class S>
constexpr LaneKernels<S> table() {
  using P = NativePack<S>;
  using Workspace = LaneWorkspace<P>;
  return {kNativeLanes<S>, Workspace::block_numbers, Workspace::block_offset, Workspace::bytes,
          Workspace::make, Workspace::bind,          Workspace::unbind,       Workspace::list_fields,
          run<P>,          find_bad_lanes<P>,        step_smoothly<P>};
}

}  // namespace

extern const LaneTables kLaneTables;
const LaneTables kLaneTables = {table<double>(), table<float>()};

}  // namespace TORSOR_ISA
}  // namespace torsor
