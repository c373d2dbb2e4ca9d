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

// As touch_convex() of pairs.hpp; `find_depth` as for find_nearest().
template <class F = FindDepth>
TORSOR_HD int touch_convexes(const Shape& first, const Shape& second, double margin, ContactPoint* out,
                             Vec3<double>* apart_W, F&& find_depth = {}) {
  using Vec = Vec3<double>;
  if (apart_W) *apart_W = Vec::zero();
  if (has_no_hull(first) || has_no_hull(second)) return 0;
  const bool ordered = convexes::comes_first(first, second);
  const Shape &a = ordered ? first : second, &b = ordered ? second : first;
  Vec known_W;
  if (const int known = touch_beside_ellipsoid(a, b, margin, out, known_W); known >= 0) {
    const double sign = ordered ? 1 : -1;
    if (apart_W && known == 0) *apart_W = known_W * sign;
    for (int i = 0; i < known; ++i) out[i].normal_W *= sign;
    return known;
  }
  const Mat3<double> R_WF = load9(a.R_WG);
  ConvexPart part_a(a, Mat3<double>::identity(), Vec::zero());
  ConvexPart part_b(b, transposed_mul(R_WF, load9(b.R_WG)), transposed_mul(R_WF, b.p_WoGo_W - a.p_WoGo_W));
  Nearest nearest;
  Vec apart_F = Vec::zero();
  if (!find_nearest(part_a, part_b, margin, nearest, apart_W ? &apart_F : nullptr, find_depth)) {
    if (apart_W) *apart_W = R_WF * apart_F * (ordered ? 1.0 : -1.0);
    return 0;
  }
  ManifoldPoint points[kManifoldPoints];
  const int count = find_manifold(part_a, part_b, nearest, margin, points);
  const Vec normal_W = R_WF * nearest.normal_F * (ordered ? 1.0 : -1.0);
  for (int i = 0; i < count; ++i) out[i] = {points[i].dist, a.p_WoGo_W + R_WF * points[i].pos_F, normal_W, Vec::zero()};
  return count;
}

}  // namespace torsor
