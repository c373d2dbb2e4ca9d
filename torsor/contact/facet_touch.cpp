// A contact of a facet counts as it is where no neighbour of the touching place reaches further along its normal. Where
// one does, the place is an edge between triangles that only the mesh knows of, and what touches is the facet itself:
// the contact is turned to the facet's normal.
#include "torsor/contact/facet_touch.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/contact/feature.hpp"
#include "torsor/contact/manifold.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

constexpr double kAligned = 1 - 1e-5;  // cosine: two flat sides lie on each other
constexpr double kNear = 0.996;    // cosine of five degrees: the facet looks at the visitor
constexpr double kSideways = 0.1;  // cosine: directions along the facet say nothing about its sides
constexpr double kMostTurned = 2;  // how much deeper a contact may get by being turned to the facet's normal
constexpr double kInside = -1e-9;  // of the longest side: room on a facet that counts as inside

// Deepest along -d, its radius included.
Vec lowest_point(ConvexPart& part, const Vec& d) { return part.furthest(-d) - d * part.radius; }

double longest_side(const Facet& facet) {
  return std::sqrt(
      std::max({norm2(facet.p[1] - facet.p[0]), norm2(facet.p[2] - facet.p[1]), norm2(facet.p[0] - facet.p[2])}));
}

// What of a polygon, a line or a point is on the inner side. [Sutherland and Hodgman 1974]
int cut(const Vec* in, int count, const Vec& inward, double level, Vec* out) {
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    const Vec &p = in[i], &q = in[i + 1 == count ? 0 : i + 1];
    const double hp = dot(inward, p) - level, hq = dot(inward, q) - level;
    if (hp >= 0) out[kept++] = p;
    if ((hp > 0 && hq < 0) || (hp < 0 && hq > 0)) out[kept++] = p + (q - p) * (hp / (hp - hq));
  }
  return kept;
}

// Whether the way from a point behind a facet to one before it leads through it, in either direction.
bool is_crossed(const Facet& facet, const Vec& from, const Vec& to) {
  const double start = dot(facet.normal, from - facet.p[0]), end = dot(facet.normal, to - facet.p[0]);
  return start * end < 0 && room_on_facet(facet, from + (to - from) * (start / (start - end))) > 0;
}

constexpr int kMostCut = 2 * kFeatureCorners + 8;

// The part of a polygon, a line or a point that is over the facet. Returns how many corners it has.
int cut_to_facet(const Facet& facet, const Feature& feature, Vec* out) {
  Vec buffer[kMostCut];
  std::copy_n(feature.p, feature.count, out);
  int count = feature.count;
  for (int i = 0; i < 3 && count > 0; ++i) {
    const Vec inward = cross(facet.normal, facet.p[i == 2 ? 0 : i + 1] - facet.p[i]);
    const double slack = kInside * norm(inward) * longest_side(facet);
    std::copy_n(out, count, buffer);
    count = cut(buffer, count, inward, dot(inward, facet.p[i]) + slack, out);
  }
  return count;
}

// Twice the area of a polygon across n, and its largest extent along an axis or less.
double doubled_area(const Vec* p, int count, const Vec& n) {
  double sum = 0;
  for (int i = 2; i < count; ++i) sum += dot(n, cross(p[i - 1] - p[0], p[i] - p[0]));
  return std::abs(sum);
}
double diameter(const Vec* p, int count) {
  Vec low = p[0], high = p[0];
  for (int i = 1; i < count; ++i)
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[i][k]), high[k] = std::max(high[k], p[i][k]);
  return norm(high - low);
}

}  // namespace

struct FacetTouch::Found {
  Nearest nearest;
  Prism triangle;
};

// Where the lowest point of the part is over the inside of the facet, and nearer to its plane than to its edges, the
// shortest way out is straight; otherwise by the general routine.
bool FacetTouch::find(const Facet& facet, const Visitor& visitor, Found& found) const {
  ConvexPart& part = *visitor.part;
  const double level = dot(facet.normal, facet.p[0]);
  const Vec low = lowest_point(part, facet.normal), high = lowest_point(part, -facet.normal);
  const double above = dot(facet.normal, low) - level, below = level - dot(facet.normal, high);
  if (above > margin_ || below > margin_) return false;
  const bool in_front = above >= below;
  const Vec &q = in_front ? low : high, n = in_front ? facet.normal : -facet.normal;
  const double dist = in_front ? above : below;
  std::copy_n(facet.p, 3, found.triangle.corner);
  found.triangle.count = 3;
  if (room_on_facet(facet, q) > std::max(-dist, 0.0) && (dist >= 0 || is_crossed(facet, q, visitor.middle_F))) {
    found.nearest = {dist, n, q - n * dist, q};
    return true;
  }
  ConvexPart triangle(found.triangle, Mat3<double>::identity(), Vec::zero());
  Nearest& nearest = found.nearest;
  if (!find_nearest(triangle, part, margin_, nearest)) return false;
  if (highest_place(facet, nearest.normal_F).count() < 3) return true;
  // straight after all: the normal is known better than the routine knows it
  const bool is_front = dot(nearest.normal_F, facet.normal) > 0;
  nearest.normal_F = is_front ? facet.normal : -facet.normal;
  nearest.dist = is_front ? above : below;
  nearest.on_b += nearest.normal_F * dot(nearest.normal_F, (is_front ? low : high) - nearest.on_b);
  nearest.on_a = nearest.on_b - nearest.normal_F * nearest.dist;
  return true;
}

