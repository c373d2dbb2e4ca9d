// Directions along which pairs of geoms were apart when they were last looked at: a table for speed alone. Whoever
// takes a direction from it proves that it still holds, so no result depends on what the table has. See decision 25.
#pragma once

#include <cstdint>
#include <cstring>

#include "torsor/core/buffer.hpp"

namespace torsor {

// A is the frame of geom1.
struct Separation {
  int geom1, geom2;   // both 0: nothing is known
  float normal_A[3];  // from geom1 to geom2, unit but for rounding

  bool is_of(int a, int b) const { return geom1 == a && geom2 == b; }
};

// Every pair has two places, which it shares with other pairs: what was written last is in one of them. Zeroed memory
// is an empty table.
class SeparationTable {
 public:
  SeparationTable() = default;
  // Room for the pairs that `shapes` convex shapes usually have: few of the others are near any of them.
  explicit SeparationTable(int shapes) {
    if (shapes <= 0) return;
    while (bits_ < kMostBits && (int64_t{1} << bits_) < int64_t{kPlacesPerShape} * shapes) ++bits_;
    places_ = Buffer(sizeof(Separation) << bits_);
  }

  // The place of a pair, or the one that it may take. Null where the table has no places.
  Separation* find(int geom1, int geom2) const {
    if (places_.size() == 0) return nullptr;
    uint64_t mixed = (static_cast<uint64_t>(geom1) << 32 | static_cast<uint32_t>(geom2)) * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93u;
    Separation* two = begin() + 2 * (mixed >> (65 - bits_));
    if (two[0].is_of(geom1, geom2)) return two;
    if (two[1].is_of(geom1, geom2) || two[1].is_of(0, 0)) return two + 1;
    return two + (mixed & 1);
  }
  Separation* begin() const { return reinterpret_cast<Separation*>(places_.data()); }
  void clear() {
    if (places_.size() > 0) std::memset(places_.data(), 0, places_.size());
  }
  size_t bytes() const { return places_.size(); }
  // An empty table with as many places.
  SeparationTable make_empty() const {
    SeparationTable table;
    table.bits_ = bits_;
    table.places_ = Buffer(places_.size());
    return table;
  }

 private:
  static constexpr int kPlacesPerShape = 16, kMostBits = 17;
  int bits_ = 4;
  Buffer places_;
};

}  // namespace torsor
