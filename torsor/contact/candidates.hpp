// The broad phase: which pairs of geoms could touch, in the order in which contacts are listed.
#pragma once

#include <cstdint>

#include "torsor/model/data.hpp"

namespace torsor {

// Two geoms that the narrow phase has to check, or a predefined pair (contact/pair).
struct Candidate {
  uint64_t bodies;  // the smaller body id above the larger one: contacts are listed by it,
  uint64_t geoms;   // then predefined pairs come in their own order, then the others by their geoms

  static constexpr uint64_t kFound = uint64_t{1} << 63;  // not predefined
  bool is_predefined() const { return !(geoms & kFound); }
  int predefined() const { return static_cast<int>(geoms); }
  int geom1() const { return static_cast<int>(geoms >> 32 & 0x7fffffff); }
  int geom2() const { return static_cast<int>(geoms & 0x7fffffff); }
};

struct CandidateList {
  Candidate* items = nullptr;
  int count = 0;
  bool complete = true;  // false: out of memory
};

// In data.arena(), until the caller releases it. Reads the frames of geoms.
CandidateList find_candidates(const Model& model, Data& data);

}  // namespace torsor
