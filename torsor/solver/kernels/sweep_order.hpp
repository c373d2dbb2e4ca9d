// What sweeps of Gauss-Seidel have in common for one world and on devices: how far momentum goes, and the order in
// which they visit rows and cones. That is shuffled anew before every sweep, always from the same seed, so that a
// result depends on the problem alone. It is the order of MuJoCo (docs/decisions/0072).
#pragma once

#include <cstdint>
#include <utility>

#include "torsor/math/config.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// PCG-XSH-RR with 64 bits of state [O'Neill 2014]
class SweepRandom {
 public:
  TORSOR_INLINE std::uint32_t next() {
    const std::uint32_t mixed = static_cast<std::uint32_t>(((state_ >> 18) ^ state_) >> 27);
    const unsigned turn = static_cast<unsigned>(state_ >> 59);
    state_ = state_ * 6364136223846793005u + 1;
    return mixed >> turn | mixed << (-turn & 31);
  }

 private:
  std::uint64_t state_ = 1;
};

// A row, or the rows of a cone, which get their forces together.
struct SweepUnit {
  int row, cone;  // cone -1: a row
};

// From the last place to the second, each unit changes places with one that is not behind it [Fisher and Yates].
TORSOR_INLINE void shuffle(SweepRandom& random, int count, SweepUnit* units) {
  for (int i = count - 1; i > 0; --i) {
    std::swap(units[i], units[random.next() % static_cast<std::uint32_t>(i + 1)]);
  }
}

// How far forces go on in the direction of their last change, `count` sweeps after momentum started.
TORSOR_INLINE double momentum_after(int count) { return count < 2 ? 0 : (count - 1.0) / (count + 2.0); }
inline constexpr int kSweepsToRenewal = 64;  // after which rounding errors of what follows the forces are removed

}  // namespace TORSOR_ISA
}  // namespace torsor
