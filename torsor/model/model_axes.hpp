// The axes that a model is written in. They change no physics: conversions to other systems read them.
#pragma once

#include <string>

#include "torsor/convention/axes.hpp"

namespace torsor {

// A world with z down and bodies whose frames are x forward, y right, z down: {kDown, kDown}. Loading a model "in a
// world with other axes" turns the world and leaves the frames of bodies as their file has them: {kDown, kOurAxes}.
struct ModelAxes {
  Axes world = kOurAxes;
  Axes body = kOurAxes;  // of the frames that bodies carry

  constexpr bool operator==(const ModelAxes&) const = default;
  constexpr bool are_ours() const { return world == kOurAxes && body == kOurAxes; }
};

// "", or what is wrong: axes must be a right-handed permutation.
std::string find_fault(const ModelAxes& axes);

}  // namespace torsor
