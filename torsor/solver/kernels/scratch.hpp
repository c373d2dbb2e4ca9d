// Arrays from an Arena, aligned for whole registers.
#pragma once

#include <cstddef>
#include <utility>

#include "torsor/core/arena.hpp"
#include "torsor/math/tiles.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// Takes chunks from the arena and hands out parts of them.
class Scratch {
 public:
  explicit Scratch(Arena& arena) : arena_(&arena) {}
  // 64-byte aligned memory instead, which has to be enough
  Scratch(void* memory, std::size_t bytes) : next_(static_cast<char*>(memory)), left_(bytes) {}

  // null once the arena is full, and from then on
  template <class T>
  TORSOR_INLINE T* take(std::size_t count) {
    const std::size_t bytes = (count * sizeof(T) + 63) / 64 * 64;
    if (bytes > left_) refill(bytes);
    if (full_) return nullptr;
    T* const result = reinterpret_cast<T*>(next_);
    next_ += bytes;
    left_ -= bytes;
    return result;
  }
  TORSOR_INLINE bool full() const { return full_; }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 16;

  __attribute__((noinline)) void refill(std::size_t bytes) {
    full_ = full_ || !arena_;
    left_ = bytes < kChunk ? kChunk : bytes;
    next_ = full_ ? nullptr : static_cast<char*>(arena_->push(left_, 64));
    if (!next_ && !full_) {  // perhaps there is room for what is needed
      left_ = bytes;
      next_ = static_cast<char*>(arena_->push(left_, 64));
    }
    full_ = next_ == nullptr;
    if (full_) left_ = 0;
  }

  Arena* arena_ = nullptr;
  char* next_ = nullptr;
  std::size_t left_ = 0;
  bool full_ = false;
};

// The sum of all lanes, added as horizontal_sum() adds them. That one takes the pack apart in memory, and GCC then
// keeps the sums of the loop before it in memory too, in halves: each turn waits for them to come back.
template <class S, int N>
TORSOR_INLINE S sum_of_lanes(Pack<S, N> x) {
  if constexpr (N == 2) {
    return x.v[0] + x.v[1];
  } else {
    return [&]<int... k>(std::integer_sequence<int, k...>) __attribute__((always_inline)) {
      using Half = Pack<S, N / 2>;
      return sum_of_lanes(Half::wrap(__builtin_shufflevector(x.v, x.v, k...)) +
                          Half::wrap(__builtin_shufflevector(x.v, x.v, (k + N / 2)...)));
    }
    (std::make_integer_sequence<int, N / 2>());
  }
}

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
  return sum_of_lanes(sum);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
