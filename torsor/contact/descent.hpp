// The depth of two convex shapes as a function of the direction in which they part: down to the nearest minimum.
#pragma once

#include "torsor/contact/gjk.hpp"

namespace torsor {

// How far b must move along the unit vector n to leave a, where along n it ends, and the points that part last.
Nearest depth_along(ConvexPart& a, ConvexPart& b, const Vec3<double>& n);

struct Descent {
  Nearest end;
  bool settled;  // at the end, the slope is zero and the depth does not fall to any side
};

// From a direction down to a minimum, never up. `size` is that of A - B. For curved shapes: where the slope jumps, the
// descent ends early. descend_in_valleys() goes on there.
Descent descend(ConvexPart& a, ConvexPart& b, const Nearest& start, double size);

// The slope jumps at directions across the axis of a cylinder or capsule, and there the minima often are: the depth is
// also followed along these, around the axis.
Nearest descend_in_valleys(ConvexPart& a, ConvexPart& b, const Nearest& start, double size);

}  // namespace torsor
