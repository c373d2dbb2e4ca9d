// A contact at an edge or corner of a facet is kept if no neighbouring facet reaches further along the contact normal.
// If one does, the edge is internal: it divides the mesh into triangles, but is no edge of the solid. The facet itself
// is then what touches, and the contact is rotated to the facet's normal.
#include "torsor/contact/facet_touch.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/contact/epa.hpp"
#include "torsor/contact/feature.hpp"
#include "torsor/contact/manifold.hpp"

namespace torsor {

// A corner of the part that lies over a facet. Corners made by clipping at an edge between two coplanar triangles are
// no contact points: the clipped shape continues over the neighbour.
struct CutPoint {
  Vec3<double> p;
  bool counts, is_cut;
};

namespace {

using Vec = Vec3<double>;

constexpr double kAligned = 1 - 1e-5;  // cosine: two flat faces lie on each other
constexpr double kNear = 0.996;        // cosine of five degrees: the facet faces the visitor
constexpr double kLevelEdge = 1e-5;    // slope: triangles that differ by less are coplanar
constexpr double kSideways = 0.1;      // cosine: directions this close to the facet's plane do not tell its sides apart
constexpr double kMostTurned = 2;      // how much deeper a contact may become by rotation to the facet's normal
constexpr double kInside = -1e-9;      // of the longest side: distance from the edges that counts as inside the facet

// Deepest along -d, its radius included.
Vec lowest_point(ConvexPart& part, const Vec& d) { return part.furthest(-d) - d * part.radius; }

double longest_side(const Facet& facet) {
  return std::sqrt(
      std::max({norm2(facet.p[1] - facet.p[0]), norm2(facet.p[2] - facet.p[1]), norm2(facet.p[0] - facet.p[2])}));
}

// Whether the segment between two points, one behind the facet and one in front, passes through it.
bool is_crossed(const Facet& facet, const Vec& from, const Vec& to) {
  const double start = dot(facet.normal, from - facet.p[0]), end = dot(facet.normal, to - facet.p[0]);
  return start * end < 0 && room_on_facet(facet, from + (to - from) * (start / (start - end))) > 0;
}

constexpr int kMostCut = 2 * kFeatureCorners + 8;

// Clips a polygon, a line or a point to the inner side. [Sutherland and Hodgman 1974]
template <class Counts>
int cut(const CutPoint* in, int count, const Vec& inward, double level, Counts&& new_counts, CutPoint* out) {
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    const CutPoint &p = in[i], &q = in[i + 1 == count ? 0 : i + 1];
    const double hp = dot(inward, p.p) - level, hq = dot(inward, q.p) - level;
    if (hp >= 0) out[kept++] = p;
    if ((hp > 0 && hq < 0) || (hp < 0 && hq > 0))
      out[kept++] = {p.p + (q.p - p.p) * (hp / (hp - hq)), new_counts(), true};
  }
  return kept;
}

// Whether the triangle across an edge lies in the same plane.
bool is_level(const Surface& surface, const Facet& facet, int edge) {
  const int other = surface.neighbor(facet.id, edge);
  if (other < 0) return false;
  const Facet across = surface.facet(other);
  for (const Vec& p : across.p)
    if (std::abs(dot(facet.normal, p - facet.p[edge])) > kLevelEdge * norm(p - facet.p[edge])) return false;
  return true;
}

// The part of a polygon, a line or a point that is over the facet. Returns how many corners it has.
int cut_to_facet(const Surface& surface, const Facet& facet, const Feature& feature, CutPoint* out) {
  CutPoint buffer[kMostCut];
  for (int i = 0; i < feature.count; ++i) out[i] = {feature.p[i], true, false};
  int count = feature.count;
  for (int i = 0; i < 3 && count > 0; ++i) {
    const Vec inward = cross(facet.normal, facet.p[i == 2 ? 0 : i + 1] - facet.p[i]);
    const double slack = kInside * norm(inward) * longest_side(facet);
    std::copy_n(out, count, buffer);
    count = cut(
        buffer, count, inward, dot(inward, facet.p[i]) + slack, [&] { return !is_level(surface, facet, i); }, out);
  }
  return count;
}

bool is_round_base(const ConvexPart& part, const Feature& feature) {
  return feature.count > 2 && (part.type == GeomType::kCylinder || part.type == GeomType::kCone);
}

// Area over diameter of a polygon across n, a lower bound of its width.
double least_width(const CutPoint* p, int count, const Vec& n) {
  double doubled_area = 0;
  Vec low = p[0].p, high = p[0].p;
  for (int i = 1; i < count; ++i) {
    if (i > 1) doubled_area += dot(n, cross(p[i - 1].p - p[0].p, p[i].p - p[0].p));
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[i].p[k]), high[k] = std::max(high[k], p[i].p[k]);
  }
  return 0.5 * std::abs(doubled_area) / std::max(norm(high - low), kMinNorm<double>);
}

}  // namespace

