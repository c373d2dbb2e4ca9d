// Two boxes: the axis along which they overlap least, then either the face of one clipped by that of the other, or the
// nearest points of two edges. [Gottschalk, Lin, Manocha 1996; Sutherland, Hodgman 1974]
#pragma once

#include <algorithm>
#include <cmath>

#include "torsor/contact/shape.hpp"

namespace torsor {

namespace boxes {

using Vec = Vec3<double>;

// Box B relative to box A. Everything below is in A's axes.
struct BoxPair {
  double a[3], b[3];  // half sizes
  Mat3<double> R_AB;
  Mat3<double> size;  // absolute values of R_AB
  Vec p_AoBo_A;

  TORSOR_HD BoxPair(const Shape& A, const Shape& B) {
    const Vec p_W = B.p_WoGo_W - A.p_WoGo_W;
    for (int i = 0; i < 3; ++i) {
      a[i] = A.size[i], b[i] = B.size[i], p_AoBo_A[i] = dot(A.axis(i), p_W);
      for (int j = 0; j < 3; ++j) R_AB(i, j) = dot(A.axis(i), B.axis(j)), size(i, j) = std::abs(R_AB(i, j));
    }
  }
};

// The axis of least overlap. Faces of A are 0 to 2, of B 3 to 5, edge i of A with edge j of B is 6 + 3 i + j.
struct AxisGap {
  double dist = -INFINITY;  // along the axis; negative: overlap
  int axis = -1;
  Vec normal_A{0, 0, 0};  // unit, from A to B

