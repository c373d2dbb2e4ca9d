// A plane against the hull of a mesh.
#pragma once

#include <algorithm>
#include <cmath>

#include "torsor/contact/feature.hpp"
#include "torsor/contact/kernels/plane_point.hpp"
#include "torsor/contact/spread.hpp"

namespace torsor {

// The lowest corner of the hull, and those of the flat side there that looks most at the plane, within the margin: the
// four that give the broadest support.
TORSOR_HD inline int touch_plane_mesh(const Shape& plane, const Shape& mesh, double margin, ContactPoint* out) {
  const HullView& hull = *mesh.hull;
  if (hull.count == 0) return 0;
  const Mat3<double> R_WG = load9(mesh.R_WG);
  const Vec3<double> normal = plane.axis(2), down_G = transposed_mul(R_WG, -normal);
  const int lowest = ConvexPart(mesh, Mat3<double>::identity(), Vec3<double>::zero()).furthest_corner(down_G);
  const auto touch = [&](int i, ContactPoint* point) {
    return touch_plane_point(plane, mesh.p_WoGo_W + R_WG * load3<double>(hull.corner + 3 * i), margin, point);
  };
  if (!touch(lowest, out)) return 0;
  HullFace face;
  find_hull_face(hull, down_G, lowest, 0, face);
  ManifoldPoint found[kSideCorners + 1];
  int count = 0;
  double size2 = 0;
  bool has_lowest = false;  // a side of very many corners may have left it out
  for (int i = 0; i < face.count; ++i) {
    ContactPoint point;
    if (!touch(face.corner[i], &point)) continue;
    has_lowest |= face.corner[i] == lowest;
    size2 = std::max(size2, norm2(point.pos_W - out[0].pos_W));
    found[count++] = {point.dist, point.pos_W};
  }
  if (!has_lowest) found[count++] = {out[0].dist, out[0].pos_W};
  ManifoldPoint kept[kManifoldPoints];
  count = choose_spread(found, count, normal, std::sqrt(size2), kept);
  for (int i = 0; i < count; ++i) out[i] = {kept[i].dist, kept[i].pos_F, out[0].normal_W, out[0].tangent_W};
  return count;
}

}  // namespace torsor
