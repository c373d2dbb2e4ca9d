// Pairs of plane, sphere and capsule: distances between points, lines and planes, minus the radii.
#pragma once

#include <algorithm>
#include <cmath>

#include "torsor/contact/shape.hpp"

namespace torsor {

struct Ball {
  Vec3<double> center;
  double radius;
};

// The normal between balls whose centres coincide. Any direction will do if it is deterministic; this one is at right
// angles to both axes, so that crossed capsules separate the shorter way.
inline Vec3<double> normal_without_direction(const Shape& a, const Shape& b) {
  return normalized(cross(a.axis(2), b.axis(2)));
}

// Two balls that are part of a and b.
inline int touch_balls(const Ball& ball_a, const Ball& ball_b, const Shape& a, const Shape& b, double margin,
                       ContactPoint* out) {
  const Vec3<double> between = ball_b.center - ball_a.center;
  const double reach = margin + ball_a.radius + ball_b.radius, length2 = norm2(between);
  if (length2 > reach * reach || reach < 0) return 0;
  const double length = std::sqrt(length2);
  const Vec3<double> normal = length < kMinNorm<double> ? normal_without_direction(a, b) : between * (1 / length);
  const double dist = length - ball_a.radius - ball_b.radius;
  *out = {dist, ball_a.center + normal * (ball_a.radius + 0.5 * dist), normal, Vec3<double>::zero()};
  return 1;
}

inline int touch_plane_ball(const Shape& plane, const Ball& ball, double margin, ContactPoint* out) {
  const Vec3<double> normal = plane.axis(2);
  const double dist = dot(normal, ball.center - plane.p_WoGo_W) - ball.radius;
  if (dist > margin) return 0;  // false for NaN, so that bad numbers reach the forces and are noticed
  *out = {dist, ball.center - normal * (ball.radius + 0.5 * dist), normal, Vec3<double>::zero()};
  return 1;
}

inline int plane_sphere(const Shape& plane, const Shape& sphere, double margin, ContactPoint* out) {
  return touch_plane_ball(plane, {sphere.p_WoGo_W, sphere.size[0]}, margin, out);
}

// Both ends; the first tangent lies along the capsule, in which direction it cannot roll. For an upright capsule it is
// x.
inline int plane_capsule(const Shape& plane, const Shape& capsule, double margin, ContactPoint* out) {
  const Vec3<double> axis = capsule.axis(2), normal = plane.axis(2), half = axis * capsule.size[1];
  const bool upright = norm2(axis - normal * dot(normal, axis)) < kMinNorm<double> * kMinNorm<double>;
  int count = touch_plane_ball(plane, {capsule.p_WoGo_W + half, capsule.size[0]}, margin, out);
  count += touch_plane_ball(plane, {capsule.p_WoGo_W - half, capsule.size[0]}, margin, out + count);
  for (int i = 0; i < count; ++i) out[i].tangent_W = upright ? Vec3<double>{1, 0, 0} : axis;
  return count;
}

inline int sphere_sphere(const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  return touch_balls({a.p_WoGo_W, a.size[0]}, {b.p_WoGo_W, b.size[0]}, a, b, margin, out);
}

inline int sphere_capsule(const Shape& sphere, const Shape& capsule, double margin, ContactPoint* out) {
  const Vec3<double> axis = capsule.axis(2);
  const double along = dot(axis, sphere.p_WoGo_W - capsule.p_WoGo_W);
  const double nearest = std::clamp(along, -capsule.size[1], capsule.size[1]);
  return touch_balls({sphere.p_WoGo_W, sphere.size[0]}, {capsule.p_WoGo_W + axis * nearest, capsule.size[0]}, sphere,
                     capsule, margin, out);
}

// Two segments p_a + s u and p_b + t v, s and t from -1 to 1, and the products that determine their nearest points.
struct LinePair {
  Vec3<double> u, v, p_ab;
  double uu, uv, vv, u_ab, v_ab;  // products of u, v and the vector from a to b

  LinePair(const Shape& a, const Shape& b)
      : u(a.axis(2) * a.size[1]), v(b.axis(2) * b.size[1]), p_ab(b.p_WoGo_W - a.p_WoGo_W) {
    uu = norm2(u), uv = dot(u, v), vv = norm2(v), u_ab = dot(u, p_ab), v_ab = dot(v, p_ab);
  }
  // Segments too short to have a direction are their first end, as in MuJoCo.
  bool is_point_a() const { return uu < kPoint; }
  bool is_point_b() const { return vv < kPoint; }
  double s_nearest_to(double t) const { return clamp_ratio(u_ab + uv * t, uu); }
  double t_nearest_to(double s) const { return clamp_ratio(uv * s - v_ab, vv); }

  static constexpr double kPoint = 1e-15 / 4;  // square of half the length
  static double clamp_ratio(double x, double y) { return std::clamp(x / y, -1.0, 1.0); }
};

// Two capsules side by side touch along a line: its ends are two contacts, in the direction of a. Each is an end of b
// that lies beside a, with the point of a beside it, or else an end of a with the nearest point of b. Where they do not
// overlap along that line, both are the same.
inline int parallel_capsules(const Shape& a, const Shape& b, const LinePair& lines, double margin, ContactPoint* out) {
  const double middle = lines.u_ab / lines.uu, half = std::abs(lines.uv) / lines.uu;
  int count = 0;
  for (const double side : {-1.0, 1.0}) {
    const double end = middle + side * half, s = std::clamp(end, -1.0, 1.0);
    const double t = s == end ? std::copysign(side, side * lines.uv) : lines.t_nearest_to(s);
    count += touch_balls({a.p_WoGo_W + lines.u * s, a.size[0]}, {b.p_WoGo_W + lines.v * t, b.size[0]}, a, b, margin,
                         out + count);
  }
  return count;
}

// The point of a nearest to the line of b, by cross products: differences of squares cancel where lines are nearly
// parallel.
inline double nearest_to_line(const Shape& a, const Shape& b, const LinePair& lines, const Vec3<double>& normal) {
  return LinePair::clamp_ratio(dot(cross(lines.p_ab, b.axis(2)), normal), norm2(normal) * a.size[1]);
}

// Nearest points of two segments: clamp the best s, then t, then s again if t was clamped. [Ericson 2005, 5.1.9]
inline int capsule_capsule(const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  const LinePair lines(a, b);
  const auto touch_at = [&](double s, double t) {
    return touch_balls({a.p_WoGo_W + lines.u * s, a.size[0]}, {b.p_WoGo_W + lines.v * t, b.size[0]}, a, b, margin, out);
  };
  if (lines.is_point_a()) return touch_at(-1, lines.is_point_b() ? -1 : lines.t_nearest_to(-1));
  if (lines.is_point_b()) return touch_at(lines.s_nearest_to(-1), -1);
  constexpr double kParallel = 1e-8;  // square of the sine of the angle between the axes
  const Vec3<double> normal = cross(a.axis(2), b.axis(2));
  if (!(norm2(normal) > kParallel)) return parallel_capsules(a, b, lines, margin, out);
  const double s_free = nearest_to_line(a, b, lines, normal), t = lines.t_nearest_to(s_free);
  const double s = std::abs(t) < 1 ? s_free : lines.s_nearest_to(t);
  return touch_at(s, t);
}

}  // namespace torsor
