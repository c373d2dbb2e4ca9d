// Wrapping happens in a plane: that of the two points and the centre for a sphere, the cross section for a cylinder,
// along whose axis the path then rises in proportion to its length. With a side site, the path winds around the centre
// as the polyline from one point through the side site to the other does. How far the iteration for paths inside goes
// is decided as in MuJoCo, since lengths and moments must equal its.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/dynamics/wrap.hpp"
#include "torsor/model/types.hpp"  // kMinValue

namespace torsor::wraps {

using Vec = Vec3<double>;

struct Point2 {
  double x, y;
};
TORSOR_HD inline Point2 operator+(Point2 a, Point2 b) { return {a.x + b.x, a.y + b.y}; }
TORSOR_HD inline Point2 operator-(Point2 a, Point2 b) { return {a.x - b.x, a.y - b.y}; }
TORSOR_HD inline Point2 operator*(Point2 a, double s) { return {a.x * s, a.y * s}; }
TORSOR_HD inline double dot(Point2 a, Point2 b) { return a.x * b.x + a.y * b.y; }
TORSOR_HD inline double cross(Point2 a, Point2 b) { return a.x * b.y - a.y * b.x; }
TORSOR_HD inline double norm(Point2 a) { return std::sqrt(dot(a, a)); }
TORSOR_HD inline Point2 normalized(Point2 a) {
  const double length = norm(a);
  return length < kMinValue ? Point2{1, 0} : a * (1 / length);
}
TORSOR_HD inline Point2 rotated(Point2 a, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * a.x - s * a.y, s * a.x + c * a.y};
}

struct CircleWrap {
  bool touches = false;
  double arc = 0;
  Point2 first{}, second{};
};

// The point nearest to the centre on the segment from a to b.
template <class Vector>
TORSOR_HD inline Vector nearest_on_segment(const Vector& a, const Vector& b) {
  const Vector along = b - a;
  const double part = -dot(a, along) / dot(along, along);
  return a + along * std::clamp(part, 0.0, 1.0);
}

// The angle from a to b, positive counter-clockwise.
TORSOR_HD inline double angle_between(Point2 a, Point2 b) { return std::atan2(cross(a, b), dot(a, b)); }

// The circle as seen from a point outside: the foot of the chord between the two tangent points, half that chord, to
// the left, and the angle at the centre from the point to either.
struct Tangents {
  Point2 foot, half;
  double angle;

  TORSOR_HD Tangents(Point2 d, double radius) {
    const double square = dot(d, d), height = std::sqrt(std::max(0.0, square - radius * radius));
    foot = d * (radius * radius / square);
    half = Point2{-d.y, d.x} * (radius * height / square);
    angle = std::atan2(height, radius);
  }
};

// The signed angle at the centre from p0 to p1: by way of the side site, or the smaller one.
TORSOR_HD inline double winding(Point2 p0, Point2 p1, const Point2* side) {
  return side ? angle_between(p0, *side) + angle_between(*side, p1) : angle_between(p0, p1);
}

// Whether the straight path between two points is free of the circle or sphere. Most paths are.
template <class Vector>
TORSOR_HD inline bool is_clear(const Vector& p0, const Vector& p1, double radius) {
  const Vector nearest = nearest_on_segment(p0, p1);
  return dot(nearest, nearest) > radius * radius;
}

// Whether p0 -> side -> p1 winds more than half a turn, so that the straight path is on the wrong side: it first turns
// away from p1 and then goes on in that sense. The arguments are twice the areas of p0 side 0, side p1 0 and p0 p1 0.
// The sign of zero counts, as it does for the angles.
TORSOR_HD inline bool winds_the_long_way(double turn_to_side, double turn_from_side, double turn) {
  return std::signbit(turn_to_side * turn) && std::signbit(turn_from_side * turn);
}

// Around the outside; the straight path does not pass.
TORSOR_HD inline CircleWrap wrap_outside(Point2 d0, Point2 d1, const Point2* side, double radius) {
  const double square = radius * radius;
  if (dot(d0, d0) < square || dot(d1, d1) < square) return {};
  if (dot(d1 - d0, d1 - d0) < kMinValue) return {};
  const Tangents from0(d0, radius), from1(d1, radius);
  const double angle = winding(d0, d1, side), turn = std::copysign(1, angle);
  CircleWrap path;
  path.arc = radius * (std::fabs(angle) - from0.angle - from1.angle);
  path.touches = path.arc > 0;
  path.first = from0.foot + from0.half * turn;
  path.second = from1.foot - from1.half * turn;
  return path;
}

