// A capsule against a box: the distance from a point of the capsule's axis to the box is a convex function of its
// position on the axis, so the nearest points are found without distinguishing faces, edges and corners.
#pragma once

#include <algorithm>
#include <cmath>

#include "torsor/contact/kernels/sphere_box.hpp"

namespace torsor {

namespace capsule_on_box {

using Vec = Vec3<double>;

// The capsule's axis in the box's frame: c + s d, s from -half to half.
struct Axis {
  Vec c, d;
  double half;

  TORSOR_HD Vec at(double s) const { return c + d * s; }
};

// An interval of s.
struct Interval {
  double low, high;
};

// Half the derivative by s of the squared distance from c + s d to the box: continuous, piecewise linear, monotone.
TORSOR_HD inline double slope_at(const Axis& axis, const double* size, double s) {
  const Vec p = axis.at(s);
  double slope = 0;
  for (int i = 0; i < 3; ++i) slope += axis.d[i] * (p[i] - std::clamp(p[i], -size[i], size[i]));
  return slope;
}

// Breakpoints of the slope, where the axis crosses the plane of a face. Ascending, both ends of the axis included.
struct Breaks {
  double s[8];
  int count = 0;

  TORSOR_HD Breaks(const Axis& axis, const double* size) {
    s[count++] = -axis.half, s[count++] = axis.half;
    for (int i = 0; i < 3; ++i) {
      for (const double side : {-1.0, 1.0}) {
        const double at = (side * size[i] - axis.c[i]) / axis.d[i];
        if (at > -axis.half && at < axis.half) s[count++] = at;
      }
    }
    sort();
  }
  TORSOR_HD void sort() {
    for (int i = 1; i < count; ++i) {
      for (int k = i; k > 0 && s[k] < s[k - 1]; --k) {
        const double less = s[k];
        s[k] = s[k - 1], s[k - 1] = less;
      }
    }
  }
};

// Slopes below this count as zero: an axis this close to parallel touches along its whole length.
constexpr double kFlat = 1e-9;

// All s at which the distance is least.
TORSOR_HD inline Interval find_nearest(const Axis& axis, const double* size, const Breaks& breaks) {
  const double flat = kFlat * (axis.half + size[0] + size[1] + size[2]);
  Interval nearest{breaks.s[0], breaks.s[0]};
  double before = slope_at(axis, size, breaks.s[0]);
  if (before > flat) return nearest;
  for (int k = 1; k < breaks.count; ++k) {
    const double s0 = breaks.s[k - 1], s1 = breaks.s[k], slope = slope_at(axis, size, s1);
    if (before < -flat) nearest.low = slope <= flat ? s1 : s0 - before * (s1 - s0) / (slope - before);
    if (slope > flat) {
      nearest.high = before < -flat ? nearest.low : s0;
      return nearest;
    }
    nearest.high = s1;
    before = slope;
  }
  return nearest;
}

// The ball of the capsule at s against the box.
TORSOR_HD inline int touch_ball(const Shape& capsule, const Shape& box, double s, double margin, ContactPoint* out) {
  Shape ball = capsule;
  ball.p_WoGo_W = capsule.p_WoGo_W + capsule.axis(2) * s;
  return touch_sphere_box(ball, box, margin, out);
}

// The part of the axis over the face, or along the edge, that the normal identifies.
TORSOR_HD inline Interval find_over_feature(const Axis& axis, const double* size, const Vec& normal_B) {
  const double most = std::max(std::max(std::abs(normal_B.x), std::abs(normal_B.y)), std::abs(normal_B.z));
  Interval over{-axis.half, axis.half};
  for (int i = 0; i < 3; ++i) {
    if (std::abs(normal_B[i]) > 0.5 * most || axis.d[i] == 0) continue;
    const double s0 = (-size[i] - axis.c[i]) / axis.d[i], s1 = (size[i] - axis.c[i]) / axis.d[i];
    over.low = std::max(over.low, std::min(s0, s1)), over.high = std::min(over.high, std::max(s0, s1));
  }
  return over;
}

// What the nearest point of the box lies on. Its sides: per axis of the box the sign of the face that the capsule is
// beyond, or 0. One side is a face, two an edge, three a corner.
struct Feature {
  double side[3];

