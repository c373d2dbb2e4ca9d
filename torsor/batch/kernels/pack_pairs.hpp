// Shapes in packs, collided in closed form: the formulas of contact/round_pairs.hpp, plane_pairs.cpp and
// sphere_pairs.cpp for all lanes at once. Each function writes its points, lane by lane in the order of the function
// for one world, and returns how many; `left` are lanes in rare poses that are left to that function.
#pragma once

#include "torsor/contact/ellipsoid.hpp"
#include "torsor/math/mat3.hpp"
#include "torsor/math/pointer.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

template <class P>
struct PackShape {
  Vec3<P> p_WoGo_W;
  ConstPointerTo<P> R_WG;  // by rows
  const double* size;

  TORSOR_INLINE Vec3<P> axis(int i) const { return {R_WG[i], R_WG[3 + i], R_WG[6 + i]}; }
};

template <class P>
struct PackPoint {
  MaskOf<P> lanes;  // that have it
  P dist;
  Vec3<P> pos_W, normal_W;
};

template <class P>
struct PackTouch {
  using Mask = MaskOf<P>;
  using Vec = Vec3<P>;
  const PackShape<P>&a, &b;
  const P margin;
  PackPoint<P>* const out;
  Mask left = Mask(false);
  Vec tangent_W = Vec::zero();  // where the first tangents should point, if has_tangent
  bool has_tangent = false;

  TORSOR_INLINE PackTouch(const PackShape<P>& first, const PackShape<P>& second, double reach, PackPoint<P>* points)
      : a(first), b(second), margin(P(reach)), out(points) {}

  static TORSOR_INLINE P clamp(P x, P low, P high) { return max(min(x, high), low); }
  static TORSOR_INLINE P size(const PackShape<P>& shape, int i) { return P(shape.size[i]); }

  // The normal between balls whose centres coincide is at right angles to both axes.
  TORSOR_INLINE void balls(const Vec& center_a, P radius_a, const Vec& center_b, P radius_b,
                           PackPoint<P>& point) const {
    const Vec between = center_b - center_a;
    const P reach = margin + radius_a + radius_b, length2 = norm2(between), length = sqrt(length2);
    point.lanes = (!(length2 > reach * reach)) & (!(reach < P(0)));
    point.normal_W = between * (P(1) / length);
    const Mask coincide = length < P(kMinNorm<P>);
    if (any(coincide)) point.normal_W = select(coincide, normalized(cross(a.axis(2), b.axis(2))), point.normal_W);
    point.dist = length - radius_a - radius_b;
    point.pos_W = center_a + point.normal_W * (radius_a + P(0.5) * point.dist);
  }
  // A ball, or with radius 0 a point, of b over the plane a.
  TORSOR_INLINE void plane_ball(const Vec& center, P radius, PackPoint<P>& point) const {
    point.normal_W = a.axis(2);
    point.dist = dot(point.normal_W, center - a.p_WoGo_W) - radius;
    point.lanes = !(point.dist > margin);
    point.pos_W = center - point.normal_W * (radius + P(0.5) * point.dist);
  }

  TORSOR_HD int plane_sphere() {
    plane_ball(b.p_WoGo_W, size(b, 0), out[0]);
    return 1;
  }

  TORSOR_HD int plane_capsule() {
    const Vec axis = b.axis(2), normal = a.axis(2), half = axis * size(b, 1);
    plane_ball(b.p_WoGo_W + half, size(b, 0), out[0]);
    plane_ball(b.p_WoGo_W - half, size(b, 0), out[1]);
    const Mask upright = norm2(axis - normal * dot(normal, axis)) < P(kMinNorm<P> * kMinNorm<P>);
    tangent_W = select(upright, Vec{P(1), P(0), P(0)}, axis);
    has_tangent = true;
    return 2;
  }

  TORSOR_HD int plane_ellipsoid() {
    const Vec normal = a.axis(2), radii{size(b, 0), size(b, 1), size(b, 2)};
    const Vec down_G{-dot(b.axis(0), normal), -dot(b.axis(1), normal), -dot(b.axis(2), normal)};
    const Vec scaled = hadamard(radii, down_G);
    const Vec p_GoP_G = hadamard(radii, scaled) * (P(1) / max(norm(scaled), P(kMinNorm<P>)));
    const Vec p_GoP_W = b.axis(0) * p_GoP_G.x + b.axis(1) * p_GoP_G.y + b.axis(2) * p_GoP_G.z;
    plane_ball(b.p_WoGo_W + p_GoP_W, P(0), out[0]);
    return 1;
  }

