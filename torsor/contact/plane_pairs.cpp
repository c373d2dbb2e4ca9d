// A plane against shapes with edges: their lowest points are known in closed form.
#include <algorithm>
#include <cmath>

#include "torsor/contact/feature.hpp"
#include "torsor/contact/pairs.hpp"
#include "torsor/contact/spread.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// A point of the other shape against the plane.
int touch_plane_point(const Shape& plane, const Vec& p_WoP_W, double margin, ContactPoint* out) {
  const Vec normal = plane.axis(2);
  const double dist = dot(normal, p_WoP_W - plane.p_WoGo_W);
  if (dist > margin) return 0;  // false for NaN, so that bad numbers reach the forces and are noticed
  *out = {dist, p_WoP_W - normal * (0.5 * dist), normal, Vec3<double>::zero()};
  return 1;
}

// Whether a box is above the plane by more than the margin, and by more than rounding could change.
bool is_clearly_above(const Shape& plane, const Vec& p_WoBo_W, const Vec (&half_W)[3], double margin) {
  const Vec normal = plane.axis(2), p_PoBo_W = p_WoBo_W - plane.p_WoGo_W;
  double reach = 0;
  for (const Vec& half : half_W) reach += std::abs(dot(normal, half));
  const auto size = [](const Vec& v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); };
  const double slack = 1e-12 * (size(p_WoBo_W) + size(plane.p_WoGo_W) + reach);
  return dot(normal, p_PoBo_W) - reach > margin + slack;
}

// Four points of a round base: the lowest, two more a third of a turn away so that it can stand, and `top`, which lies
// straight above the lowest.
int touch_round_base(const Shape& plane, const Vec& base, const Vec& lowest, const Vec& sideways, const Vec& top,
                     double margin, ContactPoint* out) {
  int count = touch_plane_point(plane, base + lowest, margin, out);
  if (count == 0) return 0;
  count += touch_plane_point(plane, top, margin, out + count);
  for (const double side : {1.0, -1.0}) {
    const Vec rim = base - lowest * 0.5 + sideways * (side * std::sqrt(0.75));
    count += touch_plane_point(plane, rim, margin, out + count);
  }
  return count;
}

// The direction across `axis` of steepest descent, and the one at right angles to both; arbitrary if all are level.
struct Rim {
  Vec down, sideways;

  Rim(const Vec& normal, const Shape& shape, const Vec& axis) {
    const Vec descent = axis * dot(normal, axis) - normal;
    const double length = norm(descent);
    down = length < 1e-12 ? shape.axis(0) : descent * (1 / length);
    sideways = cross(down, axis);
  }
};

}  // namespace

// The corners of the lower half, at most four of them.
int plane_box(const Shape& plane, const Shape& box, double margin, ContactPoint* out) {
  const Vec normal = plane.axis(2);
  const Vec half[3] = {box.axis(0) * box.size[0], box.axis(1) * box.size[1], box.axis(2) * box.size[2]};
  if (is_clearly_above(plane, box.p_WoGo_W, half, margin)) return 0;
  int count = 0;
  for (int corner = 0; corner < 8 && count < 4; ++corner) {
    Vec p_GoP_W = Vec::zero();
    for (int i = 0; i < 3; ++i) p_GoP_W += corner >> i & 1 ? half[i] : -half[i];
    if (dot(normal, p_GoP_W) > 0) continue;
    count += touch_plane_point(plane, box.p_WoGo_W + p_GoP_W, margin, out + count);
  }
  return count;
}

int plane_cylinder(const Shape& plane, const Shape& cylinder, double margin, ContactPoint* out) {
  const Vec normal = plane.axis(2);
  const double radius = cylinder.size[0], half = cylinder.size[1];
  const Vec axis = cylinder.axis(2) * (dot(normal, cylinder.axis(2)) > 0 ? -1.0 : 1.0);  // down
  const Rim rim(normal, cylinder, axis);
  const Vec base = cylinder.p_WoGo_W + axis * half, lowest = rim.down * radius;
  return touch_round_base(plane, base, lowest, rim.sideways * radius, cylinder.p_WoGo_W - axis * half + lowest, margin,
                          out);
}

// On its base, as a cylinder; on its apex, one point; on its side, both ends of the line that touches.
int plane_cone(const Shape& plane, const Shape& cone, double margin, ContactPoint* out) {
  const Vec normal = plane.axis(2), axis = cone.axis(2);
  const double radius = cone.size[0], half = cone.size[1];
  const Rim rim(normal, cone, -axis);
  const Vec base = cone.p_WoGo_W - axis * half, apex = cone.p_WoGo_W + axis * half, lowest = rim.down * radius;
  if (dot(normal, apex) < dot(normal, base + lowest)) {
    const int count = touch_plane_point(plane, apex, margin, out);
    return count == 0 ? 0 : count + touch_plane_point(plane, base + lowest, margin, out + count);
  }
  return touch_round_base(plane, base, lowest, rim.sideways * radius, apex, margin, out);
}

// The lowest corner of the hull, and those of the flat side there that looks most at the plane, within the margin: the
// four that give the broadest support.
int plane_mesh(const Shape& plane, const Shape& mesh, double margin, ContactPoint* out) {
  const HullView& hull = *mesh.hull;
  if (hull.count == 0) return 0;
  const Mat3<double> R_WG = load9(mesh.R_WG);
  const Vec normal = plane.axis(2), down_G = transposed_mul(R_WG, -normal);
  const int lowest = ConvexPart(mesh, Mat3<double>::identity(), Vec::zero()).furthest_corner(down_G);
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

// Lowest where the gradient of the ellipsoid's equation points down.
int plane_ellipsoid(const Shape& plane, const Shape& ellipsoid, double margin, ContactPoint* out) {
  const Vec normal = plane.axis(2), radii = load3(ellipsoid.size);
  const Vec down_G{-dot(ellipsoid.axis(0), normal), -dot(ellipsoid.axis(1), normal), -dot(ellipsoid.axis(2), normal)};
  const Vec scaled = hadamard(radii, down_G);
  const Vec p_GoP_G = hadamard(radii, scaled) * (1 / std::max(norm(scaled), kMinNorm<double>));
  const Vec p_GoP_W = ellipsoid.axis(0) * p_GoP_G.x + ellipsoid.axis(1) * p_GoP_G.y + ellipsoid.axis(2) * p_GoP_G.z;
  return touch_plane_point(plane, ellipsoid.p_WoGo_W + p_GoP_W, margin, out);
}

}  // namespace torsor
