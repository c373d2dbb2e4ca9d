// Wrapping happens in a plane: that of the two points and the centre for a sphere, the cross section for a cylinder,
// along whose axis the path then rises in proportion to its length. Where several paths are possible, and how far the
// iteration for paths inside goes, is decided as in MuJoCo, since lengths and moments must equal its.
#include "torsor/dynamics/wrap.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/model/types.hpp"  // kMinValue

namespace torsor {
namespace {

using Vec = Vec3<double>;

struct Point2 {
  double x, y;
};
Point2 operator+(Point2 a, Point2 b) { return {a.x + b.x, a.y + b.y}; }
Point2 operator-(Point2 a, Point2 b) { return {a.x - b.x, a.y - b.y}; }
Point2 operator*(Point2 a, double s) { return {a.x * s, a.y * s}; }
double dot(Point2 a, Point2 b) { return a.x * b.x + a.y * b.y; }
double cross(Point2 a, Point2 b) { return a.x * b.y - a.y * b.x; }
double norm(Point2 a) { return std::sqrt(dot(a, a)); }
Point2 normalized(Point2 a) {
  const double length = norm(a);
  return length < kMinValue ? Point2{1, 0} : a * (1 / length);
}
Point2 rotated(Point2 a, double angle) {
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
Vector nearest_on_segment(const Vector& a, const Vector& b) {
  const Vector along = b - a;
  const double part = -dot(a, along) / dot(along, along);
  return a + along * std::clamp(part, 0.0, 1.0);
}

bool segments_cross(Point2 a, Point2 b, Point2 c, Point2 d) {
  const Point2 ab = b - a, cd = d - c, ac = c - a;
  const double determinant = cross(ab, cd), size = std::fabs(determinant);
  if (size < kMinValue) return false;
  // parts of the way along both, times |determinant|: no division
  const double along_ab = std::copysign(1, determinant) * cross(ac, cd),
               along_cd = std::copysign(1, determinant) * cross(ac, ab);
  return along_ab >= 0 && along_ab <= size && along_cd >= 0 && along_cd <= size;
}

// The circle as seen from a point outside: the foot of the chord between the two tangent points, and half that chord,
// to the left.
struct Tangents {
  Point2 foot, half;

  Tangents(Point2 d, double radius) {
    const double square = dot(d, d), height = std::sqrt(std::max(0.0, square - radius * radius));
    foot = d * (radius * radius / square);
    half = Point2{-d.y, d.x} * (radius * height / square);
  }
};

// One of the two ways around, without its length: counter-clockwise from d0 to d1 (turn 1) or clockwise (turn -1).
CircleWrap tangent_path(Point2 d0, Point2 d1, const Tangents& from0, const Tangents& from1, double turn) {
  CircleWrap path;
  path.first = from0.foot + from0.half * turn;
  path.second = from1.foot - from1.half * turn;
  path.touches = !segments_cross(d0, path.first, d1, path.second);
  return path;
}

double arc_of(const CircleWrap& path, double radius, double turn) {
  double angle = turn * std::atan2(cross(path.first, path.second), dot(path.first, path.second));
  if (angle < -1e-10) angle += 2 * std::numbers::pi;  // a tiny negative angle is a graze that was rounded
  return radius * std::max(0.0, angle);
}

// Whether the straight path between two points is free of the circle or sphere, and on the right side of it. Most paths
// are. A side site is often at a right angle to the path's end, where the result must not depend on rounding.
template <class Vector>
bool passes(const Vector& p0, const Vector& p1, const Vector* side, double radius) {
  constexpr double kRounding = 1e-12;
  const Vector nearest = nearest_on_segment(p0, p1);
  const double square = dot(nearest, nearest);
  if (!(square > radius * radius)) return false;
  if (!side) return true;
  const double along = dot(*side, nearest);
  return along >= 0 || along * along <= kRounding * kRounding * square * dot(*side, *side);
}

// Around the outside, on the side of the point `side` on the circle, or the shorter way without one; the straight path
// does not pass.
CircleWrap wrap_outside(Point2 d0, Point2 d1, const Point2* side, double radius) {
  const double square = radius * radius;
  if (dot(d0, d0) < square || dot(d1, d1) < square) return {};
  if (dot(d1 - d0, d1 - d0) < kMinValue) return {};
  const auto rate = [side](const CircleWrap& path) {
    if (!path.touches) return -1e4;
    if (side) return dot(normalized(path.first + path.second), *side);
    return -dot(path.first - path.second, path.first - path.second);
  };
  const Tangents from0(d0, radius), from1(d1, radius);
  const CircleWrap left = tangent_path(d0, d1, from0, from1, 1), right = tangent_path(d0, d1, from0, from1, -1);
  const bool goes_right = rate(right) > rate(left);
  CircleWrap path = goes_right ? right : left;
  path.arc = arc_of(path, radius, goes_right ? -1 : 1);
  return path;
}

// sin of the angle at which the path meets the circle from inside: reflection makes the angles of the two segments
// equal, and the angles at the centre add up to `between`. Newton's method from the right; negative if it does not
// converge.
double find_incidence(double A, double B, double between) {
  constexpr double kStart = 1 - 1e-7, kEnough = 1e-6;
  constexpr int kMostSteps = 20;
  const auto excess = [&](double z) { return std::asin(A * z) + std::asin(B * z) - 2 * std::asin(z) + between; };
  const auto slope_of = [](double c, double z) { return c / std::max(kMinValue, std::sqrt(1 - z * z * c * c)); };
  double z = kStart, f = excess(z);
  if (f > 0) return -1;
  int step = 0;
  for (; step < kMostSteps && std::fabs(f) > kEnough; ++step) {
    const double slope = slope_of(A, z) + slope_of(B, z) - 2 * slope_of(1, z);
    if (slope > -kMinValue) return -1;
    const double next = z - f / slope;
    if (next > z) return -1;
    z = next;
    f = excess(z);
    if (f > kEnough) return -1;
  }
  return step < kMostSteps ? z : -1;
}

// Against the inside of the circle, at one point; both ends are outside, and the straight line misses the circle.
CircleWrap wrap_inside(Point2 d0, Point2 d1, double radius) {
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
  const double cosine = (length0 * length0 + length1 * length1 - square) / (2 * length0 * length1);
  if (cosine < -1 + kMinValue) return {};
  if (cosine > 1 - kMinValue) return path;
  const double A = radius / length0, B = radius / length1;
  const double z = find_incidence(A, B, std::acos(cosine));
  if (z < 0) return path;
  const bool ascending = cross(d0, d1) > 0;  // counted counter-clockwise from the first of the two
  const Point2 from = ascending ? d0 : d1;
  const double turn = std::asin(z) - std::asin((ascending ? A : B) * z);
  path.first = path.second = rotated(normalized(from), turn) * radius;
  return path;
}

// Where to go around: inside, outside on some side, or outside by the shorter way.
struct Way {
  bool is_inside, has_side;
  Point2 side;  // its direction counts

  CircleWrap wrap(Point2 d0, Point2 d1, double radius) const {
    if (is_inside) return wrap_inside(d0, d1, radius);
    const Point2 on_circle = has_side ? normalized(side) * radius : Point2{};
    return wrap_outside(d0, d1, has_side ? &on_circle : nullptr, radius);
  }
};

// The plane of wrapping around a sphere, by two unit vectors in W: through the centre and both points. If these are in
// line, some plane through them, which depends on the axes of G.
struct Plane {
  Vec x, y;

  Plane(const Vec& p0, const Vec& p1, const Mat3<double>& R_WG) {
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
  Point2 project(const Vec& p) const { return {torsor::dot(p, x), torsor::dot(p, y)}; }
  Vec lift(Point2 d) const { return x * d.x + y * d.y; }
};

bool is_at_centre(const Vec& p) { return norm2(p) < kMinValue * kMinValue; }

// Points from the centre, in W.
WrapPath wrap_sphere(const WrapObject& object, const Vec& p0, const Vec& p1, const Vec* side, bool is_inside) {
  if (!is_inside && passes(p0, p1, side, object.radius)) return {};
  if (is_at_centre(p0) || is_at_centre(p1)) return {};
  const Plane plane(p0, p1, object.R_WG);
  const Way way{is_inside, side != nullptr, side ? plane.project(*side) : Point2{}};
  const CircleWrap circle = way.wrap(plane.project(p0), plane.project(p1), object.radius);
  if (!circle.touches) return {};
  return {true, circle.arc, object.p_WoGo_W + plane.lift(circle.first), object.p_WoGo_W + plane.lift(circle.second)};
}

// In the cross section; heights along the axis are in proportion to the length so far. Points from the centre, in W.
WrapPath wrap_cylinder(const WrapObject& object, const Vec& p0_W, const Vec& p1_W, const Vec* side_W, bool is_inside) {
  const auto to_G = [&](const Vec& p_W) { return transposed_mul(object.R_WG, p_W); };
  const Vec p0 = to_G(p0_W), p1 = to_G(p1_W), side_G = side_W ? to_G(*side_W) : Vec::zero();
  const Point2 d0{p0.x, p0.y}, d1{p1.x, p1.y}, side{side_G.x, side_G.y};
  if (!is_inside && passes(d0, d1, side_W ? &side : nullptr, object.radius)) return {};
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

}  // namespace

WrapPath wrap_around(const WrapObject& object, const Vec& from_W, const Vec& to_W, const Vec* side_W) {
  if (object.radius < kMinValue) return {};
  const Vec p0 = from_W - object.p_WoGo_W, p1 = to_W - object.p_WoGo_W;
  const Vec side = side_W ? *side_W - object.p_WoGo_W : Vec::zero();
  const bool is_inside = side_W && norm2(side) < object.radius * object.radius;
  return (object.is_cylinder ? wrap_cylinder : wrap_sphere)(object, p0, p1, side_W ? &side : nullptr, is_inside);
}

}  // namespace torsor
