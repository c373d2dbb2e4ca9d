// The distance between two convex cores (GJK), and their penetration depth (EPA). Both work on the Minkowski difference
// A - B, the set of all a - b, which contains the origin if the shapes overlap. All in the frame F of ConvexPart.
#pragma once

#include "torsor/contact/support.hpp"

namespace torsor {

// A corner of the Minkowski difference, and the points of A and B that it comes from.
struct Corner {
  Vec3<double> w, on_a, on_b;  // w = on_a - on_b
};

inline Corner furthest_corner(ConvexPart& a, ConvexPart& b, const Vec3<double>& d_F) {
  const Vec3<double> on_a = a.furthest(d_F), on_b = b.furthest(-d_F);
  return {on_a - on_b, on_a, on_b};
}

struct Simplex {
  int count = 0;
  Corner corner[4];
  double weight[4];  // of the point nearest to the origin

  Vec3<double> on_a() const;
  Vec3<double> on_b() const;
};

// Nearest points of the cores, or the deepest ones.
struct Nearest {
  double dist;            // negative: depth
  Vec3<double> normal_F;  // unit, from a to b
  Vec3<double> on_a, on_b;
};

enum class Distance { kFar, kApart, kOverlap };

// Gilbert, Johnson and Keerthi 1988: the point of A - B that is nearest to the origin. kFar as soon as the cores are
// known to be further apart than `reach`; kApart fills `nearest`; kOverlap leaves in `simplex` what is near the origin:
// a point of A - B that is nearer to it than kHeld, see gjk.cpp. Where `direction` is wanted and the cores do not
// overlap, it is a unit vector from a to b along which there is a gap, beyond the reach if they are far; a few more
// iterations then make the gap wide, and nothing else depends on whether it is wanted.
Distance find_distance(ConvexPart& a, ConvexPart& b, double reach, Simplex& simplex, Nearest& nearest,
                       Vec3<double>* direction = nullptr);

// Van den Bergen 2001: grows a polytope inside A - B until its face nearest to the origin lies on the surface.
Nearest find_depth(ConvexPart& a, ConvexPart& b, const Simplex& simplex);

// One or the other: the nearest points with the radii of the parts. False beyond the margin; `direction` then as above.
bool find_nearest(ConvexPart& a, ConvexPart& b, double margin, Nearest& out, Vec3<double>* direction = nullptr);

}  // namespace torsor
