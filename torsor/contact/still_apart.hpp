// Convex shapes that were apart a moment ago are apart along the same direction now: one look in that direction proves
// it, in place of the search for their distance. Decision 25 says why results cannot depend on it.
#pragma once

#include "torsor/contact/shape.hpp"
#include "torsor/model/separations.hpp"

namespace torsor {

// How much wider than the margin a gap must be to count as a proof, as a part of `extent` below. More than rounding may
// add to any distance that the search finds (see kHeld in gjk.cpp): where there is a proof, the search finds no points.
inline constexpr double kProofSlack = 1e-5;

// Two convex shapes, the geoms that they are, and a bound on the distance between any of their points.
struct ConvexPair {
  const Shape &a, &b;
  int geom1, geom2;
  double extent;
};

// Whether the direction in `kept`, which is that of the pair, shows a gap between the shapes that is wider than the
// margin.
bool are_still_apart(const ConvexPair& pair, double margin, const Separation& kept);

// As convex_convex(a, b, margin, out), with the same bits whatever `kept` holds; it then holds this pair if it is
// apart.
int touch_convex(const ConvexPair& pair, double margin, Separation& kept, ContactPoint* out);

}  // namespace torsor
