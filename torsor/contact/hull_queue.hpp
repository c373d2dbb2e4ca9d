// Pairs of hulls and other convex shapes that wait until there are enough of them for a search together.
#pragma once

#include <new>

#include "torsor/contact/collide.hpp"
#include "torsor/contact/pairs.hpp"
#include "torsor/contact/parameters.hpp"
#include "torsor/model/separations.hpp"

namespace torsor {

// A pair with the memory that its shapes refer to.
struct WaitingPair {
  ContactPair pair;
  ContactRange range;
  ShapeParts parts[2];
  double extent;     // a bound on the distance between any of their points
  Separation* kept;  // its place in the table; null: there is none
  bool is_apart;     // for the reason that was kept
  ConvexTouch touch;
};

class HullQueue {
 public:
  HullQueue() : room_() {}
  HullQueue(const HullQueue&) = delete;

  int count() const { return count_; }
  bool is_full() const { return count_ == kRoom; }
  // The place of the next pair, which push() then adds.
  WaitingPair& next() { return *new (&room_.pairs[count_]) WaitingPair; }
  void push() { ++count_; }
  // As touch_convex() of still_apart.hpp for all of them.
  void search();
  const WaitingPair& at(int i) const { return room_.pairs[i]; }
  void clear() { count_ = 0; }

 private:
  void find_still_apart();

  static constexpr int kRoom = 16;
  union Room {
    Room() {}
    WaitingPair pairs[kRoom];
  } room_;
  int count_ = 0;
};

}  // namespace torsor
