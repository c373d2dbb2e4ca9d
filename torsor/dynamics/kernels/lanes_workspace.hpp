// Memory of a pack of worlds: blocks with state and input, and the workspace that a thread uses for block after block.
#pragma once

#include <cstring>

#include "torsor/dynamics/kernels/lanes.hpp"
#include "torsor/math/pack.hpp"
#include "torsor/model/data.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class P>
struct LaneWorkspace {
  using Number = P;
  using S = ScalarOf<P>;
  using Worlds = DataView<P>;

  Worlds data;
  P* scratch;       // for RNE, Euler and implicitfast
  P* kept;          // from one evaluation of Runge-Kutta to the next: state at the start, sums, displacement
  int evaluations;  // of Runge-Kutta so far
  bool shows_mean;  // qacc is the mean of Runge-Kutta's, and that of its last evaluation is kept

  static LaneWorkspace& at(void* memory) { return *static_cast<LaneWorkspace*>(memory); }

  // In packs: time, then the fields of state and input.
  static size_t block_packs(const ModelSizes& sizes) { return 1 + field_packs(sizes, kBlockStages); }
  static size_t block_numbers(const ModelSizes& sizes) { return block_packs(sizes) * kLanes<P>; }

  static ptrdiff_t block_offset(const ModelSizes& sizes, const char* field) {
    Worlds view;
    static_cast<ModelSizes&>(view) = sizes;
    if (std::strcmp(field, "time") == 0) return 0;
    ptrdiff_t packs = 1, found = -1;
    for (const Stage stage : kBlockStages)
      view.for_each_field(stage, [&](const FieldInfo& info, auto&) {
        if (std::strcmp(field, info.name) == 0) found = packs * kLanes<P>;
        packs += static_cast<ptrdiff_t>(count(info));
      });
    return found;
  }

  static size_t bytes(const ModelSizes& sizes) {
    return header() + (field_packs(sizes, kScratchStages) + scratch_packs(sizes) + kept_packs(sizes)) * sizeof(P);
  }

  static void make(const ModelSizes& sizes, void* memory) {
    std::memset(memory, 0, bytes(sizes));
    LaneWorkspace& workspace = at(memory);
    static_cast<ModelSizes&>(workspace.data) = sizes;
    P* next = reinterpret_cast<P*>(static_cast<char*>(memory) + header());
    workspace.place_fields(kScratchStages, next);
    workspace.scratch = next;
    workspace.kept = next + scratch_packs(sizes);
  }

  // State and input fields become views of the block.
  static void bind(void* memory, S* block) {
    LaneWorkspace& workspace = at(memory);
    P* next = reinterpret_cast<P*>(block);
    workspace.data.time = *next++;
    workspace.place_fields(kBlockStages, next);
    workspace.evaluations = 0;
    workspace.shows_mean = false;
  }
  static void unbind(void* memory, S* block) { *reinterpret_cast<P*>(block) = at(memory).data.time; }

  static void list_fields(void* memory, S** fields) {
    Worlds& data = at(memory).data;
    *fields++ = reinterpret_cast<S*>(&data.time);
    data.for_each_field([&](const FieldInfo&, auto& field) { *fields++ = reinterpret_cast<S*>(field.pointer); });
  }

 private:
  static constexpr Stage kBlockStages[] = {Stage::kState, Stage::kInput};
  static constexpr Stage kScratchStages[] = {Stage::kPosition, Stage::kVelocity, Stage::kAcceleration};

  // The workspace itself comes before its arrays.
  static size_t header() { return (sizeof(LaneWorkspace) + 63) / 64 * 64; }
  static size_t count(const FieldInfo& info) {
    return static_cast<size_t>(info.rows) * static_cast<size_t>(info.columns);
  }
  // Two vectors of nv, then what RNE (12 per body) or the controls of drives need.
  static size_t scratch_packs(const ModelSizes& s) { return static_cast<size_t>(scratch_numbers(s)); }
  static size_t kept_packs(const ModelSizes& s) { return static_cast<size_t>(kept_numbers(s)); }

  template <size_t kCount>
  static size_t field_packs(const ModelSizes& sizes, const Stage (&stages)[kCount]) {
    Worlds view;
    static_cast<ModelSizes&>(view) = sizes;
    size_t packs = 0;
    for (const Stage stage : stages)
      view.for_each_field(stage, [&](const FieldInfo& info, auto&) { packs += count(info); });
    return packs;
  }
  template <size_t kCount>
  void place_fields(const Stage (&stages)[kCount], P*& next) {
    for (const Stage stage : stages)
      data.for_each_field(stage, [&](const FieldInfo& info, auto& field) {
        field.pointer = next;
        field.length = static_cast<int>(count(info));
        next += count(info);
      });
  }
};

}  // namespace TORSOR_ISA
}  // namespace torsor
