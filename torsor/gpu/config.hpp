// What device code and its host side agree on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "torsor/math/config.hpp"

namespace torsor::gpu {

// Worlds whose numbers stand side by side, as many as a warp has threads: number i of world w of a block is at
// [i * kBlock + w], so that neighbouring threads read neighbouring numbers.
inline constexpr int kBlock = 32;

// Arrays of all worlds that are laid out in this way.
template <class S>
struct WorldNumbers {
  S* base = nullptr;         // number 0 of world 0
  std::ptrdiff_t block = 0;  // from one block of worlds to the next, in numbers

  TORSOR_INLINE S& at(int world, int i) const {
    return base[world / kBlock * block + std::ptrdiff_t(i) * kBlock + world % kBlock];
  }
};

}  // namespace torsor::gpu
