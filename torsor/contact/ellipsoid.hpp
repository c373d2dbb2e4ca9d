// An ellipsoid beside a point, a segment or a box: one root, or a closed form. For a number and for packs of them;
// lanes do not depend on each other. Poses with other answers are `left` to the search for any convex shapes.
#pragma once

#include "torsor/math/mat3.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// Frame E is that of the ellipsoid, B that of the box; both have their centres at the origins.
template <class T>
struct EllipsoidTouch {
  MaskOf<T> near;  // not further apart than asked for; nothing else is meant for the other lanes
  MaskOf<T> left;  // not known here: neither near nor far
  T dist;
  Vec3<T> normal;  // outward from the ellipsoid, in the frame of the function
  Vec3<T> on_other;
};

// The point of the segment centre + s half, |s| <= 1, that is nearest to the ellipsoid: in frame E, `on_other` on the
// segment. Left: the segment meets the ellipsoid.
//
// With a multiplier t >= 0 for x on the ellipsoid, |y - x|^2 + t (sum x_i^2 / r_i^2 - 1) is least at x_i = r_i^2 w_i
// y_i, w_i = 1 / (t + r_i^2), and over the segment where sum w_i half_i y_i = 0, or at an end of it. What is left is
// the t at which x is on the ellipsoid: G(t) = |r_i w_i y_i| = 1, and G decreases. Newton's method on 1 / G, which is
// almost linear, comes from below; where s begins or ceases to be at an end it may go too far, so that bisection helps
// out. Every t gives a bound, |y - x|^2 >= t (sum w_i y_i^2 - 1), at which lanes that are far stop. The last of
// Newton's steps goes from an error of `tolerance` to its square.
template <class T>
TORSOR_INLINE EllipsoidTouch<T> segment_beside_ellipsoid(const Vec3<T>& center, const Vec3<T>& half, bool has_length,
                                                         const double* radii, T reach) {
  using Mask = MaskOf<T>;
  constexpr bool kIsDouble = sizeof(ScalarOf<T>) == 8;
  constexpr int kMostRounds = 40;
  const T tolerance = T(kIsDouble ? 1e-11 : 2e-5), far2 = select(reach > T(0), reach * reach, T(0));
  T t = T(0), low = T(0), high = T(__builtin_inf()), length = T(1);
  Vec3<T> y = center, n = center;  // n_i = w_i y_i, along the normal
  Mask inside(false), far(false), is_last(false), settled(false);
  for (int round = 0; round < kMostRounds; ++round) {
    Vec3<T> w, q;
    for (int i = 0; i < 3; ++i) w[i] = T(1) / (t + T(radii[i] * radii[i]));
    T slope = T(0);  // share of the slope of G that s has
    Vec3<T> at = center;
    if (has_length) {
      const Vec3<T> weighted = hadamard(w, half);
      const T hh = dot(weighted, half), free = -dot(weighted, center) / hh;
      const T s = max(min(free, T(1)), T(-1));
      at = center + half * s;
      const T turn = dot(hadamard(w, weighted), at);
      slope = select(abs(free) < T(1), t * turn * turn / hh, T(0));
    }
    const Vec3<T> along = hadamard(w, at);
    for (int i = 0; i < 3; ++i) q[i] = T(radii[i]) * along[i];
    const T G2 = norm2(q), G = sqrt(G2);
    if (round == 0) inside = !(G > T(1) + tolerance);
    const Mask open = !(inside | far | settled);
    y = select(open, at, y);
    n = select(open, along, n);
    length = select(open, norm(along), length);
    far = far | (open & (t * (dot(along, at) - T(1)) > far2 * T(1 + (kIsDouble ? 1e-12 : 1e-5))));
    settled = settled | (open & is_last);
    is_last = is_last | (open & (abs(G - T(1)) <= tolerance));
    const Mask moves = open & !(far | settled);
    if (!any(moves)) break;
    low = select(moves & (G > T(1)), t, low);
    high = select(moves & (G < T(1)), t, high);
    const T next = t + (G - T(1)) * G2 / (dot(hadamard(w, q), q) + slope);
    const T between = select(high < T(1e30), T(0.5) * (low + high), T(2) * t);
    t = select(moves, select(is_last | ((next > low) & (next < high)), next, between), t);
  }
  EllipsoidTouch<T> touch;
  touch.left = inside | !(far | settled);
  touch.dist = t * length;
  touch.near = settled & !(touch.dist > reach);
  touch.normal = n * (T(1) / length);
  touch.on_other = y;
  return touch;
}

// The ellipsoid, at p_BoEo_B, beside or on the face of the box that it is least deep in: in frame B, `on_other` on the
// face. Left: the nearest point of the ellipsoid is not over the face, or another way out may be as short.
//
// The difference of box and ellipsoid has the face as one of its sides, at the distance of the depth from the origin,
// and the same side again beyond its centre. All between the two belongs to it: if the four walls between them are no
// nearer to the origin than the depth, nothing is, and the depth is the least.
template <class T>
TORSOR_INLINE EllipsoidTouch<T> ellipsoid_on_box(const Vec3<T>& p_BoEo_B, const Mat3<T>& R_BE, const double* radii,
                                                 const double* size, T margin) {
  using Mask = MaskOf<T>;
  const Vec3<T>& c = p_BoEo_B;
  // reach_i: of the ellipsoid along axis i; A_ij: along axis j, the offset of its furthest point along axis i
  Vec3<T> reach = Vec3<T>::zero(), depth = Vec3<T>::zero();
  T A[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      A[i][j] = T(0);
      for (int k = 0; k < 3; ++k) A[i][j] += T(radii[k] * radii[k]) * R_BE(i, k) * R_BE(j, k);
    }
    reach[i] = sqrt(A[i][i]);
    depth[i] = T(size[i]) + reach[i] - abs(c[i]);
  }
  const Mask x_first = (depth.x <= depth.y) & (depth.x <= depth.z), y_first = (!x_first) & (depth.y <= depth.z);
  const auto of_face = [&](const T& x, const T& y, const T& z) { return select(x_first, x, select(y_first, y, z)); };
  EllipsoidTouch<T> touch;
  const T least = of_face(depth.x, depth.y, depth.z), normal_reach = of_face(reach.x, reach.y, reach.z);
  const T side = select(of_face(c.x, c.y, c.z) < T(0), T(-1), T(1));
  touch.dist = -least;
  const Mask far = touch.dist > margin;
  const T height = normal_reach + of_face(T(size[0]), T(size[1]), T(size[2]));
  Mask over_face(true), is_least(true);
  for (int j = 0; j < 3; ++j) {
    const Mask is_normal = j == 0 ? x_first : j == 1 ? y_first : !(x_first | y_first);
    const T outward = select(is_normal, side, T(0));
    const T q = -side * of_face(A[0][j], A[1][j], A[2][j]) / normal_reach;  // from the centre to the deepest point
    const T p = c[j] + q, room = T(size[j]);
    touch.normal[j] = -outward;
    touch.on_other[j] = select(is_normal, side * room, p);
    over_face = over_face & (is_normal | (abs(p) <= room));
    const T wall = height * room - abs(height * p - q * least);
    is_least = is_least & (is_normal | (wall >= least * sqrt(height * height + q * q)));
  }
  touch.near = (!far) & over_face & (is_least | (least <= T(0)));
  touch.left = !(far | touch.near);
  return touch;
}

}  // namespace TORSOR_ISA
}  // namespace torsor
