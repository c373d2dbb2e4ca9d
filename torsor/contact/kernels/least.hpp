// The least of some numbers, a register full at a time.
#pragma once

#include "torsor/math/pack.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <int N>
TORSOR_INLINE double least_lane(const Pack<double, N>& x) {
  if constexpr (N == 2) {
    return lane(x, 0) < lane(x, 1) ? lane(x, 0) : lane(x, 1);
  } else {
    Pack<double, N / 2> low, high;
    __builtin_memcpy(&low.v, &x.v, sizeof low.v);
    __builtin_memcpy(&high.v, reinterpret_cast<const char*>(&x.v) + sizeof low.v, sizeof high.v);
    return least_lane<N / 2>(min(low, high));
  }
}

// Which of `count` numbers is the least, the first of equals; -1 where all are infinite or none. Numbers from `count`
// on to the next multiple of eight must be infinite.
TORSOR_INLINE int find_least(const double* x, int count) {
  using Lanes = NativePack<double>;
  constexpr int kHere = kNativeLanes<double>;
  static_assert(8 % kHere == 0);
  Lanes least(__builtin_inf());
  for (int k = 0; k < count; k += kHere) least = min(Lanes::load(x + k), least);
  const double all = least_lane<kHere>(least);
  if (!(all < __builtin_inf())) return -1;
  for (int k = 0;; k += kHere)
    if (const unsigned equal = bits(Lanes::load(x + k) == Lanes(all))) return k + __builtin_ctz(equal);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