  // Which way the rim descends is not known where the cylinder stands upright.
  TORSOR_HD int plane_cylinder() {
    const Vec normal = a.axis(2), z = b.axis(2);
    const P radius = size(b, 0), half = size(b, 1);
    const Vec axis = z * select(dot(normal, z) > P(0), P(-1), P(1));  // down
    const Vec descent = axis * dot(normal, axis) - normal;
    const P length = norm(descent);
    const Vec down = select(length < P(1e-12), b.axis(0), descent * (P(1) / length));
    const Vec base = b.p_WoGo_W + axis * half, lowest = down * radius, sideways = cross(down, axis) * radius;
    plane_ball(base + lowest, P(0), out[0]);
    plane_ball(b.p_WoGo_W - axis * half + lowest, P(0), out[1]);
    for (int side = 0; side < 2; ++side) {
      const P turn = P(side == 0 ? 0.8660254037844386 : -0.8660254037844386);  // sqrt(3 / 4)
      plane_ball(base - lowest * P(0.5) + sideways * turn, P(0), out[2 + side]);
    }
    for (int i = 1; i < 4; ++i) out[i].lanes = out[i].lanes & out[0].lanes;
    return 4;
  }

  // The corners of the lower half, at most four of them.
  TORSOR_HD int plane_box() {
    const Vec normal = a.axis(2), x = b.axis(0) * size(b, 0), y = b.axis(1) * size(b, 1), z = b.axis(2) * size(b, 2);
    P count = P(0);
    for (int corner = 0; corner < 8; ++corner) {
      const auto side = [corner](int i) { return P(corner >> i & 1 ? 1 : -1); };
      const Vec p_GoP_W = x * side(0) + y * side(1) + z * side(2);
      plane_ball(b.p_WoGo_W + p_GoP_W, P(0), out[corner]);
      out[corner].lanes = out[corner].lanes & !(dot(normal, p_GoP_W) > P(0)) & (count < P(4));
      count += select(out[corner].lanes, P(1), P(0));
    }
    return 8;
  }

  TORSOR_HD int sphere_sphere() {
    balls(a.p_WoGo_W, size(a, 0), b.p_WoGo_W, size(b, 0), out[0]);
    return 1;
  }

  TORSOR_HD int sphere_capsule() {
    const Vec axis = b.axis(2);
    const P nearest = clamp(dot(axis, a.p_WoGo_W - b.p_WoGo_W), -size(b, 1), size(b, 1));
    balls(a.p_WoGo_W, size(a, 0), b.p_WoGo_W + axis * nearest, size(b, 0), out[0]);
    return 1;
  }

  // The side acts as a ball on the axis, an end as a plane, the rim as a point.
  TORSOR_HD int sphere_cylinder() {
    const Vec axis = b.axis(2), between = a.p_WoGo_W - b.p_WoGo_W;
    const P radius = size(b, 0), half = size(b, 1), along = dot(axis, between), to_middle = abs(along);
    const Vec across = between - axis * along;
    const P from_axis = norm(across), side = select(along > P(0), P(1), P(-1));
    const Mask beside_side = to_middle < half, over_end = from_axis < radius;
    const Mask to_end = over_end & ((!beside_side) | (half - to_middle < radius - from_axis));
    const Vec rim = b.p_WoGo_W + axis * (side * half) + across * (radius / from_axis);
    balls(a.p_WoGo_W, size(a, 0), select(beside_side, b.p_WoGo_W + axis * along, rim),
          select(beside_side, radius, P(0)), out[0]);
    if (!any(to_end)) return 1;
    const P dist = to_middle - half - size(a, 0);
    const Vec normal = axis * -side;
    out[0].lanes = (out[0].lanes & !to_end) | (to_end & !(dist > margin));
    out[0].dist = select(to_end, dist, out[0].dist);
    out[0].normal_W = select(to_end, normal, out[0].normal_W);
    out[0].pos_W = select(to_end, a.p_WoGo_W + normal * (size(a, 0) + P(0.5) * dist), out[0].pos_W);
    return 1;
  }

  // Left: the centre lies inside the box.
  TORSOR_HD int sphere_box() {
    const Vec between = a.p_WoGo_W - b.p_WoGo_W;
    const Vec center_G{dot(b.axis(0), between), dot(b.axis(1), between), dot(b.axis(2), between)};
    Vec outwards_G;
    for (int i = 0; i < 3; ++i) outwards_G[i] = center_G[i] - clamp(center_G[i], -size(b, i), size(b, i));
    const P length = norm(outwards_G), radius = size(a, 0), dist = length - radius;
    out[0].lanes = !(dist > margin);
    left = out[0].lanes & (length < P(kMinNorm<P>));
    out[0].lanes = out[0].lanes & !left;
    const Vec inwards_G = outwards_G * (P(-1) / length);
    out[0].normal_W = b.axis(0) * inwards_G.x + b.axis(1) * inwards_G.y + b.axis(2) * inwards_G.z;
    out[0].dist = dist;
    out[0].pos_W = a.p_WoGo_W + out[0].normal_W * (radius + P(0.5) * dist);
    return 1;
  }

