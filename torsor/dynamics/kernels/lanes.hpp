// The kernels of many worlds, one per SIMD lane, compiled once per instruction set. Only state and input persist per
// world, in blocks that hold one pack of worlds each; all else is scratch that one thread uses for block after block.
#pragma once

#include <cstddef>

#include "torsor/model/data.hpp"

namespace torsor {

// Worlds whose numbers blow up during steps of a pack, as step() of one world treats them.
struct LaneResets {
  static constexpr int kMostLanes = 8;
  const double* reference = nullptr;  // numbers of a world after a reset, in the order of a block; null: no resets
  // Per dof. Where the sum of weight |qfrc_smooth| is below 1, no acceleration can be bad without damping, so that it
  // need not be computed beside the one with damping.
  const double* weight = nullptr;
  int count[kMostLanes] = {};  // steps with a reset, by lane
  int last[kMostLanes] = {};   // the last such step, where there was one
};

struct LaneKernels {
  int lanes;  // worlds in a pack

  // A block: time, then every field of State and Input in the order of their lists, each number as `lanes` doubles.
  size_t (*block_numbers)(const ModelSizes&);  // in doubles, all lanes together
  // Place of a field's first number in a block, in doubles; -1 for an unknown name.
  ptrdiff_t (*block_offset)(const ModelSizes&, const char* field);

  // A workspace lives in memory of the caller, of this size and aligned to 64 bytes.
  size_t (*workspace_bytes)(const ModelSizes&);
  void (*make_workspace)(const ModelSizes&, void* workspace);

  // Forward dynamics of the worlds in the block; their results stay in the workspace until the next call.
  void (*forward)(const ModelView<double>&, void* workspace, double* block);
  // Steps of Euler, RK4 or, in the absence of a medium, implicitfast, as the model's options say. Leaves
  // qacc_warmstart alone: without constraints nothing starts from it.
  void (*step)(const ModelView<double>&, void* workspace, double* block, int steps, LaneResets& resets);
  // Copies one field of one world out of the workspace. False for an unknown name.
  bool (*read)(void* workspace, const char* field, int lane, double* out);
};

}  // namespace torsor
