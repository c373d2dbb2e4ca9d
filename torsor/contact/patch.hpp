// The facets of a solid that one shape overlaps, taken together. The way out of a single facet may be blocked by
// others, so that its depth is too small. Where the facets are convex, their hull gives a better depth, which never
// exceeds that of the whole solid.
#pragma once

#include "torsor/contact/gjk.hpp"
#include "torsor/contact/surface.hpp"

namespace torsor {

class Patch {
 public:
  explicit Patch(const MeshSurface& solid) : solid_(solid) {}

  void add(const Facet& facet);  // too many facets make the patch unusable
  bool is_empty() const { return facet_count_ == 0; }
  bool is_convex() const;
  // Whether, near the patch's highest point along n, the solid reaches no further than the patch.
  bool leads_out(const Vec3<double>& n_F) const;

  HullView hull() const { return {corner_count_, corner_, nullptr, nullptr, nullptr, nullptr, 0, nullptr}; }
  const MeshSurface& solid() const { return solid_; }

 private:
  static constexpr int kFacets = 48, kCorners = 48;
  const MeshSurface& solid_;
  Facet facet_[kFacets];
  float corner_[3 * kCorners];  // in the frame of the solid
  int vertex_[kCorners];
  int facet_count_ = 0, corner_count_ = 0;
  bool is_full_ = false;
};

// The depth of a part, or of a patch of another solid, in a patch. False if patches cannot tell: too many facets, not
// convex, or the way out leads into a solid.
bool find_depth(const Patch& patch, ConvexPart& part, Nearest& out);
bool find_depth(const Patch& a, const Patch& b, Nearest& out);

}  // namespace torsor
