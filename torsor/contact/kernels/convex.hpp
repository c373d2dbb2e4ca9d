// Any two convex shapes.
#pragma once

#include "torsor/contact/epa.hpp"
#include "torsor/contact/kernels/ellipsoid_pairs.hpp"
#include "torsor/contact/manifold.hpp"

namespace torsor {

namespace convexes {

// See pairs.hpp.
TORSOR_HD inline bool comes_first(const Shape& a, const Shape& b) {
  if (a.type != b.type) return a.type < b.type;
  const double of_a[] = {a.p_WoGo_W.x, a.p_WoGo_W.y, a.p_WoGo_W.z, a.R_WG[0], a.R_WG[4], a.R_WG[8]};
  const double of_b[] = {b.p_WoGo_W.x, b.p_WoGo_W.y, b.p_WoGo_W.z, b.R_WG[0], b.R_WG[4], b.R_WG[8]};
  for (int i = 0; i < 6; ++i) {
    if (of_b[i] < of_a[i]) return false;
    if (of_a[i] < of_b[i]) return true;
  }
  return true;
}

}  // namespace convexes

// What two convex shapes need before a search for their nearest points, and what follows it: the points of contact.
class ConvexMeeting {
 public:
  TORSOR_HD ConvexMeeting(const Shape& first, const Shape& second)
      : is_ordered_(convexes::comes_first(first, second)),
        a(is_ordered_ ? first : second),
        b(is_ordered_ ? second : first) {}

  // The number of points, or -1 where that takes a search. `apart_W` as in pairs.hpp.
  TORSOR_HD int touch_without_search(double margin, ContactPoint* out, Vec3<double>& apart_W) const {
    apart_W = Vec3<double>::zero();
    if (has_no_hull(a) || has_no_hull(b)) return 0;
    Vec3<double> known_W;
    const int known = touch_beside_ellipsoid(a, b, margin, out, known_W);
    if (known == 0) apart_W = known_W * sign();
    for (int i = 0; i < known; ++i) out[i].normal_W *= sign();
    return known;
  }
  TORSOR_HD ConvexPart part_a() const { return first_part(a, b); }
  TORSOR_HD ConvexPart part_b() const { return second_part(a, b); }
  TORSOR_HD Vec3<double> apart_W(const Vec3<double>& apart_F) const { return load9(a.R_WG) * apart_F * sign(); }
  TORSOR_HD int write_points(ConvexPart& part_a, ConvexPart& part_b, const Nearest& nearest, double margin,
                             ContactPoint* out, const FacingCorners& corners = {}) const {
    ManifoldPoint points[kManifoldPoints];
    const int count = find_manifold(part_a, part_b, nearest, margin, points, corners);
    const Mat3<double> R_WF = load9(a.R_WG);
    const Vec3<double> normal_W = R_WF * nearest.normal_F * sign();
    for (int i = 0; i < count; ++i)
      out[i] = {points[i].dist, a.p_WoGo_W + R_WF * points[i].pos_F, normal_W, Vec3<double>::zero()};
    return count;
  }

 private:
  TORSOR_HD double sign() const { return is_ordered_ ? 1.0 : -1.0; }

  bool is_ordered_;

 public:
  const Shape &a, &b;
};

// As touch_convex() of pairs.hpp; `find_depth` as for find_nearest().
template <class F>
TORSOR_HD int touch_convexes(const Shape& first, const Shape& second, double margin, ContactPoint* out,
                             F&& find_depth) {
  const ConvexMeeting meeting(first, second);
  Vec3<double> apart_W;
  if (const int known = meeting.touch_without_search(margin, out, apart_W); known >= 0) return known;
  ConvexPart part_a = meeting.part_a(), part_b = meeting.part_b();
  Nearest nearest;
  if (!find_nearest(part_a, part_b, margin, nearest, nullptr, find_depth)) return 0;
  return meeting.write_points(part_a, part_b, nearest, margin, out);
}

}  // namespace torsor