  TORSOR_HD void consider(double candidate, int index, const Vec& direction_A, double side) {
    if (!(candidate > dist)) return;
    dist = candidate, axis = index, normal_A = direction_A * (side < 0 ? -1.0 : 1.0);
  }
};

TORSOR_HD inline AxisGap find_faces(const BoxPair& pair) {
  AxisGap best;
  for (int i = 0; i < 3; ++i) {
    const double along = pair.p_AoBo_A[i];
    const double reach = pair.size(i, 0) * pair.b[0] + pair.size(i, 1) * pair.b[1] + pair.size(i, 2) * pair.b[2];
    best.consider(std::abs(along) - pair.a[i] - reach, i, Vec{double(i == 0), double(i == 1), double(i == 2)}, along);
  }
  for (int j = 0; j < 3; ++j) {
    const double along = dot(pair.R_AB.col(j), pair.p_AoBo_A);
    const double reach = pair.size(0, j) * pair.a[0] + pair.size(1, j) * pair.a[1] + pair.size(2, j) * pair.a[2];
    best.consider(std::abs(along) - pair.b[j] - reach, 3 + j, -pair.R_AB.col(j), -along);
  }
  return best;
}

// One bit for each pair of edges whose gap may be more than `least`: edge i of A and edge j of B have bit 3 i + j. This
// takes no roots, and rounding makes it too many rather than too few.
TORSOR_HD inline unsigned find_wide_gaps(const BoxPair& pair, double least) {
  constexpr double kRounding = 1e-9;
  const double p[3] = {pair.p_AoBo_A.x, pair.p_AoBo_A.y, pair.p_AoBo_A.z}, bound = least < 0 ? least * least : 0;
  const auto is_wide = [&](int i, int i1, int i2, int j, int j1, int j2) __attribute__((always_inline)) {
    const double u = pair.R_AB(i1, j), v = pair.R_AB(i2, j);  // -v and u along A's axes i1 and i2: across both edges
    const double along = std::abs(p[i2] * u - p[i1] * v);
    const double reach = pair.a[i1] * pair.size(i2, j) + pair.a[i2] * pair.size(i1, j) + pair.b[j1] * pair.size(i, j2) +
                         pair.b[j2] * pair.size(i, j1);
    const double gap = along - reach + kRounding * (along + reach);
    return unsigned((gap >= 0) | (gap * gap <= bound * (u * u + v * v)));
  };
  const auto of_edge = [&](int i, int i1, int i2) __attribute__((always_inline)) {
    return is_wide(i, i1, i2, 0, 1, 2) | is_wide(i, i1, i2, 1, 2, 0) << 1 | is_wide(i, i1, i2, 2, 0, 1) << 2;
  };
  return of_edge(0, 1, 2) | of_edge(1, 2, 0) << 3 | of_edge(2, 0, 1) << 6;
}

// The edges with the widest gap, if that is more than `least`.
// Nearly parallel edges give no separating axis of their own; a face axis serves as well.
constexpr double kParallel2 = 1e-12;
TORSOR_HD inline AxisGap find_edges(const BoxPair& pair, double least) {
  AxisGap best;
  const unsigned wide = find_wide_gaps(pair, least);
  for (int i = 0; i < 3 && wide != 0; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (!(wide >> (3 * i + j) & 1)) continue;
      const Vec edge_A{double(i == 0), double(i == 1), double(i == 2)};
      const Vec direction = cross(edge_A, pair.R_AB.col(j));
      const double length2 = norm2(direction);
      if (length2 < kParallel2) continue;
      const Vec axis = direction * (1 / std::sqrt(length2));
      const double along = dot(axis, pair.p_AoBo_A);
      double reach = 0;
      for (int k = 0; k < 3; ++k)
        reach += pair.a[k] * std::abs(axis[k]) + pair.b[k] * std::abs(dot(axis, pair.R_AB.col(k)));
      best.consider(std::abs(along) - reach, 6 + 3 * i + j, axis, along);
    }
  }
  return best;
}

// Face contacts give more points, so an edge axis that is nearly a face normal (cosine above kAlmostFace) is chosen
// only if it is better by this fraction.
constexpr double kAlmostFace = 0.99;
constexpr double kBetterBy = 0.05;

TORSOR_HD inline bool are_edges_better(const AxisGap& edges, const AxisGap& faces) {
  const bool almost_face = std::abs(dot(edges.normal_A, faces.normal_A)) >= kAlmostFace;
  return edges.dist - faces.dist > (almost_face ? kBetterBy * std::abs(faces.dist) : 0.0);
}

// A convex polygon in the frame of the reference face F: z along its normal, the face at z = 0.
struct Polygon {
  int count = 0;
  Vec point_F[kMaxPoints + 4];
};

// Keeps what is within `limit` along side * axis (0: x, 1: y).
TORSOR_HD inline Polygon clip(const Polygon& in, int axis, double side, double limit) {
  Polygon out;
  for (int i = 0; i < in.count; ++i) {
    const Vec p = in.point_F[i], q = in.point_F[i + 1 < in.count ? i + 1 : 0];
    const double over_p = side * p[axis] - limit, over_q = side * q[axis] - limit;
    if (over_p <= 0) out.point_F[out.count++] = p;
    if ((over_p < 0 && over_q > 0) || (over_p > 0 && over_q < 0))
      out.point_F[out.count++] = p + (q - p) * (over_p / (over_p - over_q));
  }
  return out;
}

// The reference box with its reference face, and the other (incident) box.
struct FacePair {
  const Shape& reference;
  const Shape& incident;
  int face;
  Vec normal_W;  // out of the reference face
};

// The face of the incident box that is most opposed to the normal; corners in the frame of the reference face.
TORSOR_HD inline Polygon incident_face(const FacePair& pair, const Vec (&axes_W)[3], const Vec& origin_W) {
  int face = 0;
  double most = 0;
  for (int k = 0; k < 3; ++k) {
    const double along = dot(pair.incident.axis(k), pair.normal_W);
    if (std::abs(along) > std::abs(most)) most = along, face = k;
  }
  const int u = (face + 1) % 3, v = (face + 2) % 3;
  const double* half = pair.incident.size;
  const Vec center = pair.incident.p_WoGo_W + pair.incident.axis(face) * (most > 0 ? -half[face] : half[face]);
  const Vec to_u = pair.incident.axis(u) * half[u], to_v = pair.incident.axis(v) * half[v];
  Polygon polygon;
  for (const Vec& corner : {center - to_u - to_v, center + to_u - to_v, center + to_u + to_v, center - to_u + to_v}) {
    const Vec p = corner - origin_W;
    polygon.point_F[polygon.count++] = {dot(axes_W[0], p), dot(axes_W[1], p), dot(axes_W[2], p)};
  }
  return polygon;
}

// `direction` turns the reference's normal into the contact's: 1 if the reference is the first box.
TORSOR_HD inline int touch_faces(const FacePair& pair, double direction, double margin, ContactPoint* out) {
  const int u = (pair.face + 1) % 3, v = (pair.face + 2) % 3;
  const double* half = pair.reference.size;
  const Vec axes_W[3] = {pair.reference.axis(u), pair.reference.axis(v), pair.normal_W};
  const Vec origin_W = pair.reference.p_WoGo_W + pair.normal_W * half[pair.face];
  Polygon polygon = incident_face(pair, axes_W, origin_W);
  for (const double side : {1.0, -1.0}) polygon = clip(polygon, 0, side, half[u]);
  for (const double side : {1.0, -1.0}) polygon = clip(polygon, 1, side, half[v]);
  int count = 0;
  for (int i = 0; i < polygon.count && count < kMaxPoints; ++i) {
    const Vec p = polygon.point_F[i];
    if (!(p.z <= margin)) continue;
    out[count++] = {p.z, origin_W + axes_W[0] * p.x + axes_W[1] * p.y + axes_W[2] * (0.5 * p.z),
                    pair.normal_W * direction, Vec3<double>::zero()};
  }
  return count;
}

// The nearest points of the two edges that define the axis.
TORSOR_HD inline int touch_edges(const Shape& A, const Shape& B, const AxisGap& best, const Vec& normal_W,
                                 ContactPoint* out) {
  const int i = (best.axis - 6) / 3, j = (best.axis - 6) % 3;
  Vec p = A.p_WoGo_W, q = B.p_WoGo_W;  // midpoints of the edges
  for (int k = 0; k < 3; ++k) {
    if (k != i) p += A.axis(k) * std::copysign(A.size[k], dot(A.axis(k), normal_W));
    if (k != j) q -= B.axis(k) * std::copysign(B.size[k], dot(B.axis(k), normal_W));
  }
  const Vec u = A.axis(i), v = B.axis(j), pq = q - p;
  const double uv = dot(u, v), u_pq = dot(u, pq), v_pq = dot(v, pq);
  const double s = std::clamp((u_pq - uv * v_pq) / (1 - uv * uv), -A.size[i], A.size[i]);
  const double t = std::clamp(uv * s - v_pq, -B.size[j], B.size[j]);
  const Vec on_a = p + u * std::clamp(u_pq + uv * t, -A.size[i], A.size[i]), on_b = q + v * t;
  *out = {best.dist, (on_a + on_b) * 0.5, normal_W, Vec3<double>::zero()};
  return 1;
}

}  // namespace boxes

TORSOR_HD inline int touch_boxes(const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  using namespace boxes;
  const BoxPair pair(a, b);
  const AxisGap faces = find_faces(pair);
  if (faces.dist > margin) return 0;
  const AxisGap edges = find_edges(pair, faces.dist);  // others never matter
  if (edges.dist > margin) return 0;
  const bool by_edges = are_edges_better(edges, faces);
  const Vec& n = (by_edges ? edges : faces).normal_A;
  const Vec normal_W = a.axis(0) * n.x + a.axis(1) * n.y + a.axis(2) * n.z;
  if (by_edges) return touch_edges(a, b, edges, normal_W, out);
  if (faces.axis < 3) return touch_faces({a, b, faces.axis, normal_W}, 1, margin, out);
  return touch_faces({b, a, faces.axis - 3, -normal_W}, -1, margin, out);
}

}  // namespace torsor
