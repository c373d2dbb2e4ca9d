// Several points for two convex shapes that touch along a face or a line.
#pragma once

#include "torsor/contact/gjk.hpp"

namespace torsor {

inline constexpr int kManifoldPoints = 4;
inline constexpr double kSamePoint = 1e-6;  // nearer than this part of a feature: one point, or equally deep

struct ManifoldPoint {
  double dist;
  Vec3<double> pos_F;  // midway
};

// At most kManifoldPoints within the margin, the deepest first; all share the normal of `deepest`, whose distance
// includes the radii of the parts. They are corners of the overlap of what the parts turn to each other, faces or edges
// within five degrees of the normal, seen along the normal. Decision 49.
int find_manifold(ConvexPart& a, ConvexPart& b, const Nearest& deepest, double margin, ManifoldPoint* out);

}  // namespace torsor