struct FacetTouch::Found {
  Nearest nearest;
  Prism triangle;
};

// If the lowest point of the part is over the inside of the facet, and nearer to its plane than to its edges, the
// shortest way out is along the normal; otherwise GJK and EPA find it.
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
  // along the normal after all: the facet's own normal is more accurate than the one found
  const bool is_front = dot(nearest.normal_F, facet.normal) > 0;
  nearest.normal_F = is_front ? facet.normal : -facet.normal;
  nearest.dist = is_front ? above : below;
  nearest.on_b += nearest.normal_F * dot(nearest.normal_F, (is_front ? low : high) - nearest.on_b);
  nearest.on_a = nearest.on_b - nearest.normal_F * nearest.dist;
  return true;
}

bool FacetTouch::Verdict::is_elsewhere() const {
  if (own.is_inner() || others.is_inner()) return own.is_inner() && others.is_inner();
  return !own.is_real && !others.is_real && !own.is_face && !others.is_face;
}
// Inside a flat face there is only one normal, and a facet that touches as a whole has a reliable one; contacts at
// other internal edges are rotated to the facet's normal.
bool FacetTouch::Verdict::is_own() const {
  if (own.is_inner() != others.is_inner()) return own.is_inner();
  if (own.is_face != others.is_face) return own.is_face;
  return own.is_face || !own.is_real;
}

FacetTouch::Verdict FacetTouch::judge(const Facet& facet, const Visitor& visitor, const Vec& n) const {
  const Place place = highest_place(facet, n);
  const Support own = support_at(surface_, facet, place, n);
  Verdict verdict;
  verdict.own = {own.is_highest, place.count() == 3, own.is_flat};
  if (surface_.is_solid()) {
    const double facing = dot(n, normalized(own.outward));
    const bool is_unclear = facing <= kSideways && (facing < -kSideways || !own.is_highest);
    const bool is_facet_inside = visitor.facet && facing < -kSideways;
    verdict.is_behind = is_unclear && (is_facet_inside || dot(facet.normal, visitor.middle_F - facet.p[0]) < 0);
    // the shorter way out is the wrong one, but most of the visitor is in front of the facet: reverse it
    if (is_unclear) verdict.own.is_real = false;
  }
  if (!visitor.facet) return verdict;
  const Place others_place = highest_place(*visitor.facet, -n);
  const Support others = support_at(*visitor.surface, *visitor.facet, others_place, -n);
  verdict.others = {others.is_highest, others_place.count() == 3, others.is_flat};
  if (visitor.surface->is_solid() && -dot(n, normalized(others.outward)) < -kSideways) verdict.is_behind = true;
  return verdict;
}

void FacetTouch::add_manifold(const Visitor& visitor, Found& found) {
  ConvexPart triangle(found.triangle, Mat3<double>::identity(), Vec::zero());
  ManifoldPoint manifold[kManifoldPoints];
  const int count = find_manifold(triangle, *visitor.part, found.nearest, margin_, manifold);
  for (int i = 0; i < count; ++i) points.add(manifold[i].dist, manifold[i].pos_F, found.nearest.normal_F);
}