  TORSOR_HD bool has(int i) const { return side[i] != 0; }
};

// The nearest point of an edge counts as a corner if the lines of edge and axis are nearest beyond that corner.
TORSOR_HD inline Feature find_feature(const Axis& axis, const double* size, const Vec& outside) {
  Feature feature;
  int count = 0, other = 0;
  for (int i = 0; i < 3; ++i) {
    feature.side[i] = outside[i] > 0 ? 1 : outside[i] < 0 ? -1 : 0;
    if (feature.has(i))
      ++count;
    else
      other = i;
  }
  if (count != 2) return feature;
  double towards = 0, across2 = 0;
  for (int i = 0; i < 3; ++i) {
    if (i == other) continue;
    towards += axis.d[i] * (feature.side[i] * size[i] - axis.c[i]), across2 += axis.d[i] * axis.d[i];
  }
  const double crossing = axis.c[other] + axis.d[other] * (towards / across2);
  if (std::abs(crossing) > size[other]) feature.side[other] = crossing > 0 ? 1 : -1;
  return feature;
}

// Which way the axis comes to lie over the box, from its nearest point at `first`: 1 or -1, or 0 if that is an end and
// the rest of the capsule moves away from all sides. As in MuJoCo, away from an edge or a corner the way is inwards on
// average over its sides, even if the capsule ends there.
TORSOR_HD inline int find_way(const Axis& axis, const Feature& feature, double first, bool is_face) {
  if (is_face) return first > 0 ? -1 : 1;
  double outwards = 0;
  bool moves_away = std::abs(first) >= axis.half;
  for (int i = 0; i < 3; ++i) {
    if (!feature.has(i)) continue;
    outwards += feature.side[i] * axis.d[i] * std::abs(axis.d[i]);
    moves_away = moves_away && ((axis.d[i] > 0) == (feature.side[i] > 0)) == (first < 0);
  }
  return moves_away ? 0 : outwards > 0 ? -1 : 1;
}

// How far the axis can be followed: to its end, and until it leaves the box along the feature or has crossed it.
TORSOR_HD inline double find_run(const Axis& axis, const double* size, const Feature& feature, double first, int way,
                                 bool is_face) {
  double run = axis.half - way * first;
  for (int i = 0; i < 3; ++i) {
    const double d = way * axis.d[i];
    if (d == 0) continue;
    if (!feature.has(i))
      run = std::min(run, (std::copysign(size[i], d) - axis.at(first)[i]) / d);
    else if (!is_face && d * feature.side[i] < 0)
      run = std::min(run, 2 * size[i] / std::abs(d));
  }
  return std::max(run, 0.0);
}

// A capsule that lies almost flat rests on two points: the nearest one, and the one where its axis stops to lie over
// the box. The choice is MuJoCo's, and so is that the second may be the first once more.
TORSOR_HD inline int touch_second(const Shape& capsule, const Shape& box, const Axis& axis, double first,
                                  const Vec& outside, double margin, ContactPoint* out) {
  const Feature feature = find_feature(axis, box.size, outside);
  const bool is_face = feature.has(0) + feature.has(1) + feature.has(2) == 1;
  const int way = find_way(axis, feature, first, is_face);
  if (way == 0) return 0;
  const double run = find_run(axis, box.size, feature, first, way, is_face);
  return touch_ball(capsule, box, first + way * run, margin, out + 1);
}

// The way out of the box for the capsule's axis: a face, or across an edge and the axis.
struct Exit {
  double depth = INFINITY;
  int face = -1;  // axis of the face, or -1
  int edge = -1;  // axis of the edge, or -1
  Vec direction_B{0, 0, 0};

