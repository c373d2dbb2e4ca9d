// Arrays from an Arena, aligned for whole registers.
#pragma once

#include <cstddef>

#include "torsor/core/arena.hpp"
#include "torsor/math/tiles.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

class Scratch {
 public:
  explicit Scratch(Arena& arena) : arena_(arena) {}

  // null once the arena is full, and from then on
  template <class T>
  TORSOR_INLINE T* take(std::size_t count) {
    void* bytes = full_ ? nullptr : arena_.push(count * sizeof(T), 64);
    full_ = bytes == nullptr;
    return static_cast<T*>(bytes);
  }
  TORSOR_INLINE bool full() const { return full_; }

 private:
  Arena& arena_;
  bool full_ = false;
};

TORSOR_INLINE void fill(double* x, int n, double value) {
  for (int i = 0; i < n; ++i) x[i] = value;
}
TORSOR_INLINE void copy(const double* from, int n, double* to) {
  for (int i = 0; i < n; ++i) to[i] = from[i];
}
// n a multiple of 8
TORSOR_INLINE double padded_dot(int n, const double* a, const double* b) {
  Lanes sum(0);
  for (int i = 0; i < n; i += kLaneCount) sum = fma(Lanes::load(a + i), Lanes::load(b + i), sum);
  return horizontal_sum(sum);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
