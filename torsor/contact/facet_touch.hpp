// One facet of a surface against a convex part: a shape, or a facet of another surface.
#pragma once

#include "torsor/contact/patch.hpp"
#include "torsor/contact/point_set.hpp"
#include "torsor/contact/support.hpp"
#include "torsor/contact/surface.hpp"

namespace torsor {

struct CutPoint;
struct Feature;

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

  bool touch(const Facet& facet, const Visitor& visitor);  // whether they overlap
  // Single facets may know of too little depth, and contacts that were turned of too much. What all of them together
  // know.
  void use_depth_of_all(const Nearest& nearest);
  // Where facets overlap the visitor, but none knows which way is out: the least push along the normal of one.
  void use_last_resort();

  bool overlaps = false;            // some facet overlaps the visitor
  bool is_behind = false;           // some facet of a solid has more of the visitor behind it than before
  bool is_sideways = false;         // the shortest way out of some facet is not straight: others may bar it
  Patch* patch = nullptr;           // where facets that overlap the visitor are gathered
  Vec3<double> outward_F{0, 0, 0};  // where a visitor with its middle inside of the solid goes; zero: nowhere

 private:
  struct Found;
  bool find(const Facet& facet, const Visitor& visitor, Found& found) const;
  // Of a place that touches: whether it may push along the normal, or is an edge that only the mesh knows of; whether
  // it is the whole facet, or lies inside of a flat side.
  struct Part {
    bool is_real = true, is_face = false, is_flat = false;
    bool is_inner() const { return !is_real && is_flat; }
  };
  struct Verdict {
    Part own, others;
    bool is_behind = false;  // a solid would pull
    bool is_genuine() const { return own.is_real && others.is_real; }
    bool is_elsewhere() const;  // what really touches are other facets
    bool is_own() const;        // the own facet decides about the normal
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