// The points of a part that lie over a facet, each against the plane of the facet, with depths limited to `deepest`.
// side: 1 in front of the facet, -1 behind; sign: of the normals that are added.
bool FacetTouch::add_over(const Over& over, double deepest) {
  const Vec n = over.facet.normal * over.side;
  Feature feature;
  find_feature(over.part, -n, feature);
  if (feature.count < 2) feature.count = 1, feature.p[0] = lowest_point(over.part, n);
  CutPoint cut[kMostCut];
  const int count = cut_to_facet(over.surface, over.facet, feature, cut);
  return add_cut(over, feature, cut, count, deepest);
}

// Adds what is left of a feature after clipping. Returns whether any of it is near enough.
bool FacetTouch::add_cut(const Over& over, const Feature& feature, const CutPoint* cut, int count, double deepest) {
  const Vec n = over.facet.normal * over.side;
  const bool is_round = is_round_base(over.part, feature);
  bool added = false;
  for (int i = 0; i < count; ++i) {
    const double dist = dot(n, cut[i].p - over.facet.p[0]);
    if (!cut[i].counts || !(dist <= margin_) || dist < deepest) continue;
    if (is_round && !cut[i].is_cut)
      points.add_rim(dist, cut[i].p - n * (0.5 * dist), n * over.sign);
    else
      points.add(dist, cut[i].p - n * (0.5 * dist), n * over.sign);
    added = true;
  }
  return added;
}

// The lowest point of a round base is its first corner; as on a plane, two more are added a third of a turn away. Those
// beyond the margin are added whether or not they are over this facet.
void FacetTouch::add_stands(const Facet& facet, const Feature& feature, const Vec& n) {
  const Vec middle = (feature.p[0] + feature.p[feature.count / 2]) * 0.5, lowest = feature.p[0] - middle,
            sideways = feature.p[feature.count / 4] - middle;
  const Vec stands[] = {feature.p[0], middle - lowest * 0.5 + sideways * std::sqrt(0.75),
                        middle - lowest * 0.5 - sideways * std::sqrt(0.75)};
  for (int i = 0; i < 3; ++i) {
    const double dist = dot(n, stands[i] - facet.p[0]);
    const bool is_near = dist <= margin_;
    if (is_near && room_on_facet(facet, stands[i]) < kInside * longest_side(facet)) continue;
    points.add_stand(i, dist, stands[i] - n * (0.5 * dist), n, is_near);
  }
}

// Two flat faces on each other. If their overlap is wider than it is deep, the shortest way out is along the normal:
// any other way has to cross the width.
bool FacetTouch::touch_flat(const Facet& facet, const Visitor& visitor) {
  const GeomType type = visitor.part->type;
  if (type != GeomType::kBox && type != GeomType::kCylinder && type != GeomType::kCone) return false;
  const Vec to_middle = visitor.middle_F - facet.p[0];
  const double side = surface_.is_solid() || dot(facet.normal, to_middle) >= 0 ? 1 : -1;
  const Vec n = facet.normal * side;
  if (!(dot(n, to_middle) > 0)) return false;
  Feature feature;
  find_feature(*visitor.part, -n, feature);
  if (is_round_base(*visitor.part, feature)) add_stands(facet, feature, n);
  // their sides are at right angles to their ends, so that whatever is above an end is inside the shape
  const bool is_upright = type == GeomType::kBox || type == GeomType::kCylinder;
  if (!is_upright || feature.count < 3 || !(-dot(feature.normal, n) > kAligned)) return false;
  CutPoint cut[kMostCut];
  const int count = cut_to_facet(surface_, facet, feature, cut);
  if (count < 3) return false;
  double least = INFINITY;
  for (int i = 0; i < count; ++i) least = std::min(least, dot(n, cut[i].p - facet.p[0]));
  if (!(least_width(cut, count, n) > -least)) return false;
  overlaps = overlaps || least < 0;
  if (patch && least < 0) patch->add(facet);
  add_cut({surface_, facet, *visitor.part, side, 1}, feature, cut, count, -INFINITY);
  return true;
}