// Whether the place of the facet, and that of a visiting facet, may push along the normal. behind: a solid would pull.
bool FacetTouch::is_genuine(const Facet& facet, const Visitor& visitor, const Found& found, bool& behind) const {
  const Vec n = found.nearest.normal_F;
  const Support own = support_at(surface_, facet, highest_place(facet, n), n);
  behind = false;
  if (surface_.is_solid()) {
    const double facing = dot(n, normalized(own.outward));
    const bool is_unclear = facing <= kSideways && (facing < -kSideways || !own.is_highest);
    behind = is_unclear && dot(facet.normal, visitor.middle_F - facet.p[0]) < 0;
    // the shorter way out is the wrong one, but most of the visitor is before the facet: it is turned back
    if (is_unclear) return false;
  }
  if (!visitor.facet) return own.is_highest;
  const Support others = support_at(*visitor.surface, *visitor.facet, highest_place(*visitor.facet, -n), -n);
  if (visitor.surface->is_solid()) behind = behind || -dot(n, normalized(others.outward)) < -kSideways;
  return own.is_highest && others.is_highest;
}

void FacetTouch::add_manifold(const Visitor& visitor, Found& found) {
  ConvexPart triangle(found.triangle, Mat3<double>::identity(), Vec::zero());
  ManifoldPoint manifold[kManifoldPoints];
  const int count = find_manifold(triangle, *visitor.part, found.nearest, margin_, manifold);
  for (int i = 0; i < count; ++i) points.add(manifold[i].dist, manifold[i].pos_F, found.nearest.normal_F);
}

// The part of the visitor's lower side that is over the facet, point by point against the plane of the facet, but none
// deeper than `deepest`. side: 1 before the facet, -1 behind.
bool FacetTouch::add_beside(const Facet& facet, const Visitor& visitor, double side, double deepest) {
  const Vec n = facet.normal * side;
  Feature feature;
  find_feature(*visitor.part, -n, feature);
  if (feature.count < 2) feature.count = 1, feature.p[0] = lowest_point(*visitor.part, n);
  Vec cut[kMostCut];
  const int count = cut_to_facet(facet, feature, cut);
  bool added = false;
  for (int i = 0; i < count; ++i) {
    const double dist = dot(n, cut[i] - facet.p[0]);
    if (!(dist <= margin_) || dist < deepest) continue;
    points.add(dist, cut[i] - n * (0.5 * dist), n);
    added = true;
  }
  return added;
}

// Two flat sides on each other. Where what they share is wider than it is deep, straight is the shortest way out: any
// way at an angle has to pass its width. Width is not less than area over diameter.
bool FacetTouch::touch_flat(const Facet& facet, const Visitor& visitor) {
  // the sides of these are at right angles to their ends, so that what is above an end is inside of them
  if (visitor.part->type != GeomType::kBox && visitor.part->type != GeomType::kCylinder) return false;
  const Vec to_middle = visitor.middle_F - facet.p[0];
  const double side = surface_.is_solid() || dot(facet.normal, to_middle) >= 0 ? 1 : -1;
  const Vec n = facet.normal * side;
  if (!(dot(n, to_middle) > 0)) return false;
  Feature feature;
  find_feature(*visitor.part, -n, feature);
  if (feature.count < 3 || !(-dot(feature.normal, n) > kAligned)) return false;
  Vec cut[kMostCut];
  const int count = cut_to_facet(facet, feature, cut);
  if (count < 3) return false;
  double least = INFINITY;
  for (int i = 0; i < count; ++i) least = std::min(least, dot(n, cut[i] - facet.p[0]));
  if (!(0.5 * doubled_area(cut, count, n) > -least * diameter(cut, count))) return false;
  overlaps = overlaps || least < 0;
  for (int i = 0; i < count; ++i) {
    const double dist = dot(n, cut[i] - facet.p[0]);
    if (dist <= margin_) points.add(dist, cut[i] - n * (0.5 * dist), n);
  }
  return true;
}

void FacetTouch::project(const Facet& facet, const Visitor& visitor, const Found& found) {
  const Vec n = found.nearest.normal_F;
  const double facing = dot(n, facet.normal);
  const double side = surface_.is_solid()                                     ? 1
                      : std::abs(facing) > kSideways                          ? std::copysign(1.0, facing)
                      : dot(facet.normal, visitor.middle_F - facet.p[0]) >= 0 ? 1
                                                                              : -1;
  const double dist = found.nearest.dist;
  const bool is_near = side * facing > kNear;
  if (!is_near && !(dist < 0)) return;
  const bool is_straight = highest_place(facet, n).count() == 3;
  const double deepest = is_straight ? -INFINITY : std::min(kMostTurned * dist, dist - 1e-6 * longest_side(facet));
  if (add_beside(facet, visitor, side, deepest) || is_near) return;
  if (has_last_ && last_dist_ <= dist) return;
  has_last_ = true, last_dist_ = dist, last_normal_ = facet.normal * side;
  last_pos_ = (found.nearest.on_a + found.nearest.on_b) * 0.5;
}

void FacetTouch::touch(const Facet& facet, const Visitor& visitor) {
  if (touch_flat(facet, visitor)) return;
  Found found;
  if (!find(facet, visitor, found)) return;
  overlaps = overlaps || found.nearest.dist < 0;
  bool behind = false;
  const bool is_genuine_contact = is_genuine(facet, visitor, found, behind);
  if (behind) {
    is_behind = is_behind || found.nearest.dist < 0;
    // a solid has swallowed the visitor's middle: this facet helps if it leads out
    if (dot(facet.normal, outward_F) > 0.5) add_beside(facet, visitor, 1, -INFINITY);
    return;
  }
  if (is_genuine_contact)
    add_manifold(visitor, found);
  else
    project(facet, visitor, found);
}

void FacetTouch::use_last_resort() {
  if (points.is_empty() && has_last_) points.add(last_dist_, last_pos_, last_normal_);
}

}  // namespace torsor
