// The facets of a solid that one shape overlaps, taken together. Each alone may be left by a way that the others bar,
// so that the depth comes out too small; where they bulge outward, their hull knows better, and it is never deeper than
// the whole solid.
#pragma once

#include "torsor/contact/gjk.hpp"
#include "torsor/contact/surface.hpp"

namespace torsor {

class Patch {
 public:
  // In the frame of the mesh. What does not fit makes the patch useless.
  void add(const Facet& facet);
  // The depth of the part in the hull of all facets. False where these say nothing: too many, not convex, or the way
  // out leads into the solid.
  bool find_depth(const MeshSurface& solid, ConvexPart& part, Nearest& out) const;

 private:
  bool is_convex() const;
  bool leads_out(const MeshSurface& solid, const Vec3<double>& n) const;

  static constexpr int kFacets = 48, kCorners = 48;
  Facet facet_[kFacets];
  float corner_[3 * kCorners];
  int vertex_[kCorners];
  int facet_count_ = 0, corner_count_ = 0;
  bool is_full_ = false;
};

}  // namespace torsor
