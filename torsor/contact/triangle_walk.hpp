// Walks the bounding volume tree of a mesh's triangles. Every node halves its triangles, so the depth of the tree is
// the logarithm of their number, and a short stack is enough.
#pragma once

#include <cmath>

#include "torsor/contact/shape.hpp"

namespace torsor {

inline constexpr int kWalkDepth = 64;

// Along the axes of the mesh.
struct Bounds3 {
  Vec3<double> low, high;

  bool meets(const float* box) const {
    for (int k = 0; k < 3; ++k)
      if (box[k] > high[k] || box[3 + k] < low[k]) return false;
    return true;
  }
};

inline double distance2_to_box(const float* box, const Vec3<double>& p) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double beyond = p[k] < box[k] ? box[k] - p[k] : p[k] > box[3 + k] ? p[k] - box[3 + k] : 0;
    sum += beyond * beyond;
  }
  return sum;
}

// Calls visit(triangle) for all triangles below nodes for which `enters(box)` is true, in tree order.
template <class Enters, class Visit>
void walk_triangles(const TriangleView& view, Enters&& enters, Visit&& visit) {
  int stack[kWalkDepth], depth = 0;
  if (view.count > 0) stack[depth++] = 0;
  while (depth > 0) {
    const int node = stack[--depth];
    if (!enters(view.box + 6 * node)) continue;
    const int* link = view.link + 2 * node;
    if (link[1] > 0) {
      for (int t = link[0]; t < link[0] + link[1]; ++t) visit(t);
    } else if (depth + 2 <= kWalkDepth) {
      stack[depth++] = link[0], stack[depth++] = node + 1;
    }
  }
}

}  // namespace torsor
