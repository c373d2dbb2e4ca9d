// Convex shapes that were apart a moment ago are apart along the same direction now: one look in that direction proves
// it, in place of the search for their distance. Decision 25 says why results cannot depend on it.
#pragma once

#include "torsor/contact/shape.hpp"
#include "torsor/model/separations.hpp"

namespace torsor {

// How much wider than the margin a gap must be to count as a proof, as a part of `extent` below. More than rounding may
// add to any distance that the search finds (see kHeld in gjk.hpp): where there is a proof, the search finds no points.
inline constexpr double kProofSlack = 1e-5;

// Two convex shapes, the geoms that they are, and a bound on the distance between any of their points.
struct ConvexPair {
  const Shape &a, &b;
  int geom1, geom2;
  double extent;
};

// How far two shapes reach towards each other along a direction, without the radii of their cores. Each half is a fact
// about one shape in its own frame, in whatever pose.
struct FacingReach {
  Vec3<double> normal_A, normal_B;  // the same direction, from a to b in a's frame and from b to a in b's
  double reach;                     // of a along normal_A, plus that of b along normal_B
};
FacingReach find_facing_reach(const Shape& a, const Shape& b, const Vec3<double>& normal_A);
// Whether it shows a gap between the shapes that is wider than the margin.
bool is_gap(const ConvexPair& pair, double margin, const FacingReach& facing);

// Whether the direction in `kept`, which is that of the pair, shows a gap between the shapes that is wider than the
// margin.
bool are_still_apart(const ConvexPair& pair, double margin, const Separation& kept);

// What is kept of a pair after a search: where it found no points, `apart_W` as touch_convex() of pairs.hpp returns it.
void keep_result(const ConvexPair& pair, int points, const Vec3<double>& apart_W, Separation& kept);

// As convex_convex(a, b, margin, out), with the same bits whatever `kept` holds; it then holds this pair if it is
// apart.
int touch_convex(const ConvexPair& pair, double margin, Separation& kept, ContactPoint* out);

}  // namespace torsor