// The angle at which the path meets the circle from inside: reflection makes the angles of the two segments equal, and
// the angles at the centre add up to `between`. Newton's method from a right angle; negative if it does not converge.
TORSOR_HD inline double find_incidence(double A, double B, double between) {
  constexpr double kEnough = 1e-6;
  constexpr int kMostSteps = 20;
  const auto excess = [&](double x) {
    const double sine = std::sin(x);
    return std::asin(A * sine) + std::asin(B * sine) - 2 * x + between;
  };
  const auto slope_of = [](double ratio, double x) {
    const double sine = ratio * std::sin(x);
    return ratio * std::cos(x) / std::sqrt(at_least_min_value(1 - sine * sine));
  };
  double x = std::numbers::pi / 2, f = excess(x);
  if (f > 0) return -1;
  for (int step = 0; step < kMostSteps; ++step) {
    if (std::fabs(f) <= kEnough) return x;
    const double slope = slope_of(A, x) + slope_of(B, x) - 2;
    if (slope > -kMinValue) return -1;
    x -= f / slope;
    f = excess(x);
  }
  return -1;
}

// Against the inside of the circle, at one point; both ends are outside, and the straight line misses the circle.
TORSOR_HD inline CircleWrap wrap_inside(Point2 d0, Point2 d1, double radius) {
  const double length0 = norm(d0), length1 = norm(d1), square = dot(d1 - d0, d1 - d0);
  if (length0 <= radius || length1 <= radius || radius < kMinValue) return {};
  if (square > kMinValue) {
    const Point2 nearest = nearest_on_segment(d0, d1);
    const bool is_end = (nearest.x == d0.x && nearest.y == d0.y) || (nearest.x == d1.x && nearest.y == d1.y);
    if (!is_end && norm(nearest) <= radius) return {};
  }
  CircleWrap path;
  path.touches = true;
  path.first = path.second = normalized(d0 + d1) * radius;  // what is left where the iteration fails
  const double cosine = dot(d0, d1) / (length0 * length1);
  if (cosine < -1 + kMinValue) return {};
  if (cosine > 1 - kMinValue) return path;
  const double A = radius / length0, B = radius / length1;
  const double incidence = find_incidence(A, B, std::fabs(angle_between(d0, d1)));
  if (incidence < 0) return path;
  const bool ascending = cross(d0, d1) > 0;  // counted counter-clockwise from the first of the two
  const Point2 from = ascending ? d0 : d1;
  const double turn = incidence - std::asin((ascending ? A : B) * std::sin(incidence));
  path.first = path.second = rotated(normalized(from), turn) * radius;
  return path;
}

// Where to go around: inside, outside on some side, or outside by the shorter way.
struct Way {
  bool is_inside, has_side;
  Point2 side;  // its direction counts

  TORSOR_HD CircleWrap wrap(Point2 d0, Point2 d1, double radius) const {
    if (is_inside) return wrap_inside(d0, d1, radius);
    return wrap_outside(d0, d1, has_side ? &side : nullptr, radius);
  }
};

// The plane of wrapping around a sphere, by two unit vectors in W: through the centre and both points. If these are in
// line, some plane through them, which depends on the axes of G.
struct Plane {
  Vec x, y;

  TORSOR_HD Plane(const Vec& p0, const Vec& p1, const Mat3<double>& R_WG) {
    x = torsor::normalized(p0);
    Vec normal = torsor::cross(p0, p1);
    if (torsor::norm(normal) < kMinValue) {
      const Vec x_G = transposed_mul(R_WG, x), size{std::fabs(x_G.x), std::fabs(x_G.y), std::fabs(x_G.z)};
      Vec other{1, 1, 1};
      other[size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2] = 0;
      normal = torsor::cross(x, R_WG * other);
    }
    y = torsor::normalized(torsor::cross(torsor::normalized(normal), x));
  }
  TORSOR_HD Point2 project(const Vec& p) const { return {torsor::dot(p, x), torsor::dot(p, y)}; }
  TORSOR_HD Vec lift(Point2 d) const { return x * d.x + y * d.y; }
};

