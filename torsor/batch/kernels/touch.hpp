// Which pairs may touch, and where, in all lanes at once.
#pragma once

#include "torsor/batch/kernels/pack_pairs.hpp"
#include "torsor/batch/kernels/rows.hpp"
#include "torsor/math/quat.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// Capsules, or a capsule and a sphere, seen along the line between their centres: lanes in which they may be near.
template <class P>
TORSOR_INLINE MaskOf<P> are_axes_near(const PairReach& pair, ConstPointerTo<P> xmat, const Vec3<P>& between,
                                      P distance2) {
  const auto along = [&](int geom) {
    const auto R = xmat + 9 * geom;
    return abs(dot(Vec3<P>{R[2], R[5], R[8]}, between));
  };
  const P shadows = fma(P(pair.half[0]), along(pair.geom1), P(pair.half[1]) * along(pair.geom2));
  constexpr double kRounded = sizeof(ScalarOf<P>) == 4 ? 1e-5 : 1e-12;  // more than rounding changes
  return !(distance2 * P(1 - kRounded) > fma(sqrt(distance2), P(pair.thickness), shadows));
}

// Lanes in which the bounding spheres of a pair are within reach.
template <class P>
TORSOR_INLINE MaskOf<P> are_near(const PairReach& pair, ConstPointerTo<P> xpos, ConstPointerTo<P> xmat) {
  const Vec3<P> between = load3(xpos + 3 * pair.geom2) - load3(xpos + 3 * pair.geom1);
  if (pair.has_plane) {
    const auto R = xmat + 9 * pair.geom1;
    return !(dot(Vec3<P>{R[2], R[5], R[8]}, between) - P(pair.reach) > P(0));
  }
  const P distance2 = norm2(between);
  MaskOf<P> near = !(distance2 - P(pair.reach * pair.reach) > P(0));
  if (pair.has_axes && any(near)) near = near & are_axes_near(pair, xmat, between, distance2);
  return near;
}

// Points of a pair that has a closed form; returns how many.
template <class P>
TORSOR_LOCAL int collide(PackPair kind, PackTouch<P>& touch) {
  switch (kind) {
    case PackPair::kPlaneSphere:
      return touch.plane_sphere();
    case PackPair::kPlaneCapsule:
      return touch.plane_capsule();
    case PackPair::kPlaneEllipsoid:
      return touch.plane_ellipsoid();
    case PackPair::kPlaneCylinder:
      return touch.plane_cylinder();
    case PackPair::kPlaneBox:
      return touch.plane_box();
    case PackPair::kSphereSphere:
      return touch.sphere_sphere();
    case PackPair::kSphereCapsule:
      return touch.sphere_capsule();
    case PackPair::kSphereCylinder:
      return touch.sphere_cylinder();
    case PackPair::kSphereBox:
      return touch.sphere_box();
    case PackPair::kCapsuleCapsule:
      return touch.capsule_capsule();
    case PackPair::kSphereEllipsoid:
      return touch.sphere_ellipsoid();
    case PackPair::kCapsuleEllipsoid:
      return touch.capsule_ellipsoid();
    case PackPair::kEllipsoidBox:
      return touch.ellipsoid_box();
    case PackPair::kLaneByLane:
      break;
  }
  return 0;
}

// As choose_tangent() for one world: near the wish or, without one, near y, or z if the normal is close to y.
template <class P>
TORSOR_LOCAL Vec3<P> choose_tangent(const Vec3<P>& normal, bool has_wish, const Vec3<P>& wish) {
  const auto beside_normal = [&normal](const Vec3<P>& v) { return v - normal * dot(normal, v); };
  const MaskOf<P> along_y = abs(normal.y) >= P(0.5);
  Vec3<P> tangent = beside_normal({P(0), select(along_y, P(0), P(1)), select(along_y, P(1), P(0))});
  if (has_wish) {
    const Vec3<P> wished = beside_normal(wish);
    tangent = select(norm2(wished) >= P(kMinNorm<P> * kMinNorm<P>), wished, tangent);
  }
  return tangent * (P(1) / norm(tangent));
}
template <class P>
TORSOR_INLINE Vec3<P> choose_tangent(const PackTouch<P>& touch, const Vec3<P>& normal) {
  return choose_tangent(normal, touch.has_tangent, touch.tangent_W);
}

// Lanes in which boxes show that a pair does not touch.
template <class P>
TORSOR_LOCAL MaskOf<P> find_apart(const PairPlan& pair, const PackShape<P>& a, const PackShape<P>& b) {
  if (!pair.has_boxes) return MaskOf<P>(false);
  const P margin = P(pair.range.detection);
  return pair.has_plane ? is_box_over_plane(a, b, pair.box[1], margin) : are_boxes_apart(a, b, pair.box, margin);
}

}  // namespace TORSOR_ISA
}  // namespace torsor
