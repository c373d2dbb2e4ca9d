// Rows of one world are written where its solver reads them: row by row, a number for each dof, in plain arrays.
#pragma once

#include "torsor/batch/kernels/write_rows.hpp"
#include "torsor/math/world_lane.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// WideSlots::tiles is the length of a row here.
template <class S>
struct SlotLayout<WorldLane<S>> {
  using Slots = solver::WideSlots<S>;
  static TORSOR_INLINE std::ptrdiff_t slot_stride(const Slots& slots, int dim) {
    return std::ptrdiff_t(slots.tiles) * dim;
  }
  static TORSOR_INLINE std::ptrdiff_t offset(const Slots& slots, int, int row, int place) {
    return std::ptrdiff_t(slots.tiles) * row + place;
  }
};

// There is one lane, so there is one slot.
template <class S>
class SlotGroups<WorldLane<S>> {
  using P = WorldLane<S>;

 public:
  TORSOR_INLINE SlotGroups(unsigned, const int* slots) : slot_(slots[0]) {}
  TORSOR_INLINE void write(P* array, std::ptrdiff_t stride, std::ptrdiff_t offset, const P& value) const {
    array[slot_ * stride + offset] = value;
  }
  TORSOR_INLINE void add(P* array, std::ptrdiff_t stride, std::ptrdiff_t offset, const P& value) const {
    array[slot_ * stride + offset] += value;
  }

 private:
  int slot_;
};

}  // namespace TORSOR_ISA
}  // namespace torsor