  TORSOR_HD void consider(double candidate, int face_axis, int edge_axis, const Vec& direction) {
    if (candidate < depth) depth = candidate, face = face_axis, edge = edge_axis, direction_B = direction;
  }
};

TORSOR_HD inline Exit find_exit(const Axis& axis, const double* size) {
  Exit exit;
  for (int i = 0; i < 3; ++i) {
    const Vec e{double(i == 0), double(i == 1), double(i == 2)};
    for (const double side : {-1.0, 1.0})
      exit.consider(size[i] + std::abs(axis.d[i]) * axis.half - side * axis.c[i], i, -1, e * side);
  }
  for (int i = 0; i < 3; ++i) {
    const Vec across = cross(Vec{double(i == 0), double(i == 1), double(i == 2)}, axis.d);
    const double length = norm(across);
    if (length < 1e-6) continue;
    const Vec a = across * ((dot(across, axis.c) < 0 ? -1 : 1) / length);
    const double reach = size[0] * std::abs(a.x) + size[1] * std::abs(a.y) + size[2] * std::abs(a.z);
    exit.consider(reach - dot(a, axis.c), -1, i, a);
  }
  return exit;
}

// The point of the capsule's axis that is nearest to the edge through which it leaves.
TORSOR_HD inline double nearest_to_edge(const Axis& axis, const double* size, const Exit& exit) {
  Vec corner = Vec::zero(), across = axis.d;
  across[exit.edge] = 0;
  for (int i = 0; i < 3; ++i)
    if (i != exit.edge) corner[i] = std::copysign(size[i], exit.direction_B[i]);
  return std::clamp(dot(corner - axis.c, across) / norm2(across), -axis.half, axis.half);
}

// The capsule's axis runs through the box.
TORSOR_HD inline int touch_deep(const Shape& capsule, const Shape& box, const Axis& axis, double margin,
                                ContactPoint* out) {
  const Exit exit = find_exit(axis, box.size);
  const Vec& e = exit.direction_B;
  const Vec outwards_W = box.axis(0) * e.x + box.axis(1) * e.y + box.axis(2) * e.z;
  const double radius = capsule.size[0];
  const auto touch = [&](double s, double depth, ContactPoint* place) {
    const double dist = -depth - radius;
    if (!(dist <= margin)) return 0;
    const Vec center = capsule.p_WoGo_W + capsule.axis(2) * s;
    *place = {dist, center - outwards_W * (radius + 0.5 * dist), -outwards_W, Vec3<double>::zero()};
    return 1;
  };
  if (exit.edge >= 0) return touch(nearest_to_edge(axis, box.size, exit), exit.depth, out);
  // over the exit face: the deeper end, and the other end if it is within the margin too
  const Interval over = find_over_feature(axis, box.size, e);
  const auto depth_at = [&](double s) { return box.size[exit.face] - dot(e, axis.at(s)); };
  const bool low_first = depth_at(over.low) > depth_at(over.high);
  const double first = low_first ? over.low : over.high, second = low_first ? over.high : over.low;
  const int count = touch(first, depth_at(first), out);
  return over.low < over.high ? count + touch(second, depth_at(second), out + count) : count;
}

}  // namespace capsule_on_box

TORSOR_HD inline int touch_capsule_box(const Shape& capsule, const Shape& box, double margin, ContactPoint* out) {
  using namespace capsule_on_box;
  const Vec p_BC_W = capsule.p_WoGo_W - box.p_WoGo_W;
  Axis axis{Vec::zero(), Vec::zero(), capsule.size[1]};
  for (int i = 0; i < 3; ++i) axis.c[i] = dot(box.axis(i), p_BC_W), axis.d[i] = dot(box.axis(i), capsule.axis(2));
  const Interval nearest = find_nearest(axis, box.size, Breaks(axis, box.size));
  const Vec p = axis.at(nearest.low);
  Vec outside;
  for (int i = 0; i < 3; ++i) outside[i] = p[i] - std::clamp(p[i], -box.size[i], box.size[i]);
  const double length2 = norm2(outside), reach = margin + capsule.size[0];
  if (reach < 0 || length2 > reach * reach) return 0;
  if (length2 < 1e-24) return touch_deep(capsule, box, axis, margin, out);
  int count = touch_ball(capsule, box, nearest.low, margin, out);
  if (count == 0) return 0;
  if (nearest.high - nearest.low > 1e-6 * axis.half)
    return count + touch_ball(capsule, box, nearest.high, margin, out + count);
  return count + touch_second(capsule, box, axis, nearest.low, outside, margin, out);
}

}  // namespace torsor