TORSOR_HD inline bool is_at_centre(const Vec& p) { return norm2(p) < kMinValue * kMinValue; }

// In the plane of the two points, seen so that p1 is counter-clockwise from p0.
TORSOR_HD inline bool passes_sphere(const Vec& p0, const Vec& p1, const Vec* side, double radius) {
  if (!is_clear(p0, p1, radius)) return false;
  if (!side) return true;
  const Vec normal = torsor::cross(p0, p1);
  return !winds_the_long_way(torsor::dot(torsor::cross(p0, *side), normal),
                             torsor::dot(torsor::cross(*side, p1), normal), 1);
}

TORSOR_HD inline bool passes_circle(Point2 d0, Point2 d1, const Point2* side, double radius) {
  if (!is_clear(d0, d1, radius)) return false;
  return !side || !winds_the_long_way(cross(d0, *side), cross(*side, d1), cross(d0, d1));
}

// Points from the centre, in W.
TORSOR_HD inline WrapPath wrap_sphere(const WrapObject& object, const Vec& p0, const Vec& p1, const Vec* side,
                                      bool is_inside) {
  if (!is_inside && passes_sphere(p0, p1, side, object.radius)) return {};
  if (is_at_centre(p0) || is_at_centre(p1)) return {};
  const Plane plane(p0, p1, object.R_WG);
  const Way way{is_inside, side != nullptr, side ? plane.project(*side) : Point2{}};
  const CircleWrap circle = way.wrap(plane.project(p0), plane.project(p1), object.radius);
  if (!circle.touches) return {};
  return {true, circle.arc, object.p_WoGo_W + plane.lift(circle.first), object.p_WoGo_W + plane.lift(circle.second)};
}

// In the cross section; heights along the axis are in proportion to the length so far. Points from the centre, in W.
TORSOR_HD inline WrapPath wrap_cylinder(const WrapObject& object, const Vec& p0_W, const Vec& p1_W, const Vec* side_W,
                                        bool is_inside) {
  const auto to_G = [&](const Vec& p_W) { return transposed_mul(object.R_WG, p_W); };
  const Vec p0 = to_G(p0_W), p1 = to_G(p1_W), side_G = side_W ? to_G(*side_W) : Vec::zero();
  const Point2 d0{p0.x, p0.y}, d1{p1.x, p1.y}, side{side_G.x, side_G.y};
  if (!is_inside && passes_circle(d0, d1, side_W ? &side : nullptr, object.radius)) return {};
  if (is_at_centre(p0) || is_at_centre(p1)) return {};
  const CircleWrap circle = Way{is_inside, side_W != nullptr, side}.wrap(d0, d1, object.radius);
  if (!circle.touches) return {};
  const double before = norm(circle.first - d0), after = norm(d1 - circle.second);
  const double slope = (p1.z - p0.z) / (before + circle.arc + after), rise = slope * circle.arc;
  const Vec first{circle.first.x, circle.first.y, p0.z + slope * before};
  const Vec second{circle.second.x, circle.second.y, first.z + rise};
  return {true, std::sqrt(circle.arc * circle.arc + rise * rise), object.p_WoGo_W + object.R_WG * first,
          object.p_WoGo_W + object.R_WG * second};
}

// As wrap_around().
TORSOR_HD inline WrapPath around(const WrapObject& object, const Vec& from_W, const Vec& to_W, const Vec* side_W) {
  if (object.radius < kMinValue) return {};
  const Vec p0 = from_W - object.p_WoGo_W, p1 = to_W - object.p_WoGo_W;
  const Vec side = side_W ? *side_W - object.p_WoGo_W : Vec::zero();
  const bool is_inside = side_W && norm2(side) < object.radius * object.radius;
  const Vec* const beside = side_W ? &side : nullptr;
  return object.is_cylinder ? wrap_cylinder(object, p0, p1, beside, is_inside)
                            : wrap_sphere(object, p0, p1, beside, is_inside);
}

}  // namespace torsor::wraps
