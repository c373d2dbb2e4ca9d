// Poses that the closed forms of kernels/pack_pairs.hpp leave to the functions of one world: parallel capsules, and the
// centre of a sphere inside a box.
#pragma once

#include "torsor/batch/kernels/pack_pairs.hpp"
#include "torsor/batch/kernels/rows.hpp"
#include "torsor/math/world_lane.hpp"

namespace torsor::gpu {

struct RarePoint {
  double dist;
  Vec3<double> pos_W, normal_W;
};

// A shape with its numbers in double.
struct RareShape {
  Vec3<double> p_WoGo_W, axis[3];
  const double* size;

  template <class P>
  TORSOR_INLINE explicit RareShape(const PackShape<P>& shape) : size(shape.size) {
    for (int i = 0; i < 3; ++i) {
      p_WoGo_W[i] = lane(shape.p_WoGo_W[i], 0);
      for (int k = 0; k < 3; ++k) axis[k][i] = lane(shape.axis(k)[i], 0);
    }
  }
};

// As touch_balls() for one world.
TORSOR_INLINE int touch_rare_balls(const Vec3<double>& center_a, double radius_a, const Vec3<double>& center_b,
                                   double radius_b, const RareShape& a, const RareShape& b, double margin,
                                   RarePoint* out) {
  const Vec3<double> between = center_b - center_a;
  const double reach = margin + radius_a + radius_b, length2 = norm2(between);
  if (length2 > reach * reach || reach < 0) return 0;
  const double length = sqrt(length2);
  const Vec3<double> normal =
      length < kMinNorm<double> ? normalized(cross(a.axis[2], b.axis[2])) : between * (1 / length);
  const double dist = length - radius_a - radius_b;
  *out = {dist, center_a + normal * (radius_a + 0.5 * dist), normal};
  return 1;
}

// As capsule_capsule() of contact/round_pairs.hpp where the axes are parallel or too short to have a direction.
TORSOR_HD inline int touch_parallel_capsules(const RareShape& a, const RareShape& b, double margin, RarePoint* out) {
  const Vec3<double> u = a.axis[2] * a.size[1], v = b.axis[2] * b.size[1], p_ab = b.p_WoGo_W - a.p_WoGo_W;
  const double uu = norm2(u), uv = dot(u, v), vv = norm2(v), u_ab = dot(u, p_ab), v_ab = dot(v, p_ab);
  const auto clamped = [](double x) { return max(min(x, 1.0), -1.0); };
  const auto touch_at = [&](double s, double t, RarePoint* to) {
    return touch_rare_balls(a.p_WoGo_W + u * s, a.size[0], b.p_WoGo_W + v * t, b.size[0], a, b, margin, to);
  };
  constexpr double kPoint = 1e-15 / 4;  // square of half the length, as LinePair::kPoint
  if (uu < kPoint) return touch_at(-1, vv < kPoint ? -1 : clamped((-uv - v_ab) / vv), out);
  if (vv < kPoint) return touch_at(clamped((u_ab - uv) / uu), -1, out);
  const double middle = u_ab / uu, half = abs(uv) / uu;
  int count = 0;
  for (int k = 0; k < 2; ++k) {
    const double side = k == 0 ? -1.0 : 1.0, end = middle + side * half, s = clamped(end);
    const double t = s == end ? copysign(side, side * uv) : clamped((uv * s - v_ab) / vv);
    count += touch_at(s, t, out + count);
  }
  return count;
}

// As sphere_inside_box() of contact/sphere_pairs.cpp.
TORSOR_HD inline int touch_sphere_inside_box(const RareShape& sphere, const RareShape& box, double margin,
                                             RarePoint* out) {
  const Vec3<double> between = sphere.p_WoGo_W - box.p_WoGo_W;
  double depth = 1e300, sign = 1;
  int face = 0;
  for (int i = 0; i < 3; ++i) {
    const double center = dot(box.axis[i], between);
    for (int k = 0; k < 2; ++k) {
      const double side = k == 0 ? -1.0 : 1.0, to_face = box.size[i] - side * center;
      if (to_face < depth) depth = to_face, face = i, sign = side;
    }
  }
  const double radius = sphere.size[0], dist = -depth - radius;
  if (dist > margin) return 0;
  const Vec3<double> normal = box.axis[face] * -sign;
  *out = {dist, sphere.p_WoGo_W + normal * (radius + 0.5 * dist), normal};
  return 1;
}

// Which pairs have no other rare poses than these.
TORSOR_HD inline bool knows_rare_poses(PackPair kind) {
  return kind != PackPair::kLaneByLane && kind != PackPair::kSphereEllipsoid && kind != PackPair::kCapsuleEllipsoid &&
         kind != PackPair::kEllipsoidBox;
}

template <class P>
TORSOR_HD int touch_in_rare_pose(const PairPlan& pair, const PackShape<P>& a, const PackShape<P>& b, RarePoint* out) {
  const RareShape first(a), second(b);
  if (pair.kind == PackPair::kCapsuleCapsule) return touch_parallel_capsules(first, second, pair.range.detection, out);
  if (pair.kind == PackPair::kSphereBox) return touch_sphere_inside_box(first, second, pair.range.detection, out);
  return 0;
}

}  // namespace torsor::gpu
