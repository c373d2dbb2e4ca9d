// An ellipsoid against a sphere, a capsule or a box: touch_ellipsoid() of pairs.hpp.
#pragma once

#include "torsor/contact/ellipsoid.hpp"
#include "torsor/contact/shape.hpp"

namespace torsor {

namespace beside_ellipsoid {

using Vec = Vec3<double>;

TORSOR_HD inline bool has_segment(GeomType type) { return type == GeomType::kSphere || type == GeomType::kCapsule; }

TORSOR_HD inline int touch_segment(const Shape& round, const Shape& ellipsoid, double margin, ContactPoint* out,
                                   Vec& apart_W) {
  const bool has_length = round.type == GeomType::kCapsule && round.size[1] > 0;
  const Mat3<double> R_WE = load9(ellipsoid.R_WG);
  const Vec half_W = has_length ? round.axis(2) * round.size[1] : Vec::zero();
  const double radius = round.size[0];
  const EllipsoidTouch<double> touch =
      segment_beside_ellipsoid(transposed_mul(R_WE, round.p_WoGo_W - ellipsoid.p_WoGo_W), transposed_mul(R_WE, half_W),
                               has_length, ellipsoid.size, margin + radius);
  if (touch.left) return -1;
  const Vec normal_W = -(R_WE * touch.normal);
  apart_W = normal_W;
  if (!touch.near) return 0;
  const double dist = touch.dist - radius;
  const Vec center_W = ellipsoid.p_WoGo_W + R_WE * touch.on_other;
  *out = {dist, center_W + normal_W * (radius + 0.5 * dist), normal_W, Vec::zero()};
  return 1;
}

TORSOR_HD inline int touch_box(const Shape& ellipsoid, const Shape& box, double margin, ContactPoint* out,
                               Vec& apart_W) {
  const Mat3<double> R_WB = load9(box.R_WG);
  const EllipsoidTouch<double> touch =
      ellipsoid_on_box(transposed_mul(R_WB, ellipsoid.p_WoGo_W - box.p_WoGo_W),
                       transposed_mul(R_WB, load9(ellipsoid.R_WG)), ellipsoid.size, box.size, margin);
  if (touch.left) return -1;
  const Vec normal_W = R_WB * touch.normal;
  apart_W = normal_W;
  if (!touch.near) return 0;
  const Vec on_box_W = box.p_WoGo_W + R_WB * touch.on_other;
  *out = {touch.dist, on_box_W - normal_W * (0.5 * touch.dist), normal_W, Vec::zero()};
  return 1;
}

}  // namespace beside_ellipsoid

TORSOR_HD inline int touch_beside_ellipsoid(const Shape& a, const Shape& b, double margin, ContactPoint* out,
                                            Vec3<double>& apart_W) {
  using namespace beside_ellipsoid;
  if (b.type == GeomType::kEllipsoid && has_segment(a.type)) return touch_segment(a, b, margin, out, apart_W);
  if (a.type == GeomType::kEllipsoid && b.type == GeomType::kBox) return touch_box(a, b, margin, out, apart_W);
  return -1;
}

}  // namespace torsor
