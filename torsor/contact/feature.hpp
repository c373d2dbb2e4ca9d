// The feature of a convex shape that faces a direction: a polygon, a line, or only a point.
#pragma once

#include "torsor/contact/support.hpp"
#include "torsor/geometry/flat_side.hpp"

namespace torsor {

inline constexpr int kFeatureCorners = kSideCorners;

struct Feature {
  int count = 0;        // 2: a line, 3 and more: a polygon, its corners in order
  Vec3<double> normal;  // of a polygon, outward
  Vec3<double> p[kFeatureCorners];
};

// The flat side of a hull, at one of its corners, that looks most along the unit vector d_G.
struct HullFace {
  HullFace() = default;
  HullFace(const HullFace&) = delete;
  HullFace& operator=(const HullFace&) = delete;

  int count = 0;  // of corners; fewer than 3: there is none
  const int* corner = nullptr;
  Vec3<double> normal_G;  // unit, outward
  FlatSide own;           // the corners, for hulls without tables
};
void find_hull_face(const HullView& hull, const Vec3<double>& d_G, int corner, double least_cosine, HullFace& out);

// The feature of `part` that faces along the unit vector d_F. In F, on the surface.
void find_feature(ConvexPart& part, const Vec3<double>& d_F, Feature& out);

}  // namespace torsor
