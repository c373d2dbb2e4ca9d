// One facet of a surface against a convex part: a shape, or a facet of another surface.
#pragma once

#include "torsor/contact/patch.hpp"
#include "torsor/contact/point_set.hpp"
#include "torsor/contact/support.hpp"
#include "torsor/contact/surface.hpp"

namespace torsor {

struct CutPoint;
struct Feature;

// The convex part that the facets of a surface are tested against.
struct Visitor {
  ConvexPart* part;
  Vec3<double> middle_F;             // some point inside the part
  const Surface* surface = nullptr;  // of which the part is a facet, if any
  const Facet* facet = nullptr;
};

// Collects contact points in F; normals point from the surface to the visitor.
class FacetTouch {
 public:
  FacetTouch(const Surface& surface, double margin, double size) : surface_(surface), margin_(margin), points(size) {}

  bool touch(const Facet& facet, const Visitor& visitor);  // whether they overlap
  // Single facets may underestimate the depth, and rotated contacts overestimate it. Replaces depths by that of all
  // facets together.
  void use_depth_of_all(const Nearest& nearest);
  // For facets that overlap the visitor although none gave a contact: the smallest push along the normal of one.
  void use_last_resort();

  bool overlaps = false;            // some facet overlaps the visitor
  bool is_behind = false;           // some facet of a solid has more of the visitor behind it than in front
  bool is_sideways = false;         // the shortest way out of some facet is not along its normal: others may block it
  Patch* patch = nullptr;           // collects the facets that overlap the visitor
  Vec3<double> outward_F{0, 0, 0};  // way out for a visitor whose middle is inside the solid; zero: none

 private:
  struct Found;
  bool find(const Facet& facet, const Visitor& visitor, Found& found) const;
  // A place that touches: whether it may push along the normal (not if it is an internal edge), whether it is the whole
  // facet, and whether it lies inside a flat face.
  struct Part {
    bool is_real = true, is_face = false, is_flat = false;
    bool is_inner() const { return !is_real && is_flat; }
  };
  struct Verdict {
    Part own, others;
    bool is_behind = false;  // a solid would pull
    bool is_genuine() const { return own.is_real && others.is_real; }
    bool is_elsewhere() const;  // the real contact is with other facets
    bool is_own() const;        // the surface's own facet determines the normal
  };
  Verdict judge(const Facet& facet, const Visitor& visitor, const Vec3<double>& n) const;
  void add_manifold(const Visitor& visitor, Found& found);
  struct Over {
    const Surface& surface;
    const Facet& facet;
    ConvexPart& part;
    double side, sign;
  };
  bool add_over(const Over& over, double deepest);
  bool add_cut(const Over& over, const Feature& feature, const CutPoint* cut, int count, double deepest);
  void add_stands(const Facet& facet, const Feature& feature, const Vec3<double>& n);
  bool touch_flat(const Facet& facet, const Visitor& visitor);
  void project(const Facet& facet, const Visitor& visitor, Found& found, const Verdict& verdict);

  const Surface& surface_;
  double margin_;
  double last_dist_ = 0;
  Vec3<double> last_pos_{0, 0, 0}, last_normal_{0, 0, 0};
  bool has_last_ = false;

 public:
  PointSet points;
};

}  // namespace torsor