  // Left: parallel capsules, which may touch in two points. Nearest points of two segments p_a + s u and p_b + t v:
  // clamp the best s, then t, then s again if t was clamped. [Ericson 2005, 5.1.9]
  TORSOR_HD int capsule_capsule() {
    const Vec u = a.axis(2) * size(a, 1), v = b.axis(2) * size(b, 1), p_ab = b.p_WoGo_W - a.p_WoGo_W;
    const P uv = dot(u, v), u_ab = dot(u, p_ab), v_ab = dot(v, p_ab);
    // by the square of half a length, which all lanes share
    const auto clamp_ratio = [](P x, double half) {
      return half > 0 ? clamp(x * P(1 / (half * half)), P(-1), P(1)) : P(0);
    };
    const Vec normal = cross(u, v);
    const P determinant = norm2(normal);
    // the square of the sine of the angle between the axes; that of nearly parallel ones is rounding in float
    left = !(norm2(cross(a.axis(2), b.axis(2))) > P(sizeof(ScalarOf<P>) == 8 ? 1e-8 : 1e-5));
    const P s_free = clamp(dot(cross(p_ab, v), normal) / determinant, P(-1), P(1));
    const P t = clamp_ratio(uv * s_free - v_ab, b.size[1]);
    const P s = select(abs(t) < P(1), s_free, clamp_ratio(u_ab + uv * t, a.size[1]));
    const Vec on_a = a.p_WoGo_W + u * s, on_b = b.p_WoGo_W + v * t;
    const P reach = margin + size(a, 0) + size(b, 0);
    if (!any(!(norm2(on_b - on_a) > reach * reach))) return 0;  // as a rule
    balls(on_a, size(a, 0), on_b, size(b, 0), out[0]);
    out[0].lanes = out[0].lanes & !left;
    return 1;
  }

  // Left: what ellipsoid.hpp leaves.
  TORSOR_HD int sphere_ellipsoid() { return segment_ellipsoid(Vec::zero(), false); }
  TORSOR_HD int capsule_ellipsoid() { return segment_ellipsoid(a.axis(2) * size(a, 1), a.size[1] > 0); }
  TORSOR_INLINE int segment_ellipsoid(const Vec& half_W, bool has_length) {
    const Mat3<P> R_WE = load9(b.R_WG);
    const P radius = size(a, 0);
    const EllipsoidTouch<P> touch =
        segment_beside_ellipsoid(transposed_mul(R_WE, a.p_WoGo_W - b.p_WoGo_W), transposed_mul(R_WE, half_W),
                                 has_length, b.size, margin + radius);
    left = touch.left;
    out[0].lanes = touch.near;
    if (!any(touch.near)) return 0;
    out[0].dist = touch.dist - radius;
    out[0].normal_W = -(R_WE * touch.normal);
    out[0].pos_W = b.p_WoGo_W + R_WE * touch.on_other + out[0].normal_W * (radius + P(0.5) * out[0].dist);
    return 1;
  }
  TORSOR_HD int ellipsoid_box() {
    const Mat3<P> R_WB = load9(b.R_WG);
    const EllipsoidTouch<P> touch = ellipsoid_on_box(transposed_mul(R_WB, a.p_WoGo_W - b.p_WoGo_W),
                                                     transposed_mul(R_WB, load9(a.R_WG)), a.size, b.size, margin);
    left = touch.left;
    out[0].lanes = touch.near;
    if (!any(touch.near)) return 0;
    out[0].dist = touch.dist;
    out[0].normal_W = R_WB * touch.normal;
    out[0].pos_W = b.p_WoGo_W + R_WB * touch.on_other - out[0].normal_W * (P(0.5) * touch.dist);
    return 1;
  }
};

// Lanes in which a face of one of the two boxes parts them by more than the margin, as box_filter.hpp has it.
template <class P>
TORSOR_INLINE MaskOf<P> are_boxes_apart(const PackShape<P>& a, const PackShape<P>& b, const double (&box)[2][6],
                                        P margin) {
  const Mat3<P> R_WA = load9(a.R_WG), R_WB = load9(b.R_WG), R_AB = transposed_mul(R_WA, R_WB);
  const Vec3<P> half_a = load3<P>(box[0] + 3), half_b = load3<P>(box[1] + 3);
  const Vec3<P> p_AcBc_A = transposed_mul(R_WA, b.p_WoGo_W - a.p_WoGo_W) + R_AB * load3<P>(box[1]) - load3<P>(box[0]);
  const Vec3<P> p_AcBc_B = transposed_mul(R_AB, p_AcBc_A);
  MaskOf<P> apart = MaskOf<P>(false);
  for (int i = 0; i < 3; ++i) {
    P reach_a = margin + half_a[i], reach_b = margin + half_b[i];
    for (int j = 0; j < 3; ++j) {
      reach_a += abs(R_AB(i, j)) * half_b[j];
      reach_b += abs(R_AB(j, i)) * half_a[j];
    }
    apart = apart | (abs(p_AcBc_A[i]) > reach_a) | (abs(p_AcBc_B[i]) > reach_b);
  }
  return apart;
}
// The same for a plane and a box.
template <class P>
TORSOR_INLINE MaskOf<P> is_box_over_plane(const PackShape<P>& plane, const PackShape<P>& b, const double (&box)[6],
                                          P margin) {
  const Vec3<P> normal = plane.axis(2);
  P height = dot(normal, b.p_WoGo_W - plane.p_WoGo_W);
  for (int i = 0; i < 3; ++i) {
    const P along = dot(normal, b.axis(i));
    height += along * P(box[i]) - abs(along) * P(box[3 + i]);
  }
  return height > margin;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
