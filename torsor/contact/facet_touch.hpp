// One facet of a surface against a convex part: a shape, or a facet of another surface.
#pragma once

#include "torsor/contact/point_set.hpp"
#include "torsor/contact/support.hpp"
#include "torsor/contact/surface.hpp"

namespace torsor {

// What the facets of one surface meet.
struct Visitor {
  ConvexPart* part;
  Vec3<double> middle_F;             // some point inside of the part
  const Surface* surface = nullptr;  // that the part is a facet of
  const Facet* facet = nullptr;
};

// Collects points of contact in F; normals from the surface to the visitor.
class FacetTouch {
 public:
  FacetTouch(const Surface& surface, double margin, double size) : surface_(surface), margin_(margin), points(size) {}

  void touch(const Facet& facet, const Visitor& visitor);
  // Where facets overlap the visitor, but none knows which way is out: the least push along the normal of one.
  void use_last_resort();

  bool overlaps = false;            // some facet overlaps the visitor
  bool is_behind = false;           // some facet of a solid has more of the visitor behind it than before
  Vec3<double> outward_F{0, 0, 0};  // where a visitor with its middle inside of the solid goes; zero: nowhere

 private:
  struct Found;
  bool find(const Facet& facet, const Visitor& visitor, Found& found) const;
  bool is_genuine(const Facet& facet, const Visitor& visitor, const Found& found, bool& behind) const;
  void add_manifold(const Visitor& visitor, Found& found);
  bool add_beside(const Facet& facet, const Visitor& visitor, double side, double deepest);
  bool touch_flat(const Facet& facet, const Visitor& visitor);
  void project(const Facet& facet, const Visitor& visitor, const Found& found);

  const Surface& surface_;
  double margin_;
  double last_dist_ = 0;
  Vec3<double> last_pos_{0, 0, 0}, last_normal_{0, 0, 0};
  bool has_last_ = false;

 public:
  PointSet points;
};

}  // namespace torsor
