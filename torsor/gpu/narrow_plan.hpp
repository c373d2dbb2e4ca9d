// Pairs of geoms whose points one thread per pair finds, since they have no closed form that all worlds share.
#pragma once

#include "torsor/batch/kernels/rows.hpp"

namespace torsor::gpu {

// By the function of contact/pairs.hpp that the processor uses. Threads with the same kind stand side by side. Height
// fields have a group of threads for each candidate, the others have one.
enum class NarrowKind : std::uint8_t { kCapsuleBox, kBoxBox, kPlaneMesh, kPlaneCone, kConvex, kField, kCount };
inline constexpr int kMostSearches = 1024;
inline constexpr int kNarrowKinds = static_cast<int>(NarrowKind::kCount);

// kCount for functions that devices do not have.
NarrowKind narrow_kind(PairFunction function);

// What PairPlan does not say of a pair.
struct NarrowPair {
  NarrowKind kind;
  GeomType type[2];
  int mesh[2];  // or height field; -1 for other shapes
};

// Points that wait for their turn among those of closed forms, in slots: candidate k of world w has slot
// capacity * w + k. They come in the order of the plan.
template <class S>
struct CandidateStore {
  static constexpr int kNumbers = 7;        // of a point: dist, position, normal
  int capacity = 0;                         // of a world
  int most_points = 0;                      // of a candidate
  int* count = nullptr;                     // [world], which may be more than there is room for
  int *pairs = nullptr, *points = nullptr;  // [slot]: of the plan, and how many points were found
  S* numbers = nullptr;                     // [slot][most_points][kNumbers]
  // Slots by kind: [kind][worlds * capacity], and how many there are. Whichever thread comes first fills them; no
  // result depends on that.
  int *listed = nullptr, *listed_count = nullptr;
  int most_listed = 0;  // worlds * capacity
  // Slots of convex shapes, or of fields with such, whose depth needs a large search; how many, side by side with the
  // counts by kind.
  int *left = nullptr, *left_count = nullptr;
  void* polytopes = nullptr;  // of searches
  int searches = 0;           // at a time

  TORSOR_INLINE S* numbers_of(int slot, int point) const {
    return numbers + (std::ptrdiff_t(slot) * most_points + point) * kNumbers;
  }
};

}  // namespace torsor::gpu