// Along the normal of the facet that decides.
void FacetTouch::project(const Facet& facet, const Visitor& visitor, Found& found, const Verdict& verdict) {
  const Vec n = found.nearest.normal_F;
  const bool is_exact = verdict.is_genuine(), is_own = !visitor.facet || verdict.is_own();
  const double own = dot(n, facet.normal), others = visitor.facet ? -dot(n, visitor.facet->normal) : 0;
  const double facing = is_own ? own : others, dist = found.nearest.dist;
  const Surface& surface = is_own ? surface_ : *visitor.surface;
  const Facet& target = is_own ? facet : *visitor.facet;
  const Vec middle = is_own ? visitor.middle_F : (facet.p[0] + facet.p[1] + facet.p[2]) * (1.0 / 3);
  // a shell pushes to the side of the middle; for a facet, or a core that is apart, the normal tells the side better
  const bool is_apart = dist + visitor.part->radius > 0;
  const bool by_facing = (visitor.facet || is_apart) && std::abs(facing) > kSideways;
  const double towards = by_facing ? facing : dot(target.normal, middle - target.p[0]);
  const double side = surface.is_solid() || towards >= 0 ? 1 : -1;
  const bool is_near = is_exact || side * facing > kNear;
  if (!is_near && !(dist < 0)) return;
  const bool is_straight = highest_place(target, is_own ? n : -n).count() == 3;
  const double deepest =
      is_straight || is_near ? -INFINITY : std::min(kMostTurned * dist, dist - 1e-6 * longest_side(target));
  ConvexPart triangle(found.triangle, Mat3<double>::identity(), Vec::zero());
  const Over over{surface, target, is_own ? *visitor.part : triangle, side, is_own ? 1.0 : -1.0};
  // where both places are internal edges, the real contact is elsewhere
  if (!verdict.is_elsewhere() && (add_over(over, deepest) || (is_near && !is_exact))) return;
  if (!(dist < 0) || (has_last_ && last_dist_ <= dist)) return;
  has_last_ = true, last_dist_ = dist, last_normal_ = target.normal * (side * over.sign);
  last_pos_ = (found.nearest.on_a + found.nearest.on_b) * 0.5;
}

bool FacetTouch::touch(const Facet& facet, const Visitor& visitor) {
  if (touch_flat(facet, visitor)) return overlaps;
  Found found;
  if (!find(facet, visitor, found)) return false;
  const bool is_inside = found.nearest.dist < 0;
  overlaps = overlaps || is_inside;
  const Verdict verdict = judge(facet, visitor, found.nearest.normal_F);
  if (patch && is_inside) patch->add(facet);
  is_sideways = is_sideways || (is_inside && !verdict.own.is_face && !(visitor.facet && verdict.others.is_face));
  if (verdict.is_behind) {
    is_behind = is_behind || is_inside;
    // the visitor's middle is inside the solid: use this facet if its normal leads out
    if (dot(facet.normal, outward_F) > 0.5) add_over({surface_, facet, *visitor.part, 1, 1}, -INFINITY);
    return is_inside;
  }
  if (verdict.is_genuine() && !verdict.own.is_face && !verdict.others.is_face)
    add_manifold(visitor, found);
  else
    project(facet, visitor, found, verdict);
  return is_inside;
}

void FacetTouch::use_depth_of_all(const Nearest& nearest) {
  const double level = 1e-6 * points.size();  // depths that differ by less are equal
  points.drop_deeper(nearest.dist - level);
  if (!points.has(nearest.dist + level, nearest.normal_F))
    points.add(nearest.dist, (nearest.on_a + nearest.on_b) * 0.5, nearest.normal_F);
}

void FacetTouch::use_last_resort() {
  if (points.is_empty() && has_last_) points.add(last_dist_, last_pos_, last_normal_);
}

}  // namespace torsor
